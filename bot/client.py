"""The bot: the discord.py client, put together with store, tables and delivery."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

import discord
import yarl
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import set_aside
from bot.clock import Alarm, Clock, SystemClock
from bot.delivery import emojis
from bot.delivery.courier import Courier
from bot.delivery.reconciler import Reconciler
from bot.delivery.throttle import Throttle
from bot.i18n import LOCALES, N_, SOURCE, supported, words
from bot.log import fields
from bot.pictures import symbols
from bot.store.store import Store
from bot.tables import leaving
from bot.tables.fresh import fresh_seed
from bot.tables.model import Ending, Options, Table, TableId
from bot.tables.service import Tables

log = logging.getLogger(__name__)

EXTENSIONS: Final = (
    "cogs.play",
    "cogs.table",
    "cogs.rules",
    "cogs.language",
    "cogs.learn",
    "cogs.errors",
    "cogs.clicks",
)
INTENTS: Final = discord.Intents(guilds=True)
"""Guilds alone: clicks and commands come without any intent, and no privileged one is needed."""


COMMAND_NAMES: Final = (
    N_("/play"),
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
    N_("/learn"),
)
"""The keys of the names of commands, subcommands and options, for the translators."""
EMOJIS_AGAIN_MS: Final = 600_000
DISCORD_GATEWAY: Final = DiscordWebSocket.DEFAULT_GATEWAY


class Bot(commands.AutoShardedBot):
    """The discord.py client that serves tables. Cogs reach everything they need through it.

    *default_locale* is for people and servers whose language we do not have; *seeds* makes the secret of each game;
    *options* are those of new tables; with *drawings* cards are shown as emojis, which are uploaded. The other
    arguments are for tests: *clock*, *throttle* and *shard_count* (``None``: as many as Discord recommends).
    """

    def __init__(
        self,
        store: Store,
        *,
        default_locale: str = SOURCE,
        clock: Clock | None = None,
        seeds: Callable[[], bytes] = fresh_seed,
        options: Options = Options(),  # noqa: B008 - immutable
        shard_count: int | None = None,
        throttle: Throttle | None = None,
        drawings: bool = False,
    ) -> None:
        super().__init__(
            command_prefix=(),
            intents=INTENTS,
            help_command=None,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            shard_count=shard_count,
        )
        self.default_locale = default_locale
        self.clock = clock or SystemClock()
        self.store = store
        self.courier = Courier(self, throttle or Throttle())
        self.reconciler = Reconciler(store, self.courier, self.clock, self._dm_refused, self.channel_gone)
        self.tables = Tables(
            store,
            self.clock,
            self._table_changed,
            self.reconciler.restore,
            seeds=seeds,
            defaults=options,
            cut_off=lambda: bool(self._cut_off),
        )
        self._drawings = drawings
        """Whether cards are shown as the application's own emojis."""
        self._publishing: asyncio.Task[None] | None = None
        self._publish_again: Alarm | None = None
        self._cut_off: dict[int, int] = {}
        """Shard -> since when it has no connection to Discord, ms since 1970."""

    def _table_changed(self, table: Table) -> None:
        """Have the messages of *table* brought up to date."""
        self.reconciler.tell(table)

    async def _dm_refused(self, table: TableId, user: int, left: bool) -> None:
        """Note that *user* takes no direct messages; if they have *left* the server, a computer player takes over."""
        await self.tables.update_player(table, user, by_dm=False)
        if left:
            await self.tables.change(table, "gone", user, lambda t: leaving.left_server(t, user))

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that clicks cannot reach us: no turn limit acts from now on. discord.py calls this."""
        self._cut_off.setdefault(shard_id, self.clock.now())

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that clicks reach us again. discord.py calls this when a session goes on."""
        await self._end_outage(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Note that clicks reach us again, and close the tables of servers that removed us meanwhile.

        discord.py calls this when a new session begins: what was clicked since the old one is lost.
        """
        await self._end_outage(shard_id)
        await self._close_tables_of_lost_guilds(shard_id)

    async def _end_outage(self, shard_id: int) -> None:
        """Credit the time since the shard's connection was lost, if it was, to every running turn."""
        since = self._cut_off.pop(shard_id, None)
        if since is not None:
            await self.tables.was_cut_off(since)

    async def on_ready(self) -> None:
        """Tell channels whose table cannot be read. discord.py calls this when all servers are known, maybe again."""
        await set_aside.tell_channels(self.store, self.courier, self.clock, self._locale_of)

    async def _locale_of(self, channel: int) -> str:
        """What tables in *channel* speak: what moderators chose, else the server's language, as far as it is known."""
        guild = getattr(self.get_channel(channel), "guild", None)
        if guild is None:
            return self.default_locale
        chosen = await self.store.guild_locale(guild.id)
        return chosen or supported(guild.preferred_locale.value, self.default_locale)

    async def _close_tables_of_lost_guilds(self, shard_id: int) -> None:
        """Close the tables of those servers of this shard that we are not in any more."""
        for table in self.tables.live_of():
            if (table.guild >> 22) % (self.shard_count or 1) == shard_id and self.get_guild(table.guild) is None:
                await self._close(table)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close the tables of the server that we were removed from. discord.py calls this."""
        for table in self.tables.live_of(guild=guild.id):
            await self._close(table)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the table of the deleted *channel*. discord.py calls this; threads under it are reported by
        themselves."""
        await self.channel_gone(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the table of a deleted thread. discord.py calls this."""
        await self.channel_gone(payload.thread_id)

    async def channel_gone(self, channel: int) -> None:
        """Close the table of *channel*, which does not exist any more, if it has one."""
        for table in self.tables.live_of(channel=channel):
            await self._close(table)

    async def _close(self, table: Table) -> None:
        """End the game at *table*, since we cannot stay in its channel."""
        await self.tables.change(table.id, "close", None, lambda t: leaving.close(t, Ending.REMOVED))

    async def setup_hook(self) -> None:
        """Register the commands and take over every live table. discord.py calls this once, before it connects."""
        await self.tree.set_translator(Translator())
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        await self.tree.sync()
        if self.shard_count is None and DiscordWebSocket.DEFAULT_GATEWAY != DISCORD_GATEWAY:
            # With the number of shards known, discord.py connects to DEFAULT_GATEWAY, not to what the API names.
            self.shard_count, _, _ = await self.http.get_bot_gateway()
        if self._drawings:
            symbols.use(await emojis.known(self.courier))
            self._start_publishing()
        live = await self.tables.resume()
        log.info("ready", extra=fields(live_tables=live))

    async def _publish(self) -> None:
        """Upload missing emojis and delete obsolete ones, then redraw the messages of live tables if any emoji has
        changed.

        If Discord does not take all of them, try again after ten minutes.
        """
        published = None
        try:
            published = await emojis.publish(self.courier)
        except Exception:  # the boundary of this task: a bug must not stop the uploads for ever
            log.exception("emojis not published")
        if published is not None and symbols.use(published.emojis):
            self.reconciler.redraw(self.tables.live_of())
        if published is None or not published.complete:
            self._publish_again = self.clock.call_at(self.clock.now() + EMOJIS_AGAIN_MS, self._start_publishing)

    def _start_publishing(self) -> None:
        """Upload the emojis in a task of its own."""
        self._publishing = asyncio.get_running_loop().create_task(self._publish())

    async def close(self) -> None:
        """Finish the work in hand, then disconnect. The store stays open."""
        if self._publishing is not None:
            self._publishing.cancel()
        if self._publish_again is not None:
            self._publish_again.cancel()
        await self.tables.stop()
        await self.reconciler.stop()
        await super().close()


class Translator(app_commands.Translator):
    """Gives Discord command names and descriptions in our languages; a name's key is "/" and the English name."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """*string* in *locale*; ``None`` if we have no translation. discord.py calls this for every command."""
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


def use_servers(api_url: str, gateway_url: str | None) -> None:
    """Make discord.py talk to the Discord-compatible server at these addresses, in the whole process.

    *gateway_url* ``None``: to the gateway that the API names.
    """
    Route.BASE = api_url
    if gateway_url is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)


def bot_of(client: Any) -> Bot:
    """*client*, the client of an interaction, as the ``Bot`` that it is."""
    assert isinstance(client, Bot)
    return client
