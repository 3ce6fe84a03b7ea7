"""The bot: the discord.py client that connects store, tables and delivery."""

import asyncio
import logging
import os
import threading
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import aiohttp
import discord
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket, KeepAliveHandler
from discord.http import Route

from bot.background import Background
from bot.choices import People, Servers
from bot.clock import Clock, SystemClock
from bot.cluster.shards import HeldShards
from bot.commands import CommandRegistration, Commands, Translator
from bot.config import BadSetting
from bot.delivery import emojis
from bot.delivery.channels import MissingChannels, TableThreads
from bot.delivery.day_boards import DayBoards
from bot.delivery.discord_api import DiscordApi
from bot.delivery.emojis import EmojiUploader
from bot.delivery.errors import Busy, Fault, converting_errors_to_faults
from bot.delivery.limits import Throttle, Traffic
from bot.delivery.reconciler import Reconciler
from bot.events import Events, TableChanges, guard_against_malformed_events, replace_interaction_parser, track_servers
from bot.gateway import SessionBudget, Sessions
from bot.i18n import SOURCE
from bot.interactions import Interactions, Place, channel_place_from_cache
from bot.log import fields
from bot.metrics import Metrics
from bot.store.backup import BackupPlan, BackupScheduler
from bot.store.changes import Announcement
from bot.store.counting import RecordCounter
from bot.store.maintenance import StoreMaintenance
from bot.store.store import Store
from bot.tables import leaving, start
from bot.tables.errors import Refusal
from bot.tables.limits import Limits
from bot.tables.model import Table, TableId, new_secret
from bot.tables.options import Options
from bot.tables.outages import Outage
from bot.tables.service import Tables
from bot.tables.shards import AllShards
from bot.ui.pictures import symbols

# Waiting for servers that cannot be reached yet: after a start of the machine the network, Discord or the database may
# be available later than the bot.


T = TypeVar("T")

log = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS: Final = 1.0
MAX_PAUSE_SECONDS: Final = 30.0
"""The longest pause between two attempts. Each pause is twice as long as the one before, up to this."""
LOG_INTERVAL_SECONDS: Final = 300.0
"""How often the log says that the bot still waits."""
TEMPORARY_STATUSES: Final = (403, 429)
"""Statuses below 500 with which Discord, or the firewall before it, refuses everything for a while."""
AUTHENTICATION_FAILED: Final = 4004
"""https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes"""
STABLE_SECONDS: Final = 60.0
"""After an attempt that lasted this long, the pauses are short again."""


class NotReached(Exception):
    """A server cannot be reached now; the text says which one, and why, in one line without secrets."""


def failure_reason(error: BaseException) -> str:
    """Return in one line, without secrets, why a server does not answer: the system's text for the error number of
    *error*, else its first line.

    >>> failure_reason(ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 9)"))
    'Connection refused'
    """
    behind = getattr(error, "os_error", error)
    number = getattr(behind, "errno", None)
    if number is not None and number > 0:
        return os.strerror(number)
    said = getattr(behind, "strerror", None) or str(behind)
    return said.splitlines()[0] if said else type(error).__name__


@contextmanager
def translate_discord_errors(api_url: str) -> Iterator[None]:
    """Context manager: turn discord.py's exceptions into NotReached if Discord cannot be reached or is overloaded, or
    into BadSetting if the token was changed meanwhile or *api_url* is not Discord's; LoginFailure passes.

    Raises:
        BadSetting: the server that answers is not Discord, or the token was changed while the bot ran.
    """
    try:
        yield
    except discord.LoginFailure:
        raise
    except discord.ConnectionClosed as error:
        if error.code != AUTHENTICATION_FAILED:
            raise
        remedy = "Discord does not accept this token any more; set the new one"
        raise BadSetting("DISCORD_TOKEN", None, remedy) from None
    except (aiohttp.ClientConnectionError, TimeoutError) as error:
        raise NotReached(f"Discord cannot be reached at {api_url}: {failure_reason(error)}") from None
    except discord.GatewayNotFound:
        raise NotReached(f"Discord does not name its gateway at {api_url}") from None
    except discord.HTTPException as error:
        if error.status >= 500 or error.status in TEMPORARY_STATUSES:
            raise NotReached(f"Discord has no time for us at {api_url}: status {error.status}") from None
        raise BadSetting("DISCORD_API_URL", api_url, f"this is not Discord's API (status {error.status})") from None


