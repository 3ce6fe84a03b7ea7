"""/me: what somebody chooses for themselves, for all servers."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.i18n import N_
from bot.present.preferences import preferences_sheet
from cogs.boundary import boundary


class Me(commands.Cog):
    """The command /me."""

    @app_commands.command(name="me", description=N_("My language, my hand, when I am told of my turn"))
    async def me(self, interaction: discord.Interaction[Any]) -> None:
        """Show the person what they have chosen for themselves, and can choose. Serves /me."""
        async with boundary(interaction, "/me") as visit:
            await visit.tell(preferences_sheet(visit.bot.people.preferences(visit.user), await visit.words_here()))


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Me())
