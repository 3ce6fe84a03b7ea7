"""The slash commands: where they are offered, their registration with Discord, and their names in every language."""

import asyncio
import logging
from collections.abc import Callable
from enum import Enum, auto
from typing import Any, Final, TypeVar

import aiohttp
import discord
from discord import app_commands

from bot.clock import Alarm, Clock
from bot.i18n import LOCALES, N_, SOURCE, words
from bot.log import fields

log = logging.getLogger(__name__)

COMMAND_NAMES: Final = (
    N_("/play"),
    N_("/daily"),
    N_("/game"),
    N_("/table"),
    N_("/show"),
    N_("/hand"),
    N_("/leave"),
    N_("/return"),
    N_("/end"),
    N_("/rules"),
    N_("/help"),
    N_("/language"),
    N_("/me"),
    N_("/learn"),
    N_("/replay"),
    N_("/verify"),
    N_("/record"),
    N_("/code"),
    N_("/deal"),
    N_("/message"),
    N_("/cut"),
    N_("/profile"),
    N_("/leaderboard"),
    N_("/privacy"),
    N_("/settings"),
    N_("/doctor"),
    N_("/tables"),
)
"""The keys of the names of commands, subcommands and options, for the translators."""
PUBLIC: Final = "public"
"""The key in the ``extras`` of a command whose answer everybody sees."""
SYNC_RETRY_MS: Final = 600_000

CommandT = TypeVar("CommandT")
"""What a decorator of commands takes and returns: a command, a group of commands, or the function that serves one."""


class Context(Enum):
    """A kind of place where Discord can offer a command.

    https://docs.discord.com/developers/interactions/application-commands#interaction-contexts
    """

    GUILD = auto()
    """The channels and threads of servers."""
    BOT_DM = auto()
    """The direct messages with the bot."""
    PRIVATE_CHANNEL = auto()
    """Group DMs, and the direct messages of two people."""


def offered_in(*contexts: Context) -> Callable[[CommandT], CommandT]:
    """Return a decorator for a command that makes Discord offer it in *contexts* (servers, direct messages, group DMs),
    and nowhere else.

    An app can be installed to a server or to an account. A command for servers alone needs the bot there, so it comes
    only with the installation to that server. Every other command comes with both. So a person who has the app in
    their account can use it in any server, also where the bot is not a member.

    https://docs.discord.com/developers/interactions/application-commands#installation-context
    """
    where = app_commands.allowed_contexts(
        guilds=Context.GUILD in contexts,
        dms=Context.BOT_DM in contexts,
        private_channels=Context.PRIVATE_CHANNEL in contexts,
    )
    installed = app_commands.allowed_installs(guilds=True, users=set(contexts) != {Context.GUILD})
    return lambda command: where(installed(command))


class Commands(app_commands.CommandTree[Any]):
    """The slash commands."""

    async def interaction_check(self, interaction: discord.Interaction[Any]) -> bool:
        """Return False if the command must not be carried out, because it is late and Discord takes no answer to it.
        discord.py calls this."""
        private = not (isinstance(interaction.command, app_commands.Command) and PUBLIC in interaction.command.extras)
        in_time: bool = await interaction.client.reconciler.deadlines.acknowledge_if_late(interaction, private=private)
        return in_time


class CommandRegistration:
    """Registers the commands in *tree* with Discord, in the background: tables are served meanwhile, even if it
    fails."""

    def __init__(self, tree: app_commands.CommandTree[Any], clock: Clock) -> None:
        self._tree = tree
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._retry: Alarm | None = None
        self.done = False
        """Whether Discord has taken the commands since the start."""

    def start(self) -> None:
        """Start a task that registers the commands with Discord, and retries every ten minutes until it has."""
        self._task = asyncio.get_running_loop().create_task(self._register_commands())

    def stop(self) -> None:
        """Stop registering, and do not try again."""
        if self._task is not None:
            self._task.cancel()
        if self._retry is not None:
            self._retry.cancel()

    async def _register_commands(self) -> None:
        """Register the slash commands with Discord, and set ``done``; if that fails, log it and try again in ten
        minutes."""
        try:
            await self._tree.sync()
            self.done = True
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.error("commands not registered; trying again later", extra=fields(error=error))
            self._retry = self._clock.call_at(self._clock.now() + SYNC_RETRY_MS, self.start)


class Translator(app_commands.Translator):
    """Gives Discord command names and descriptions in our languages; a name's key is "/" and the English name."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return a command's name or description (*string*) in the language of *locale*; ``None`` if there is no
        translation. discord.py calls this."""
        language = locale.value.split("-")[0]
        if language == SOURCE or language not in LOCALES:
            return None
        naming = context.location in (
            app_commands.TranslationContextLocation.command_name,
            app_commands.TranslationContextLocation.group_name,
            app_commands.TranslationContextLocation.parameter_name,
        )
        key = f"/{string.message}" if naming else string.message
        translated = words(language)(key)
        return None if translated == key else translated.removeprefix("/") if naming else translated
