"""The bot: the discord.py client, put together with store, tables and delivery."""

import logging
from collections.abc import Callable
from typing import Any, Final

import discord
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import set_aside
from bot.clock import Clock, SystemClock
from bot.commands import Commands, Registration, Translator
from bot.delivery import emojis
from bot.delivery.courier import Courier
from bot.delivery.emojis import Publishing
from bot.delivery.reconciler import Reconciler
from bot.delivery.throttle import Throttle
from bot.delivery.traffic import Traffic
from bot.i18n import SOURCE, supported
from bot.log import fields
from bot.odd_events import guard_against_odd_events
from bot.people import People
from bot.pictures import symbols
from bot.refusals import Refusal
from bot.results.counting import Counting
from bot.store.store import Store
from bot.store.upkeep import Upkeep
from bot.tables import dealing, leaving
from bot.tables.fresh import fresh_seed
from bot.tables.limits import Limits
from bot.tables.model import Ending, Table, TableId
from bot.tables.options import Options
from bot.tables.service import Tables

log = logging.getLogger(__name__)

COGS: Final = (
    *("play", "table", "rules", "language", "me", "learn"),
    *("replays", "verify", "results", "privacy", "errors", "clicks"),
)
INTENTS: Final = discord.Intents(guilds=True)
"""Guilds alone: clicks and commands come without any intent, and no privileged one is needed."""

DISCORD_API: Final = Route.BASE
DISCORD_GATEWAY: Final = DiscordWebSocket.DEFAULT_GATEWAY

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
"""At every start discord.py would warn that voice is not supported, which looks like a fault to whoever hosts it."""


