"""/play: open a table in this channel or thread."""

from typing import Any

import discord
from discord import app_commands

from bot.commands import PUBLIC
from bot.i18n import N_
from bot.ui.registry import PRESENTERS
from cogs import opening
from cogs.boundary import boundary

GAMES = [
    app_commands.Choice(name=app_commands.locale_str(presenter.title), value=game)
    for game, presenter in PRESENTERS.items()
]


@app_commands.command(
    name="play", description=N_("Open a table for a card game in this channel"), extras={PUBLIC: True}
)
@app_commands.describe(game=N_("Which game"))
@app_commands.choices(game=GAMES)
@app_commands.guild_only()
async def play_command(interaction: discord.Interaction[Any], game: app_commands.Choice[str]) -> None:
    """Open a table of *game* in this channel and show its lobby. Serves /play."""
    async with boundary(interaction, "/play", private=False) as visit:
        await opening.open_table(visit, game.value)