async def retry_until_reached(
    attempt: Callable[[], Awaitable[T]], stop: asyncio.Event, note: Callable[[str], None] = lambda why: None
) -> T | None:
    """Call *attempt* until it does not raise NotReached, with growing pauses, and return its result; ``None`` once
    *stop* is set.

    *note* is called with what is waited for; with an empty text when nothing is waited for any more.

    Raises:
        Exception: any other error of *attempt*, at once.
    """
    loop = asyncio.get_running_loop()
    pause, said, said_at = FIRST_PAUSE_SECONDS, "", 0.0
    while not stop.is_set():
        began = loop.time()
        try:
            note("")
            return await attempt()
        except NotReached as no:
            reason, now = str(no), loop.time()
        note(reason)
        if now - began > STABLE_SECONDS:
            pause, said = FIRST_PAUSE_SECONDS, ""
        if reason != said or now - said_at >= LOG_INTERVAL_SECONDS:
            log.warning("%s; waiting until it answers", reason)
            said, said_at = reason, now
        try:
            await asyncio.wait_for(stop.wait(), pause)
        except TimeoutError:
            pause = min(2 * pause, MAX_PAUSE_SECONDS)
    return None


async def run_unless_stopped(stop: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """Run *work* and return its result; if *stop* is set first, cancel *work* and return ``None``."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        stopping.cancel()
        working.cancel()
        await asyncio.wait({working})


MAX_RATE_LIMIT_SECONDS: Final = 30.0
"""How long discord.py may wait for a rate limit within a request: the least that it accepts. ``Traffic`` allows
less."""
INTENTS: Final = discord.Intents(guilds=True)
"""Guilds alone: clicks and commands come without any intent, and no privileged one is needed."""

DISCORD_API: Final = Route.BASE
DISCORD_GATEWAY: Final = DiscordWebSocket.DEFAULT_GATEWAY

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
"""At every start discord.py would warn that voice is not supported, which looks like a fault to whoever hosts it."""


class Bot(commands.AutoShardedBot):
    """The discord.py client that serves tables. It creates and connects store, tables, delivery and commands; cogs
    reach everything through it.

    *default_locale* is for people and servers whose language we do not have; *seeds* makes the secret of each game;
    *options* are those of new tables; *limits* are what one person or server may take up; *records_days* is how long
    records are kept (0: for ever); *backups* is where copies of the store go (``None``: nowhere); with *drawings* cards
    are shown as emojis, which are uploaded; *metrics* count what is done; *shards* are those that this process holds,
    if it is one of several. The other arguments are for tests: *clock*, *throttle* and *shard_count* (``None``: as many
    as Discord recommends).
    """

    def __init__(
        self,
        store: Store,
        *,
        default_locale: str = SOURCE,
        clock: Clock | None = None,
        seeds: Callable[[], bytes] = new_secret,
        options: Options = Options(),  # noqa: B008 - immutable
        limits: Limits = Limits(),  # noqa: B008 - immutable
        records_days: int = 0,
        backups: BackupPlan | None = None,
        shard_count: int | None = None,
        throttle: Throttle | None = None,
        drawings: bool = False,
        metrics: Metrics | None = None,
        shards: HeldShards | None = None,
    ) -> None:
        self.clock = clock or SystemClock()
        self.metrics = metrics or Metrics()
        self.throttle = throttle or Throttle()
        self.shards_held: HeldShards | AllShards = shards or AllShards()
        self.traffic = Traffic(self.clock, self.metrics, self.throttle, self.shards_held)
        super().__init__(
            command_prefix=(),
            tree_cls=Commands,
            http_trace=self.traffic.trace,
            intents=INTENTS,
            help_command=None,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            shard_count=shard_count,
            max_ratelimit_timeout=MAX_RATE_LIMIT_SECONDS,
        )
        self.default_locale = default_locale
        self.store = store
        self.people = People(store)
        self.servers = Servers(store)
        self.judging = asyncio.Lock()
        """Held while the coach judges a game, which takes long: one at a time."""
        self.limits = limits
        self.records_days = records_days
        self.api = DiscordApi(self, self.throttle, self.clock, self.traffic, self.metrics, self.shards_held)
        self.reconciler = Reconciler(
            store,
            self.api,
            self.clock,
            self.people,
            self._handle_refused_dm,
            lambda channel: self.missing_channels.check_later(channel),
            lambda found: self.tables.quarantine(found),
            self._deal_cards,
            lambda table, began: self.tables.restart_turn_time_if_offered_late(table, began, self.clock.now()),
            self._record_unwritable_channel,
            limits.new_dms,
            self.shards_held,
        )
        self.missing_channels = MissingChannels(
            self.api,
            self.clock,
            self._channel_may_exist,
            lambda channel: self.changes.close_channel_table(channel),
        )
        self.tables = Tables(
            store,
            self.clock,
            self._show_changed_table,
            self.reconciler.take_over,
            seeds=seeds,
            defaults=options,
            limits=limits,
            cut_off=self._are_clicks_cut_off,
            is_offered=self.reconciler.is_turn_shown,
            may_be_deaf=self._renew_sessions_if_deaf,
            on_set_aside=self._handle_quarantined_table,
            metrics=self.metrics,
            shards=self.shards_held,
        )
        self.traffic.availability.on_outage = lambda began, ended: self.tables.add_outage(
            Outage(began, ended), refused=True
        )
        self._counting = RecordCounter(store, self.clock)
        self.day_boards = DayBoards(
            store, self.api, self.clock, self.shards_held, lambda channel: self.events.channel_locale(channel)
        )
        self._upkeep = StoreMaintenance(store, self.clock, records_days, self._counting)
        self._backups = BackupScheduler(backups, self.clock)
        self.drawings = EmojiUploader(self.api, self.clock, self._redraw_for_emojis) if drawings else None
        """Uploads the drawings of cards as the application's own emojis; ``None``: cards are shown as text."""
        if self.drawings is not None:
            self.api.simplified = self.drawings.recheck
        self.registration = CommandRegistration(self.tree, self.clock)
        self.sessions = Sessions(
            self.clock, self._fetch_session_budget, self._renew_session, self._extend_turns_by_lost_time
        )
        self.own_threads = TableThreads(self.api, self.clock, store.live_table_in_channel)
        self.changes = TableChanges(self)
        self.interactions: Interactions
        self._background = Background(log, "what follows from a shard failed")
        self._sessions_ready: dict[int, asyncio.Event] = {}
        """Shard -> set when its session is READY and its servers are known."""
        self._launching: dict[int, asyncio.Task[None]] = {}
        self.events = Events(self)

    def _are_clicks_cut_off(self) -> bool:
        """Whether clicks cannot reach the bot now: Discord takes no requests, or a shard of this process has no
        connection."""
        if self.traffic.availability.down_since is not None:
            return True
        return bool(self.events.lost_shard_count)

    @property
    def has_interactions_url(self) -> bool:
        """Whether an Interactions Endpoint URL is set in the Developer Portal, so that Discord sends interactions there
        and none to the bot.

        https://discord.com/developers/docs/interactions/overview#configuring-an-interactions-endpoint-url
        """
        return self.application is not None and bool(self.application.interactions_endpoint_url)

    @property
    def server_count(self) -> int:
        """How many servers the bot is in, including (approximately) those of shards that other processes hold."""
        said = self.application.approximate_guild_count if self.application is not None else 0
        return max(len(self.guilds), said)

    async def _redraw_for_emojis(self) -> None:
        """Update the messages of live tables, because the emojis have changed, and announce that to the other
        processes."""
        self.reconciler.redraw(await self.tables.all_live_tables())
        await self.store.announce_change("emojis")

    async def reload_emojis(self) -> None:
        """Ask Discord for the emojis that exist now; if they have changed, update the messages of live tables."""
        if self.drawings is not None and symbols.set_application_emojis(await emojis.fetch_existing_emojis(self.api)):
            self.reconciler.redraw(await self.tables.all_live_tables())

    def shard_of(self, guild: int) -> int:
        """Return the number of the shard that the server *guild* belongs to.

        https://discord.com/developers/docs/events/gateway#sharding
        """
        return (guild >> 22) % (self.shard_count or 1)

    def _show_changed_table(self, table: Table) -> None:
        """Update the messages of *table*, a new version; if it is over, also have its record counted, and archive its
        own thread later."""
        self.reconciler.update_table(table)
        if not table.live:
            if self.shards_held.has_chores:  # else whoever has them looks what there is to count
                self._counting.start_stats_update()
            self.own_threads.archive_later(table)

    async def _handle_refused_dm(self, table: TableId, user: int, just_now: bool) -> None:
        """Record at *table* that *user* takes no direct messages; if Discord refused one *just_now* and they have left
        the server, a computer plays on."""
        try:
            found = await self.tables.update_player(table, user, by_dm=False, refuses_dms=True)
            if just_now and not await self.api.is_member(found.guild, user):
                await self.tables.change(table, "gone", user, lambda t: leaving.leave_game_if_playing(t, user))
        except Refusal as no:  # it was set aside or handed over meanwhile
            log.info("refused direct messages are not noted", extra=fields(table=table, why=no))
        except Fault as fault:
            log.info("nobody knows whether they are a member", extra=fields(table=table, fault=type(fault).__name__))

    def _channel_may_exist(self, channel: int) -> bool:
        """Whether *channel*, that of a live table, is in the bot's cache, or may exist because its server has an
        outage; False: ask Discord."""
        table = self.tables.taken_over_table_in_channel(channel)
        guild = self.get_guild(table.guild) if table is not None else None
        return guild is not None and (guild.unavailable or guild.get_channel_or_thread(channel) is not None)

    async def _deal_cards(self, table: TableId, message: int) -> None:
        """Deal the cards of *table* with the id of its table message (*message*), from which they follow too, and save
        that; log a Refusal."""
        try:
            await self.tables.change(table, "deal", None, lambda t: start.deal_cards(t, message, self.clock.now()))
        except Refusal as no:  # it was set aside meanwhile
            log.info("not dealt", extra=fields(table=table, why=no))

    async def _record_unwritable_channel(self, table: TableId) -> None:
        """Record at *table*, where *Start* was pressed, that Discord does not let the bot write in its channel; log a
        Refusal."""
        try:
            await self.tables.change(table, "start refused", None, start.with_start_blocked_by_permissions)
        except Refusal as no:  # it was set aside meanwhile
            log.info("a refused start is not noted", extra=fields(table=table, why=no))

    def place_of_interaction(self, interaction: discord.Interaction[Any]) -> Place:
        """Return whether the bot is in the server and thread of *interaction*, and the ids of its channel, parent and
        category."""
        return channel_place_from_cache(self, interaction.guild_id, interaction.channel_id or 0)

    async def _handle_quarantined_table(self, table: TableId) -> None:
        """Stop updating the messages of *table*, which was set aside as damaged, and announce that in its channel."""
        self.metrics.count_quarantined_table()
        self.reconciler.abandon_damaged_table(table)
        await self.events.notify_of_quarantined_tables()

    async def setup_hook(self) -> None:
        """Load the cogs and the store's data, join the other processes, and begin to serve tables. discord.py calls
        this once, before it connects."""
        await self.tree.set_translator(Translator())
        await self.load_extension("cogs.router")
        replace_interaction_parser(self, self._make_interaction_handler)
        track_servers(self, self.events.named, self.shard_of)
        guard_against_malformed_events(self)
        servers = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
        if self.shard_count is None and servers != (DISCORD_API, DISCORD_GATEWAY):
            # With the number of shards known, discord.py connects to DEFAULT_GATEWAY, not to what the API names; and
            # every session after the first begins there.
            self.shard_count, _ = await self.fetch_recommended_shards()
        if self.drawings is not None:
            symbols.set_application_emojis(await emojis.fetch_existing_emojis(self.api))
        await self.people.load()
        if self.shards_held.first is not None:
            recommended, self.shards_held.concurrency = await self.fetch_recommended_shards()
            assert self.application_id is not None
            await self.shards_held.join_cluster(self, self.application_id, recommended)
            self.shard_count = self.shards_held.count
        await self.tables.start_tracking_uptime_and_outages(others=self.shards_held.others)
        await self.shards_held.start(self)

    def _make_interaction_handler(self, enter: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Create ``interactions`` and return its ``handle``, which gets every interaction from the gateway first;
        *enter* is discord.py's own parser."""
        self.interactions = Interactions(
            enter,
            self.shards_held,
            self.clock,
            self.tables.guild_of,
            self.store.guild_of_table,
            lambda guild: self.sessions.record_interaction(self.shard_of(guild)),
            self._background.spawn,
        )
        return self.interactions.handle

    # The methods of a ``Serving``, which follows the shards that this process holds

    async def open_shard(self, shard: int) -> None:
        """Begin a gateway session for *shard* if there is none, and wait until it is READY and its servers are
        known."""
        ready = self._sessions_ready.setdefault(shard, asyncio.Event())
        if not ready.is_set() and shard not in (self.shards_held.first or ()) and shard not in self._launching:
            self._launching[shard] = asyncio.get_running_loop().create_task(
                self._launch_session(shard), name=f"shard {shard}"
            )
        await ready.wait()

    async def _launch_session(self, shard: int) -> None:
        """Begin a gateway session of *shard*, once the first shards of this process are ready."""
        await self.wait_until_ready()
        if self.shard_ids:
            # discord.py has this very list, and waits until all shards in it are ready together; it would begin anew
            # with every shard that comes, and forget those that are not ready yet.
            self.shard_ids.clear()
        await self.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, shard)

    def wants_session(self, shard: int) -> bool:
        """Whether this process still wants a gateway session of *shard*: it is one of the first, or was opened and not
        closed."""
        first = self.shards_held.first
        return first is None or shard in first or shard in self._sessions_ready

    async def on_shard_ready(self, shard_id: int) -> None:
        """Record that the session of the shard is READY, or end it if it is not wanted any more. discord.py calls
        this."""
        if self.wants_session(shard_id):
            self._sessions_ready.setdefault(shard_id, asyncio.Event()).set()
        else:  # it was closed while it was connecting again
            await self.close_shard(shard_id)

    async def close_shard(self, shard: int) -> None:
        """End the gateway session of *shard*, or stop beginning it; its outages are forgotten."""
        self._sessions_ready.pop(shard, None)
        if (launching := self._launching.pop(shard, None)) is not None:
            launching.cancel()
        if (found := self.get_shard(shard)) is not None:
            await found.disconnect()
        self.events.forget_outage(shard)
        log.info("shard closed", extra=fields(shard=shard))

    async def serve_shards(self, shards: Collection[int] | None, since: int | None = None) -> None:
        """Take over the tables of *shards* (``None``: all); credit the time since *since* (ms), in which nobody has
        served them, to running turns."""
        if since is not None:
            self.tables.uptime.add_outage(Outage(since, self.clock.now()))
            for shard in shards or ():
                if not self._sessions_ready.setdefault(shard, asyncio.Event()).is_set():
                    self.events.record_shard_outage(shard, since)
        self.servers.drop_cached()
        live = await self.tables.take_over_shards(shards, self.shard_count or 1)
        log.debug("tables taken", extra=fields(live_tables=live))
        for shard in shards or ():
            if self._sessions_ready.setdefault(shard, asyncio.Event()).is_set():
                self._background.spawn(self.events.close_tables_of_lost_servers(shard))
        if self.is_ready():
            self._background.spawn(self.events.notify_of_quarantined_tables())
            self.day_boards.start_updates()

    async def release_shards(self, shards: Collection[int]) -> None:
        """Stop serving the tables of *shards*: finish the work on them, save what is only in memory, and forget
        them."""
        await self.tables.release_shards(shards, self.shard_count or 1)
        await self.reconciler.hand_over_to_other_process(lambda table: self.shard_of(table.guild) in shards)

    def edit_messages_again(self, shards: Collection[int]) -> None:
        """Edit all messages of the tables of *shards* again, even if they seem up to date."""
        self.reconciler.force_redraw(
            [table for table in self.tables.live_tables_in_memory() if self.shard_of(table.guild) in shards]
        )

    def answer_kept_clicks(self) -> None:
        """Answer those interactions, kept for two seconds at most, that this process has come to serve."""
        self.interactions.answer_kept_interactions()

    async def start_or_stop_chores(self, mine: bool) -> None:
        """Start (*mine*) or stop (not *mine*) the chores: backups, uploads and other work that only one process does
        for all."""
        await (self._start_chores() if mine else self._stop_chores())

    @property
    def may_begin_sessions(self) -> bool:
        """Whether Discord allows at least 50 more gateway sessions today, enough to begin some that are not necessary;
        True if unknown."""
        return self.sessions.budget is None or not self.sessions.budget.used_up

    def set_rate_limit_share(self, members: int) -> None:
        """Use only one of *members* equal shares of Discord's request limits, because so many processes share them."""
        self.throttle.share_limit(members)
        self.traffic.share_invalid_limit(members)
        self.api.opening.share_limit(members)

    def handle_announcement(self, change: Announcement) -> None:
        """Apply *change*, announced by another process: load a table, a person's preferences or emojis, or forget an
        erased person."""
        self.changes.apply_change_from_other_process(change)

    async def reload_settings_and_preferences(self) -> None:
        """Load the preferences again and forget the server settings, which other processes may have changed, and apply
        what differs."""
        await self.changes.reload_preferences_and_settings()

    # Sessions

    async def _fetch_session_budget(self) -> SessionBudget:
        """Ask Discord how many gateway sessions may still be begun today, and until when; or raise a ``Fault``."""
        try:
            with converting_errors_to_faults():
                _, _, limit = await self.http.get_bot_gateway()
        except discord.GatewayNotFound as error:  # what discord.py makes of every refusal
            raise Busy from error
        return SessionBudget(limit["remaining"], self.clock.now() + limit["reset_after"])

    async def _renew_session(self, shard: int) -> None:
        """Replace the gateway session of *shard*, if there is one, by a new one."""
        found = self.get_shard(shard)
        if found is not None:
            await found.reconnect()

    def _extend_turns_by_lost_time(self, began: int, ended: int) -> None:
        """Add the time from *began* to *ended* (ms), in which clicks were probably lost, to every running turn."""
        self.tables.add_outage(Outage(began, ended))

    def _renew_sessions_if_deaf(self, table: Table) -> bool:
        """Return True if the time-out of the player on turn at *table* must not count, as their clicks may not arrive;
        then begin new sessions."""
        seat = table.rules.on_turn(table.state)
        by_dm = seat is not None and table.players[seat].by_dm
        return self.sessions.defer_timeout_and_renew_if_deaf(
            table.id, {self.shard_of(table.guild), *((0,) if by_dm else ())}
        )

    async def fetch_recommended_shards(self) -> tuple[int, int]:
        """Ask Discord for the recommended number of shards and how many may identify in five seconds
        (``max_concurrency``); use the gateway it names.

        If a setting names a gateway, that one is used.
        """
        shards, url, limit = await self.http.get_bot_gateway()
        if DiscordWebSocket.DEFAULT_GATEWAY == DISCORD_GATEWAY:
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)
        return shards, max(1, limit["max_concurrency"])

    async def launch_shards(self) -> None:
        """Connect to Discord with all shards (one of several processes: the first ones), or raise NotReached if too few
        sessions are left today. discord.py calls this."""
        try:
            budget = await self._fetch_session_budget()
        except Fault as fault:  # it is asked once more before each session
            log.info("Discord does not say how many sessions are left", extra=fields(fault=type(fault).__name__))
        else:
            if budget.used_up:
                raise NotReached(budget.few_sessions_left_log_line)
        self.shard_ids = self.shards_held.first and [*self.shards_held.first]
        await super().launch_shards()
        self.shards_held.start_taking_shards()
        self.day_boards.start_updates()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until the shard may identify: its session budget, and no other shard of its bucket just now. discord.py
        calls this."""
        await super().before_identify_hook(shard_id, initial=initial or self.shards_held.first is not None)
        await self.sessions.wait_to_begin(shard_id or 0)
        await self.shards_held.wait_to_identify(shard_id or 0)
        # Nothing was read meanwhile, so the answer to the first heartbeat is old: that is not the gateway's time.
        for thread in threading.enumerate():
            if isinstance(thread, KeepAliveHandler) and thread.shard_id == shard_id:
                thread.beat()

    async def _start_chores(self) -> None:
        """Start the chores: registering commands, uploading emojis, maintaining the store, backups, counting
        records."""
        self.registration.start()
        if self.drawings is not None:
            self.drawings.start()
        self._upkeep.start()
        self._backups.start()
        if self.shards_held.first is None:  # alone on its database: every game that ends is counted at once
            self._counting.start_stats_update()
        else:
            self._counting.start_periodic_stats_update()

    async def _stop_chores(self) -> None:
        """Stop the chores, because another process does them from now on, or the bot stops."""
        if self.drawings is not None:
            self.drawings.stop()
        self.registration.stop()
        await self._upkeep.pause()
        await self._counting.pause()
        await self._backups.stop()

    async def close(self) -> None:
        """Stop the bot: finish the running work, then disconnect from Discord; the store stays open."""
        await self._stop_chores()
        await self.day_boards.stop()
        await self._upkeep.stop()
        await self.tables.stop()
        await self.own_threads.stop()
        await self.missing_channels.stop()
        self.traffic.availability.stop()
        await self.reconciler.stop()
        await self.shards_held.stop()
        self._background.cancel()
        for task in self._launching.values():
            task.cancel()
        await super().close()


def set_discord_urls(api_url: str, gateway_url: str | None) -> None:
    """Make discord.py, in the whole process, use the API at *api_url* and the gateway at *gateway_url* (``None``: the
    one that the API names)."""
    Route.BASE = api_url
    if gateway_url is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)


def as_bot(client: Any) -> Bot:
    """Return *client*, the client of an interaction, typed as the ``Bot`` that it is; AssertionError if it is none."""
    assert isinstance(client, Bot)
    return client
