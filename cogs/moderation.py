"""/tables: the live tables of a server, for moderators."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.i18n import N_
from cogs.boundary import boundary
from cogs.moderation_clicks import tables_sheet


class Moderation(commands.Cog):
    """The command /tables."""

    @app_commands.command(name="tables", description=N_("Live tables of this server: end a game, ban someone"))
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_messages=True)
    async def tables(self, interaction: discord.Interaction[Any]) -> None:
        """Show the live tables of this server. Serves /tables."""
        async with boundary(interaction, "/tables") as visit:
            await visit.tell(await tables_sheet(visit, visit.moderated, 0))


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Moderation())
