"""/rules and /help: pages to read, only for the person who asks."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.i18n import N_
from bot.present.answers import help_sheet
from bot.present.registry import PRESENTERS
from bot.present.rules import rules_sheet
from cogs.boundary import boundary
from cogs.play import GAMES


class Rules(commands.Cog):
    """The commands /rules and /help."""

    @app_commands.command(name="rules", description=N_("How a game is played, page by page"))
    @app_commands.describe(game=N_("Which game"))
    @app_commands.choices(game=GAMES)
    async def rules(self, interaction: discord.Interaction[Any], game: app_commands.Choice[str] | None = None) -> None:
        """Show the rules of *game* (default: of the table here, else of the first game). Serves /rules."""
        async with boundary(interaction, "/rules") as visit:
            table = await visit.bot.tables.find_in(visit.channel)
            name = game.value if game else table.game if table else next(iter(PRESENTERS))
            await visit.tell(rules_sheet(name, None, await visit.words_here()))

    @app_commands.command(name="help", description=N_("What this bot can do"))
    async def help(self, interaction: discord.Interaction[Any]) -> None:
        """Show what the commands do. Serves /help."""
        async with boundary(interaction, "/help") as visit:
            await visit.tell(help_sheet(await visit.words_here()))


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Rules())