class Bot(commands.AutoShardedBot):
    """The discord.py client that serves tables. Cogs reach everything they need through it.

    *default_locale* is for people and servers whose language we do not have; *seeds* makes the secret of each game;
    *options* are those of new tables; *limits* are what one person or server may take up;
    *records_days* is how long records are kept (0: for ever); with *drawings* cards are shown as emojis, which are
    uploaded. The other arguments are for tests: *clock*, *throttle* and *shard_count* (``None``: as many as Discord
    recommends).
    """

    def __init__(
        self,
        store: Store,
        *,
        default_locale: str = SOURCE,
        clock: Clock | None = None,
        seeds: Callable[[], bytes] = fresh_seed,
        options: Options = Options(),  # noqa: B008 - immutable
        limits: Limits = Limits(),  # noqa: B008 - immutable
        records_days: int = 0,
        shard_count: int | None = None,
        throttle: Throttle | None = None,
        drawings: bool = False,
    ) -> None:
        self.clock = clock or SystemClock()
        traffic = Traffic(self.clock)
        super().__init__(
            command_prefix=(),
            tree_cls=Commands,
            http_trace=traffic.trace,
            intents=INTENTS,
            help_command=None,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            shard_count=shard_count,
        )
        self.default_locale = default_locale
        self.store = store
        self.people = People(store)
        self.records_days = records_days
        self.courier = Courier(self, throttle or Throttle(), self.clock, traffic)
        self.reconciler = Reconciler(
            store,
            self.courier,
            self.clock,
            self.people,
            self._dm_refused,
            self.channel_gone,
            lambda found: self.tables.set_aside(found),
            self._deal,
        )
        self.tables = Tables(
            store,
            self.clock,
            self._table_changed,
            self.reconciler.restore,
            seeds=seeds,
            defaults=options,
            limits=limits,
            cut_off=lambda: bool(self._cut_off),
            on_set_aside=self._set_aside,
        )
        self._counting = Counting(store, self.clock)
        self._upkeep = Upkeep(store, self.clock, records_days, self._needed, self._counting)
        self.drawings = Publishing(self.courier, self.clock, self._redraw) if drawings else None
        """Publishes the drawings of cards as the application's own emojis; ``None``: cards are shown as text."""
        if self.drawings is not None:
            self.courier.simplified = self.drawings.look_again
        self._registration = Registration(self.tree, self.clock)
        self._cut_off: dict[int, int] = {}
        """Shard -> since when it has no connection to Discord, ms since 1970."""

    def _redraw(self) -> None:
        """Have the messages of live tables brought up to date, as the emojis have changed."""
        self.reconciler.redraw(self.tables.live_of())

    def _needed(self) -> set[TableId]:
        """The tables that are over, but whose rematch is being prepared or played."""
        return {table.rematch_of for table in self.tables.live_of() if table.rematch_of is not None}

    def _table_changed(self, table: Table) -> None:
        """Have the messages of *table* brought up to date, and its record counted if it is over."""
        self.reconciler.tell(table)
        if not table.live:
            self._counting.wake()

    async def _dm_refused(self, table: TableId, user: int, left: bool) -> None:
        """Note that *user* takes no direct messages; if they have *left* the server, a computer player takes over."""
        await self.tables.update_player(table, user, by_dm=False, refuses_dms=True)
        if left:
            await self.tables.change(table, "gone", user, lambda t: leaving.left_server(t, user))

    async def _deal(self, table: TableId, message: int) -> None:
        """Deal the cards of *table*, whose message is *message*."""
        try:
            await self.tables.change(table, "deal", None, lambda t: dealing.deal(t, message, self.clock.now()))
        except Refusal as no:  # it was set aside meanwhile
            log.info("not dealt", extra=fields(table=table, why=no))

    async def _set_aside(self, table: TableId) -> None:
        """Leave the messages of *table*, which was set aside, as they are, and tell its channel."""
        self.reconciler.forget(table)
        await self._tell_channels()

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that clicks cannot reach us: no turn limit acts from now on. discord.py calls this."""
        self._cut_off.setdefault(shard_id, self.clock.now())

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that clicks reach us again. discord.py calls this when a session goes on."""
        self._end_outage(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Note that clicks reach us again, and close the tables of servers that removed us meanwhile.

        discord.py calls this when a new session begins: what was clicked since the old one is lost.
        """
        self._end_outage(shard_id)
        await self._close_tables_of_lost_guilds(shard_id)

    def _end_outage(self, shard_id: int) -> None:
        """Credit the time since the shard's connection was lost, if it was, to every running turn."""
        since = self._cut_off.pop(shard_id, None)
        if since is not None:
            self.tables.was_cut_off(since)

    async def on_ready(self) -> None:
        """Tell channels whose table is set aside. discord.py calls this when all servers are known, maybe again."""
        await self._tell_channels()

    async def _tell_channels(self) -> None:
        """Tell channels whose table is set aside."""
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

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Try again what we were not allowed to do in that server. discord.py calls this."""
        self.reconciler.access_changed(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Try again what we were not allowed to do in that server. discord.py calls this."""
        self.reconciler.access_changed(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Try again what we were not allowed to do in that server; without more intents this is about ourselves.
        discord.py calls this."""
        self.reconciler.access_changed(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Try again what could not be done in a thread that was archived or locked. discord.py calls this."""
        self.reconciler.access_changed(payload.guild_id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Try again what we were not allowed to do in that server. discord.py calls this."""
        self.reconciler.access_changed(guild.id)

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
        for name in COGS:
            await self.load_extension(f"cogs.{name}")
        guard_against_odd_events(self)
        self._registration.start()
        servers = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
        if self.shard_count is None and servers != (DISCORD_API, DISCORD_GATEWAY):
            # With the number of shards known, discord.py connects to DEFAULT_GATEWAY, not to what the API names; and
            # every session after the first begins there.
            self.shard_count, url, _ = await self.http.get_bot_gateway()
            if DiscordWebSocket.DEFAULT_GATEWAY == DISCORD_GATEWAY:
                DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)
        if self.drawings is not None:
            symbols.use(await emojis.known(self.courier))
            self.drawings.start()
        await self.people.load()
        live = await self.tables.resume()
        self._upkeep.start()
        log.info("ready", extra=fields(live_tables=live))

    async def close(self) -> None:
        """Finish the work in hand, then disconnect. The store stays open."""
        if self.drawings is not None:
            self.drawings.stop()
        self._registration.stop()
        await self._upkeep.stop()
        await self.tables.stop()
        await self.reconciler.stop()
        await super().close()


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
