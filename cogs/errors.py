"""Commands that cannot be: unknown ones, and ones in a form that we never offered (an old or a forged client)."""

from typing import Any

import discord
from discord import app_commands

from bot.client import Bot
from bot.refusals import Refusal, Why
from cogs.boundary import boundary


async def unknown_command(interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
    """Answer a command that discord.py could not match with one of ours; what goes wrong in ours is caught there."""
    async with boundary(interaction, "unknown command"):
        if isinstance(error, app_commands.CommandInvokeError):
            raise error
        raise Refusal(Why.NO_SUCH_COMMAND)


async def setup(bot: Bot) -> None:
    """Called by discord.py."""
    bot.tree.error(unknown_command)
