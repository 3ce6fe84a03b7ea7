"""/tables: the live tables of a server, for moderators; ending one, banning somebody from tables, ending that."""

from typing import Any

import discord
from discord import app_commands

from bot.delivery.slots import TABLE
from bot.i18n import N_
from bot.tables import leaving, lobby
from bot.tables.errors import Refusal, Why
from bot.tables.model import LARGEST_ID, Phase, Table, TableId
from bot.tables.preferences import BAN_SECONDS, LONGEST_REASON
from bot.tables.scene import scene
from bot.ui import moderation as present
from bot.ui.components import Sheet
from bot.ui.custom_ids import Press
from bot.ui.moderation import LiveTable
from cogs.context import Visit
from cogs.errors import boundary


@app_commands.command(name="tables", description=N_("Live tables of this server: end a game, ban someone"))
@app_commands.guild_only()
@app_commands.default_permissions(manage_messages=True)
async def tables_command(interaction: discord.Interaction[Any]) -> None:
    """Show the live tables of this server. Serves /tables."""
    async with boundary(interaction, "/tables") as visit:
        await visit.tell(await tables_sheet(visit, visit.moderated, 0))


# The live tables


async def tables_sheet(visit: Visit, guild: int, page: int, *, notice: str = "") -> Sheet:
    """The list of the live tables of *guild*, with *notice* above it."""
    tables = await visit.bot.store.live_tables_of(guild)
    _, _, shown = present.paginate(tables, page)
    there = {table.id: await _message_of(visit, table) for table in shown}
    live = [LiveTable(scene(table, None, there.get(table.id)), table.created_at) for table in tables]
    server = await visit.bot.servers.of(guild)
    bans = len(server.bans_now(visit.bot.clock.now()))
    return present.live_tables_sheet(live, bans, page, visit.words, notice=notice)


async def _message_of(visit: Visit, table: Table) -> int | None:
    """The table message of *table*, wherever that is served; ``None``: there is none."""
    found = await visit.bot.store.handles(table.id)
    return next((handle.message for handle in found if handle.slot == TABLE), None)


async def tables(visit: Visit, press: Press) -> None:
    """Show a page of the live tables."""
    await visit.turn_into(await tables_sheet(visit, visit.moderated, _page(press)))


def _page(press: Press) -> int:
    """The page that *press* asks for."""
    return int(press.arg) if press.arg.isdecimal() and press.arg.isascii() and len(press.arg) < 6 else 0


async def close(visit: Visit, press: Press) -> None:
    """Ask the moderator whether they really want to end the chosen game; nothing changes yet."""
    guild, chosen = visit.moderated, visit.chosen
    found = [table for table in await visit.bot.store.live_tables_of(guild) if table.id == TableId(chosen)]
    if not found:
        await visit.turn_into(await tables_sheet(visit, guild, 0, notice=visit.words("That game is over.")))
        return
    (table,) = found
    shown = scene(table, table.seat_of(visit.user), await _message_of(visit, table))
    await visit.turn_into(present.confirm_close_sheet(shown, table.created_at, visit.words))


async def close_for_sure(visit: Visit, press: Press, table: Table) -> None:
    """End the game of *table*, and show the list without it."""
    guild = visit.moderated
    if not visit.moderator:  # a table of another server
        raise Refusal(Why.MODERATORS_ONLY)
    said = visit.words("The game has been ended.")
    if table.phase is Phase.LOBBY:
        await visit.change(table.id, "cancel", lambda t: lobby.cancel(t, visit.user, visit.name, True, visit.username))
        said = visit.words("The table is closed.")
    elif table.live:
        await visit.change(table.id, "end", lambda t: leaving.end(t, visit.user, visit.name, True, visit.username))
    await visit.turn_into(await tables_sheet(visit, guild, 0, notice=said))


# Bans


async def choose_person(visit: Visit, press: Press) -> None:
    """Ask the moderator for how long the chosen person is to be banned; nothing changes yet."""
    guild = visit.moderated
    if len(visit.ids) != 1:
        raise Refusal(Why.BUTTON_DEAD)
    (user,) = visit.ids
    _check_can_be_banned(visit, user)
    plays = any(table.seat_of(user) is not None for table in await visit.bot.store.live_tables_of(guild))
    await visit.turn_into(present.ban_duration_sheet(user, plays, visit.words))


def _check_can_be_banned(visit: Visit, user: int) -> None:
    """Raise Refusal if *user* is the moderator, or a bot, which plays nowhere."""
    data: Any = visit.interaction.data
    resolved = data.get("resolved") or {}
    known = resolved.get("users", {}).get(str(user), {})
    if user == visit.user or known.get("bot"):
        raise Refusal(Why.SELF_BAN)


def _whom(press: Press) -> tuple[int, int]:
    """(who is banned, for how many seconds).

    Raises:
        Refusal: the custom_id is forged.
    """
    user, _, seconds = press.arg.partition("-")
    right = all(it.isascii() and it.isdecimal() and len(it) < 20 for it in (user, seconds))
    if not right or not 0 < int(user) <= LARGEST_ID or int(seconds) not in BAN_SECONDS:
        raise Refusal(Why.BUTTON_DEAD)
    return int(user), int(seconds)


async def ask_why(visit: Visit, press: Press) -> None:
    """Show the form in which the moderator may write why."""
    assert visit.moderated
    _check_can_be_banned(visit, _whom(press)[0])
    await visit.ask(present.ban_reason_form(press.arg, visit.words))


async def ban(visit: Visit, press: Press) -> None:
    """Ban the person, and show all who are banned."""
    guild = visit.moderated
    user, seconds = _whom(press)
    _check_can_be_banned(visit, user)
    until = visit.bot.clock.now() + seconds * 1000
    (reason,) = visit.written_in("reason")
    await visit.bot.servers.ban(guild, user, until, visit.user, reason.strip()[:LONGEST_REASON])
    await visit.bot.changes.server(guild)
    await _show_bans(visit, guild, 0, visit.words("{name} is banned.", name=f"<@{user}>"))


async def bans(visit: Visit, press: Press) -> None:
    """Show a page of those who are banned."""
    await _show_bans(visit, visit.moderated, _page(press))


async def lift(visit: Visit, press: Press) -> None:
    """End the chosen ban, and show those that are left."""
    guild = visit.moderated
    await visit.bot.servers.lift(guild, visit.chosen)
    await visit.bot.changes.server(guild)
    await _show_bans(visit, guild, 0, visit.words("The ban is lifted."))


async def _show_bans(visit: Visit, guild: int, page: int, notice: str = "") -> None:
    """Show a page of those who are banned in place of what was clicked."""
    server = await visit.bot.servers.of(guild)
    held = server.bans_now(visit.bot.clock.now())
    await visit.turn_into(present.bans_sheet(held, page, visit.words, notice=notice))
