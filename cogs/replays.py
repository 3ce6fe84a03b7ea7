"""/replay: games that are over, gone through again."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.i18n import N_
from bot.tables.model import TableId
from cogs import review_clicks
from cogs.boundary import boundary


class Replays(commands.Cog):
    """The command /replay."""

    @app_commands.command(name="replay", description=N_("Go through a finished game again, step by step"))
    @app_commands.describe(game=N_("Its eight-character ID; leave it out to list your last games"))
    async def replay(self, interaction: discord.Interaction[Any], game: str | None = None) -> None:
        """Show the game whose id is *game*, or list those that the person can review. Serves /replay."""
        async with boundary(interaction, "/replay") as visit:
            if game is None:
                await visit.tell(await review_clicks.listed(visit))
            else:
                await visit.tell(await review_clicks.whole(visit, TableId(game.strip().lower())))


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Replays())
