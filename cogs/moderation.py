"""/tables: the live tables of a server, for moderators; ending a game, banning people from tables, lifting bans."""

from typing import Any

import discord
from discord import app_commands

from bot.commands import Context, offered_in
from bot.delivery.slots import TABLE
from bot.i18n import N_
from bot.tables import leaving, lobby
from bot.tables.errors import Refusal, Why
from bot.tables.model import LARGEST_ID, Phase, Table, TableId
from bot.tables.preferences import BAN_SECONDS, LONGEST_REASON
from bot.tables.scene import make_scene
from bot.ui import moderation as present
from bot.ui.components import Sheet
from bot.ui.custom_ids import Press
from bot.ui.moderation import LiveTable
from cogs.context import Visit
from cogs.errors import serve_interaction


@app_commands.command(name="tables", description=N_("Live tables of this server: end a game, ban someone"))
@offered_in(Context.GUILD)
@app_commands.default_permissions(manage_messages=True)
async def tables_command(interaction: discord.Interaction[Any]) -> None:
    """Show the live tables of this server privately; only to people who may manage messages. Serves /tables."""
    async with serve_interaction(interaction, "/tables") as visit:
        await visit.answer_privately(await load_live_tables_sheet(visit, visit.require_moderated_guild(), 0))


# The live tables


async def load_live_tables_sheet(visit: Visit, guild: int, page: int, *, notice: str = "") -> Sheet:
    """Return page number *page* of the list of live tables of the server *guild*, with *notice* above it."""
    tables = await visit.bot.store.live_tables_of_guild(guild)
    _, _, shown = present.paginate(tables, page)
    there = {table.id: await _table_message_id(visit, table) for table in shown}
    live = [LiveTable(make_scene(table, None, there.get(table.id)), table.created_at) for table in tables]
    server = await visit.bot.servers.get_settings_and_bans(guild)
    bans = len(server.current_bans(visit.bot.clock.now()))
    return present.live_tables_sheet(live, bans, page, visit.words, notice=notice)


async def _table_message_id(visit: Visit, table: Table) -> int | None:
    """Return the id of the message of *table* from the store, whichever process serves it; ``None`` if there is
    none."""
    found = await visit.bot.store.load_handles(table.id)
    return next((handle.message for handle in found if handle.slot == TABLE), None)


async def show_tables_page(visit: Visit, press: Press) -> None:
    """Show the page of the live tables that the button names, in place of the clicked message."""
    await visit.edit_clicked(
        await load_live_tables_sheet(visit, visit.require_moderated_guild(), _parse_page_number(press))
    )


def _parse_page_number(press: Press) -> int:
    """Return the page number in the argument of *press*, from 0; 0 if it is not a number."""
    return int(press.arg) if press.arg.isdecimal() else 0


async def ask_to_confirm_close_table(visit: Visit, press: Press) -> None:
    """Ask the moderator whether they really want to end the chosen game; if it is over, say so in the list. Nothing
    changes yet."""
    guild, chosen = visit.require_moderated_guild(), visit.chosen_value
    found = [table for table in await visit.bot.store.live_tables_of_guild(guild) if table.id == TableId(chosen)]
    if not found:
        await visit.edit_clicked(
            await load_live_tables_sheet(visit, guild, 0, notice=visit.words("That game is over."))
        )
        return
    (table,) = found
    shown = make_scene(table, table.seat_of(visit.user), await _table_message_id(visit, table))
    await visit.edit_clicked(present.confirm_end_by_moderator_sheet(shown, table.created_at, visit.words))


async def close_table(visit: Visit, press: Press, table: Table) -> None:
    """End the game of *table* without a winner, or close its lobby, and show the list of live tables; or raise Refusal
    if the person does not moderate its server."""
    guild = visit.require_moderated_guild()
    if not visit.is_moderator:  # a table of another server
        raise Refusal(Why.MODERATORS_ONLY)
    said = visit.words("That game is over.")
    if table.phase is Phase.LOBBY:
        await visit.change_table(
            table.id, "cancel", lambda t: lobby.cancel_table(t, visit.user, visit.name, True, visit.username)
        )
        said = visit.words("The table is closed.")
    elif table.live:
        await visit.change_table(
            table.id, "end", lambda t: leaving.end_game_early(t, visit.user, visit.name, True, visit.username)
        )
        said = visit.words("The game has been ended.")
    await visit.edit_clicked(await load_live_tables_sheet(visit, guild, 0, notice=said))


