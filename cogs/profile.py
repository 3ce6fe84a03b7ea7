"""/profile and /leaderboard: a person's games and rating, and the best players of a server; and their controls."""

from typing import Any

import discord
from discord import app_commands

from bot.commands import PUBLIC, Context, offered_in
from bot.i18n import N_, words
from bot.tables.errors import Refusal, Why
from bot.ui import custom_ids, replies
from bot.ui import profile as present
from bot.ui.custom_ids import Press
from bot.ui.profile import leaderboard_sheet, leaderboard_switch_sheet
from bot.ui.registry import PRESENTERS
from cogs.context import Visit
from cogs.errors import serve_interaction
from cogs.play import GAMES


@app_commands.command(name="profile", description=N_("My games in numbers, and my rating: only I see this"))
@offered_in(Context.GUILD, Context.BOT_DM)
async def profile_command(interaction: discord.Interaction[Any]) -> None:
    """Show the person privately their numbers and rating, first for the game of the table here if they have played it.
    Serves /profile."""
    async with serve_interaction(interaction, "/profile") as visit:
        table = await visit.bot.tables.find_in_channel(visit.channel)
        found = await visit.bot.store.load_profiles(visit.user)
        rated = visit.bot.people.preferences(visit.user).rated
        guild = interaction.guild_id
        counted = guild is None or (await visit.bot.servers.settings(guild)).counted
        game = table.game if table else None
        await visit.answer_privately(
            present.profile_sheet(found, game, rated, await visit.words_with_public_labels_here(), counted=counted)
        )


@app_commands.command(
    name="leaderboard", description=N_("The best of this server, for everyone to see"), extras={PUBLIC: True}
)
@app_commands.describe(game=N_("Which game"))
@app_commands.choices(game=GAMES)
@offered_in(Context.GUILD)
async def leaderboard_command(
    interaction: discord.Interaction[Any], game: app_commands.Choice[str] | None = None
) -> None:
    """Show everybody the best players of this server in *game* (default: that of the table here, else the first), if it
    has leaderboards. Serves /leaderboard.

    Only the person sees it if one was shown here a moment ago. People who manage the server can switch leaderboards on
    and off.
    """
    async with serve_interaction(interaction, "/leaderboard", private=False) as visit:
        guild = interaction.guild_id
        if guild is None:
            raise Refusal(Why.NOT_A_SERVER)
        settings = await visit.bot.servers.settings(guild)
        if not settings.counted:
            await visit.answer_privately(replies.private_note_sheet(visit.words(present.NOT_COUNTED)))
            return
        if not settings.boards:
            await visit.answer_privately(
                leaderboard_switch_sheet(False, await visit.words_with_public_labels_here(), manager=visit.is_manager)
            )
            return
        table = await visit.bot.tables.find_in_channel(visit.channel)
        name = game.value if game else table.game if table else next(iter(PRESENTERS))
        board = await visit.bot.store.load_leaderboard(guild, name, visit.user)
        if visit.bot.tables.try_acquire_public_answer(visit.channel):
            public = words(await visit.public_locale())
            await visit.bot.api.reply(interaction, leaderboard_sheet(name, board, public), private=False)
        else:
            await visit.answer_privately(leaderboard_sheet(name, board, await visit.words_with_public_labels_here()))
        if visit.is_manager:
            await visit.answer_privately(
                leaderboard_switch_sheet(True, await visit.words_with_public_labels_here(), manager=True)
            )


async def show_chosen_profile(visit: Visit, press: Press) -> None:
    """Show the person's profile in the game chosen in the select; without a choice, in the game they play most."""
    await _show_profile(visit, visit.chosen_value if visit.values else None)


async def record_rating_choice(visit: Visit, press: Press) -> None:
    """Store whether the person wants a rating, or first show the question that they have to answer, and show their
    profile; giving a rating up deletes it in all games. Or raise Refusal if forged.

    They are deleted in the same transaction.
    """
    match press.arg:
        case present.ASK:
            await _show_profile(visit, None, asks=True)
        case present.STOP:
            await visit.edit_clicked(present.confirm_rating_deletion_sheet(await visit.words_with_public_labels_here()))
        case custom_ids.YES | custom_ids.NO | present.STOP_FOR_SURE:
            await _store_rating_choice(visit, press.arg == custom_ids.YES)
            await _show_profile(visit, None)
        case _:
            raise Refusal(Why.BUTTON_DEAD)


async def _store_rating_choice(visit: Visit, rated: bool) -> None:
    """Store whether the person wants a rating (*rated*), and apply that at all tables where they sit."""
    await visit.bot.people.change(visit.user, lambda it: it._replace(rated=rated))
    await visit.bot.changes.apply_rating_consent(visit.user, rated)


async def _show_profile(visit: Visit, game: str | None, *, asks: bool = False) -> None:
    """Show the person's profile in *game* (``None``: the one they play most) in place of the clicked message; *asks*
    adds the question about a rating."""
    found = await visit.bot.store.load_profiles(visit.user)
    rated = visit.bot.people.preferences(visit.user).rated
    await visit.edit_clicked(
        present.profile_sheet(found, game, rated, await visit.words_with_public_labels_here(), asks=asks)
    )


async def set_leaderboards(visit: Visit, press: Press) -> None:
    """Switch the leaderboards of this server on or off, as the clicked button says, and show that; or raise Refusal for
    people who may not manage it."""
    guild = visit.require_managed_guild()
    if press.arg not in (custom_ids.YES, custom_ids.NO):
        raise Refusal(Why.BUTTON_DEAD)
    on = press.arg == custom_ids.YES
    await visit.bot.servers.change_settings(guild, boards=on)
    await visit.bot.changes.apply_changed_settings_and_bans(guild)
    await visit.edit_clicked(leaderboard_switch_sheet(on, await visit.words_with_public_labels_here(), manager=True))
