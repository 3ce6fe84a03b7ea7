"""/play: open a table in this channel or thread."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.commands import PUBLIC
from bot.delivery.slots import TABLE
from bot.i18n import N_
from bot.present.registry import PRESENTERS
from bot.refusals import Refusal, Why
from cogs.boundary import boundary
from cogs.visit import Visit

GAMES = [
    app_commands.Choice(name=app_commands.locale_str(presenter.title), value=game)
    for game, presenter in PRESENTERS.items()
]

NEEDED = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "send_messages_in_threads": N_("Send Messages in Threads"),
}


def _check_permissions(visit: Visit) -> None:
    """Check that the bot can see this channel and write in it.

    Raises:
        Refusal: a permission is missing (named as Discord names it), this is no channel of a server, or the bot is not
            a member of the server (it was installed for its commands alone) or of the private thread.
    """
    interaction = visit.interaction
    if interaction.guild_id is None:
        raise Refusal(Why.NOT_A_SERVER)
    guild = visit.bot.get_guild(interaction.guild_id)
    if guild is None:
        raise Refusal(Why.NO_BOT_HERE)
    if interaction.channel is not None and interaction.channel.type is discord.ChannelType.private_thread:
        # Discord tells bots only of those private threads that they are in.
        known = guild.get_thread(visit.channel)
        if known is None or (known.me is None and not interaction.app_permissions.manage_threads):
            raise Refusal(Why.NOT_IN_THREAD)
    in_thread = isinstance(interaction.channel, discord.Thread)
    granted = interaction.app_permissions
    needed = ["view_channel", "send_messages_in_threads" if in_thread else "send_messages"]
    missing = [visit.words(NEEDED[name]) for name in needed if not getattr(granted, name)]
    if missing:
        raise Refusal(Why.BOT_LACKS, permissions=visit.words.all_of([f"**{name}**" for name in missing]))


class Play(commands.Cog):
    """The command /play."""

    @app_commands.command(
        name="play", description=N_("Open a table for a card game in this channel"), extras={PUBLIC: True}
    )
    @app_commands.describe(game=N_("Which game"))
    @app_commands.choices(game=GAMES)
    @app_commands.guild_only()
    async def play(self, interaction: discord.Interaction[Any], game: app_commands.Choice[str]) -> None:
        """Open a table of *game* in this channel and show its lobby. Serves /play."""
        async with boundary(interaction, "/play", private=False) as visit:
            _check_permissions(visit)
            assert interaction.guild_id is not None
            visit.table = await visit.bot.tables.open(
                guild=interaction.guild_id,
                channel=visit.channel,
                game=game.value,
                host=visit.player(),
                locale=await visit.public_locale(),
            )
            await visit.bot.reconciler.answers.answer_with_new_message(visit.table, TABLE, interaction, private=False)


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Play())