# Bans


async def ask_ban_length(visit: Visit, press: Press) -> None:
    """Ask the moderator how long to ban the chosen person from tables; nothing changes yet. Or raise Refusal if that
    person cannot be banned."""
    guild = visit.require_moderated_guild()
    if len(visit.chosen_ids) != 1:
        raise Refusal(Why.BUTTON_DEAD)
    (user,) = visit.chosen_ids
    _check_can_be_banned(visit, user)
    plays = any(table.seat_of(user) is not None for table in await visit.bot.store.live_tables_of_guild(guild))
    await visit.edit_clicked(present.ban_duration_sheet(user, plays, visit.words))


def _check_can_be_banned(visit: Visit, user: int) -> None:
    """Raise Refusal if *user* is the moderator who clicked, or a bot as far as the interaction says."""
    data: Any = visit.interaction.data
    resolved = data.get("resolved") or {}
    known = resolved.get("users", {}).get(str(user), {})
    if user == visit.user or known.get("bot"):
        raise Refusal(Why.SELF_BAN)


def _parse_ban_target_and_length(press: Press) -> tuple[int, int]:
    """Return (the id of the person to ban, the length of the ban in seconds) from the clicked control; or raise Refusal
    if it is forged.

    Raises:
        Refusal: the custom_id is forged.
    """
    user, _, seconds = press.arg.partition("-")
    right = user.isdecimal() and seconds.isdecimal()
    if not right or not 0 < int(user) <= LARGEST_ID or int(seconds) not in BAN_SECONDS:
        raise Refusal(Why.BUTTON_DEAD)
    return int(user), int(seconds)


async def show_ban_reason_form(visit: Visit, press: Press) -> None:
    """Show the form in which the moderator may write the reason for a ban; or raise Refusal if they may not ban that
    person."""
    visit.require_moderated_guild()
    _check_can_be_banned(visit, _parse_ban_target_and_length(press)[0])
    await visit.show_form(present.ban_reason_form(press.arg, visit.words))


async def ban_person(visit: Visit, press: Press) -> None:
    """Ban the person in the form's custom_id from the tables of this server for the time in it, remove them from
    lobbies, and show all bans."""
    guild = visit.require_moderated_guild()
    user, seconds = _parse_ban_target_and_length(press)
    _check_can_be_banned(visit, user)
    until = visit.bot.clock.now() + seconds * 1000
    (reason,) = visit.form_texts("reason")
    await visit.bot.servers.ban(guild, user, until, visit.user, reason.strip()[:LONGEST_REASON])
    await visit.bot.changes.apply_changed_settings_and_bans(guild)
    await _show_bans(visit, guild, 0, visit.words("{name} is banned.", name=f"<@{user}>"))


async def show_bans_page(visit: Visit, press: Press) -> None:
    """Show the page of the server's bans that the button names, in place of the clicked message."""
    await _show_bans(visit, visit.require_moderated_guild(), _parse_page_number(press))


async def lift_ban(visit: Visit, press: Press) -> None:
    """End the ban chosen in the select, and show the bans that are left."""
    guild = visit.require_moderated_guild()
    await visit.bot.servers.lift_ban(guild, visit.chosen_value)
    await visit.bot.changes.apply_changed_settings_and_bans(guild)
    await _show_bans(visit, guild, 0, visit.words("The ban is lifted."))


async def _show_bans(visit: Visit, guild: int, page: int, notice: str = "") -> None:
    """Show page number *page* of the server's bans in force in place of the clicked message, with *notice* above it."""
    server = await visit.bot.servers.get_settings_and_bans(guild)
    held = server.current_bans(visit.bot.clock.now())
    await visit.edit_clicked(present.bans_sheet(held, page, visit.words, notice=notice))
