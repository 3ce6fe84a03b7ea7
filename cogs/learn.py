"""/learn: a guided round, only for the person who asks."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.i18n import N_
from bot.present.lessons import FIRST_STEP, lesson_sheet
from bot.present.registry import PRESENTERS, TEACHER
from cogs.boundary import boundary


class Learn(commands.Cog):
    """The command /learn."""

    @app_commands.command(name="learn", description=N_("Learn one of the games in a short guided round"))
    async def learn(self, interaction: discord.Interaction[Any]) -> None:
        """Show the first step of the first game's lesson; its buttons lead on. Serves /learn."""
        async with boundary(interaction, "/learn") as visit:
            teacher = PRESENTERS[TEACHER]
            await visit.tell(lesson_sheet(teacher.game, teacher.lesson, FIRST_STEP, teacher.accent, visit.words))


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Learn())
