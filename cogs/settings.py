"""/settings: what is chosen for a server."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.i18n import N_
from cogs.boundary import boundary
from cogs.setting_clicks import sheet


class Settings(commands.Cog):
    """The command /settings."""

    @app_commands.command(
        name="settings", description=N_("Language, channels, pace and more for the tables of this server")
    )
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    async def settings(self, interaction: discord.Interaction[Any]) -> None:
        """Show what is chosen for this server, and can be. Serves /settings."""
        async with boundary(interaction, "/settings") as visit:
            await visit.tell(await sheet(visit, visit.managed))


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Settings())
