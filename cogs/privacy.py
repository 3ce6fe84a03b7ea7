"""/privacy: what is kept of somebody, and exporting and erasing it."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.i18n import N_
from bot.present.privacy import privacy_sheet
from cogs.boundary import boundary


class Privacy(commands.Cog):
    """The command /privacy."""

    @app_commands.command(name="privacy", description=N_("What I keep about you: see it, export it, erase it"))
    async def privacy(self, interaction: discord.Interaction[Any]) -> None:
        """Say what is kept of the person, with what they can do about it. Serves /privacy."""
        async with boundary(interaction, "/privacy") as visit:
            await visit.tell(
                privacy_sheet(visit.bot.people.preferences(visit.user), visit.bot.records_days, visit.words)
            )


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Privacy())
