"""Commands that we do not have, or not in that form, as from an old or a forged client."""

from typing import Any

import discord
from discord import app_commands

from bot.client import Bot
from bot.refusals import Refusal, Why
from cogs.boundary import boundary


async def unknown_command(interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
    """Answer a command that failed before any code of ours ran, such as an unknown one. discord.py calls this.

    Errors in our own commands are answered by their ``boundary``; one that still gets here is a bug.
    """
    async with boundary(interaction, "unknown command"):
        if isinstance(error, app_commands.CommandInvokeError):
            raise error
        raise Refusal(Why.NO_SUCH_COMMAND)


async def setup(bot: Bot) -> None:
    """Make ``unknown_command`` answer failed commands. discord.py calls this when it loads the extension."""
    bot.tree.error(unknown_command)
