"""/profile and /leaderboard: what somebody has done in their games, and who is best in a server; and their controls."""

from typing import Any

import discord
from discord import app_commands

from bot.commands import PUBLIC
from bot.i18n import N_, words
from bot.tables.errors import Refusal, Why
from bot.ui import custom_ids, replies
from bot.ui import profile as present
from bot.ui.custom_ids import Press
from bot.ui.profile import leaderboard_sheet, leaderboard_switch_sheet
from bot.ui.registry import PRESENTERS
from cogs.context import Visit
from cogs.errors import boundary
from cogs.play import GAMES


@app_commands.command(name="profile", description=N_("My games in numbers, and my rating: only I see this"))
async def profile_command(interaction: discord.Interaction[Any]) -> None:
    """Show the person what they have done, in the game of the table here if they have played it. Serves
    /profile."""
    async with boundary(interaction, "/profile") as visit:
        table = await visit.bot.tables.find_in(visit.channel)
        found = await visit.bot.store.profiles(visit.user)
        rated = visit.bot.people.preferences(visit.user).rated
        guild = interaction.guild_id
        counted = guild is None or (await visit.bot.servers.settings(guild)).counted
        game = table.game if table else None
        await visit.tell(present.profile_sheet(found, game, rated, await visit.words_here(), counted=counted))


@app_commands.command(
    name="leaderboard", description=N_("The best of this server, for everyone to see"), extras={PUBLIC: True}
)
@app_commands.describe(game=N_("Which game"))
@app_commands.choices(game=GAMES)
@app_commands.guild_only()
async def leaderboard_command(
    interaction: discord.Interaction[Any], game: app_commands.Choice[str] | None = None
) -> None:
    """Show everybody the leaderboard of *game* (default: of the table here, else of the first game) if the server
    has leaderboards, but only the person if one was shown here a moment ago; whoever manages the server can switch
    that. Serves /leaderboard."""
    async with boundary(interaction, "/leaderboard", private=False) as visit:
        guild = interaction.guild_id
        if guild is None:
            raise Refusal(Why.NOT_A_SERVER)
        settings = await visit.bot.servers.settings(guild)
        if not settings.counted:
            await visit.tell(replies.note_sheet(visit.words(present.NOT_COUNTED)))
            return
        if not settings.boards:
            await visit.tell(leaderboard_switch_sheet(False, await visit.words_here(), manager=visit.manager))
            return
        table = await visit.bot.tables.find_in(visit.channel)
        name = game.value if game else table.game if table else next(iter(PRESENTERS))
        board = await visit.bot.store.leaderboard(guild, name, visit.user)
        if visit.bot.tables.may_show(visit.channel):
            public = words(await visit.public_locale())
            await visit.bot.courier.reply(interaction, leaderboard_sheet(name, board, public), private=False)
        else:
            await visit.tell(leaderboard_sheet(name, board, await visit.words_here()))
        if visit.manager:
            await visit.tell(leaderboard_switch_sheet(True, await visit.words_here(), manager=True))


async def profile(visit: Visit, press: Press) -> None:
    """Show the profile of the chosen game; of the most played one to whoever has thought better of what was asked."""
    await _show(visit, visit.chosen if visit.values else None)


async def rate(visit: Visit, press: Press) -> None:
    """Record whether the person wants a rating, and show their profile; or ask them first. Of who wants none any more
    the rating is deleted in the same transaction."""
    match press.arg:
        case present.ASK:
            await _show(visit, None, asks=True)
        case present.STOP:
            await visit.turn_into(present.confirm_rating_deletion_sheet(await visit.words_here()))
        case custom_ids.YES | custom_ids.NO | present.STOP_FOR_SURE:
            await _record(visit, press.arg == custom_ids.YES)
            await _show(visit, None)
        case _:
            raise Refusal(Why.BUTTON_DEAD)


async def _record(visit: Visit, rated: bool) -> None:
    """Record whether the person wants a rating, and have it hold at every table where they sit."""
    await visit.bot.people.change(visit.user, lambda it: it._replace(rated=rated))
    await visit.bot.changes.rating(visit.user, rated)


async def _show(visit: Visit, game: str | None, *, asks: bool = False) -> None:
    """Show the profile of *game* in place of what was clicked."""
    found = await visit.bot.store.profiles(visit.user)
    rated = visit.bot.people.preferences(visit.user).rated
    await visit.turn_into(present.profile_sheet(found, game, rated, await visit.words_here(), asks=asks))


async def boards(visit: Visit, press: Press) -> None:
    """Switch the leaderboards of the server on or off, and say so."""
    guild = visit.managed
    if press.arg not in (custom_ids.YES, custom_ids.NO):
        raise Refusal(Why.BUTTON_DEAD)
    on = press.arg == custom_ids.YES
    await visit.bot.servers.choose(guild, boards=on)
    await visit.bot.changes.server(guild)
    await visit.turn_into(leaderboard_switch_sheet(on, await visit.words_here(), manager=True))
