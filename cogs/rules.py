"""/rules, /help and /learn: pages to read and a guided round, only for the person who asks; and their controls."""

from typing import Any

import discord
from discord import app_commands

from bot.commands import Context, offered_in
from bot.i18n import N_
from bot.tables.errors import Refusal, Why
from bot.tables.model import Phase, Table
from bot.ui.custom_ids import Press
from bot.ui.dealing import deal_verification_lines
from bot.ui.presenter import FIRST_STEP, lesson_sheet
from bot.ui.registry import LESSON_GAME, PRESENTERS
from bot.ui.replies import help_sheet
from bot.ui.rules import rules_page_sheet
from cogs.context import Visit
from cogs.errors import serve_interaction
from cogs.play import GAMES


@app_commands.command(name="rules", description=N_("How a game is played, page by page"))
@app_commands.describe(game=N_("Which game"))
@app_commands.choices(game=GAMES)
@offered_in(Context.GUILD, Context.BOT_DM)
async def rules_command(interaction: discord.Interaction[Any], game: app_commands.Choice[str] | None = None) -> None:
    """Show privately the first page of the rules of *game* (default: that of the table here, else the first game).
    Serves /rules."""
    async with serve_interaction(interaction, "/rules") as visit:
        table = await visit.bot.tables.find_in_channel(visit.channel)
        name = game.value if game else table.game if table else next(iter(PRESENTERS))
        await visit.answer_privately(rules_page_sheet(name, None, await visit.words_with_public_labels_here()))


@app_commands.command(name="help", description=N_("What this bot can do"))
@offered_in(Context.GUILD, Context.BOT_DM)
async def help_command(interaction: discord.Interaction[Any]) -> None:
    """Show the person privately every command and what it does. Serves /help."""
    async with serve_interaction(interaction, "/help") as visit:
        await visit.answer_privately(help_sheet(await visit.words_with_public_labels_here()))


@app_commands.command(name="learn", description=N_("Learn 17 in a short guided round"))
@offered_in(Context.GUILD, Context.BOT_DM)
async def learn_command(interaction: discord.Interaction[Any]) -> None:
    """Show privately the first step of the first game's lesson; its buttons lead on. Serves /learn."""
    async with serve_interaction(interaction, "/learn") as visit:
        teacher = PRESENTERS[LESSON_GAME]
        await visit.answer_privately(
            lesson_sheet(teacher.game, teacher.lesson, FIRST_STEP, teacher.accent, visit.words)
        )


async def show_rules_page(visit: Visit, press: Press, table: Table) -> None:
    """Show the rules page that the button names, else the page most useful at this moment of the game, as a private
    message."""
    scene = await visit.scene(table)
    now = PRESENTERS[scene.game].board.helpful_rules_page_key(scene) if scene.phase is Phase.PLAYING else None
    await visit.answer_privately(
        rules_page_sheet(scene.game, press.arg or now, visit.words, deal_verification_lines(scene, visit.words))
    )


async def show_chosen_rules_page(visit: Visit, press: Press) -> None:
    """Show the rules page that was chosen or that the button names, in place of the clicked message; or raise Refusal
    if there is no such game."""
    game, _, key = (press.arg or visit.chosen_value).partition(".")
    if game not in PRESENTERS:
        raise Refusal(Why.BUTTON_DEAD)
    await visit.edit_clicked(rules_page_sheet(game, key, await visit.words_with_public_labels_here()))


async def show_lesson_step(visit: Visit, press: Press) -> None:
    """Show the step of the lesson that the button names, in place of the clicked message; or raise Refusal if that game
    has no lesson."""
    game, _, step = press.arg.partition(".")
    if game not in PRESENTERS or not PRESENTERS[game].lesson:
        raise Refusal(Why.BUTTON_DEAD)
    presenter = PRESENTERS[game]
    await visit.edit_clicked(lesson_sheet(game, presenter.lesson, step, presenter.accent, visit.words))
