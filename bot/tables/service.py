"""The tables of this process: load, lock, change, commit, then notify. No Discord call happens under a lock."""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import WeakValueDictionary

from bot.background import Background
from bot.clock import Clock
from bot.log import fields
from bot.metrics import Metrics
from bot.tables import leaving, lobby, play, start
from bot.tables.errors import (
    AlreadyProcessed,
    ChannelTaken,
    Conflict,
    LimitReached,
    Refusal,
    UnusableTable,
    Why,
)
from bot.tables.limits import LimitGuard, Limits
from bot.tables.live import Alarms, LiveTables, PendingMove, TableTakeOverQueue
from bot.tables.model import NO_SERVER, Phase, Player, Table, TableId, new_secret, new_table_id
from bot.tables.options import Options
from bot.tables.outages import Outage, Uptime
from bot.tables.play import ClickResult
from bot.tables.preferences import GuildSettings
from bot.tables.shards import AllShards, Shards
from bot.tables.ticking import (
    NO_DECISIONS,
    ComputerDecisions,
    computers_must_decide,
    decide_for_computers,
    serve_due_timer,
)
from bot.tables.timers import PLAYER_CLOCK, Timer, next_due
from engine.errors import IllegalAction
from engine.game import Seat

if TYPE_CHECKING:
    from bot.store.store import Store

log = logging.getLogger(__name__)


T = TypeVar("T")
TableChange = Callable[[Table], Table]
"""Makes the next version of a table: one of the pure functions in ``lobby``, ``play`` and ``leaving``. It may raise
Refusal or IllegalAction; then nothing has changed."""

LATE_OFFER_MS: Final = 5_000
"""If a turn is offered to its person within this time, it counts from its beginning."""
_DEFAULT_SETTINGS: Final = GuildSettings()


async def _do_nothing_on_set_aside(table: TableId) -> None:
    """Do nothing: the default for ``on_set_aside``, which is called with a table that was quarantined."""


class Tables:
    """All tables that this process serves: load, change, save and announce them; one change at a time for each table.

    ``on_change`` is called with the new table after every committed change, ``on_restore`` with the tables that a new
    process takes over: their messages may show anything. ``on_set_aside`` is called with every live table that was
    quarantined. *shards* knows which tables are served here; any other is read from the store when it is asked for, and
    may be changed as well: the process that serves it is told. ``cut_off`` tells whether clicks cannot reach us at the
    moment: then no turn limit acts. ``is_offered`` tells whether Discord has taken a message that offers the running
    turn of a table to its person: until then its time does not count. ``may_be_deaf`` tells whether somebody's time may
    have run out only because clicks do not arrive.
    """

    def __init__(
        self,
        store: "Store",
        clock: Clock,
        on_change: Callable[[Table], None],
        on_restore: Callable[[list[Table]], None],
        *,
        seeds: Callable[[], bytes] = new_secret,
        defaults: Options = Options(),  # noqa: B008 - immutable
        limits: Limits = Limits(),  # noqa: B008 - immutable
        shards: Shards = AllShards(),  # noqa: B008 - it has no state
        cut_off: Callable[[], bool] = lambda: False,
        is_offered: Callable[[Table], bool] = lambda table: True,
        may_be_deaf: Callable[[Table], bool] = lambda table: False,
        on_set_aside: Callable[[TableId], Coroutine[Any, Any, None]] = _do_nothing_on_set_aside,
        metrics: Metrics | None = None,
    ) -> None:
        self._background = Background(log, "what a table needs in the background failed")
        self._spawn = self._background.spawn
        self._store = store
        self._clock = clock
        self._on_change = on_change
        self._on_restore = on_restore
        self._shards = shards
        self._untaken = TableTakeOverQueue(clock, self._load_and_serve_tables)
        self._seeds = seeds
        self._defaults = defaults
        self._guard = LimitGuard(limits)
        self._cut_off = cut_off
        self._is_offered = is_offered
        self._may_be_deaf = may_be_deaf
        self._on_set_aside = on_set_aside
        self._metrics = metrics or Metrics()
        self.uptime = Uptime(store, clock, self._spawn)
        self._locks: WeakValueDictionary[TableId, asyncio.Lock] = WeakValueDictionary()
        self._openings: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        """Locks that somebody holds or waits for."""
        self._alarms = Alarms(clock, lambda table: self._spawn(self._serve_timer(table)))
        self._live = LiveTables(clock, self._alarms, self.uptime, self._spawn, on_change)
        self._rematches = Alarms(clock, lambda table: self._spawn(self._record_rematch_started_or_gone(table)))
        """For tables that are over, and could not be told yet what has become of their rematch."""

    # Starting and stopping

    async def start_tracking_uptime_and_outages(self, *, others: bool = False) -> None:
        """Begin to record every 10 s that this process is alive, and to credit outages and clock changes to running
        turns.

        *others* says whether other processes are alive already. No table is read yet: see ``take_over_shards``.
        """
        await self.uptime.start_recording_heartbeats(others=others)
        self._clock.set_stall_callback(lambda began, ended: self.add_outage(Outage(began, ended)))
        self._clock.set_backward_step_callback(self._live.recompute_all_times)

    async def take_over_shards(self, shards: Collection[int] | None = None, count: int = 1) -> int:
        """Begin to take over the live tables of *shards* (``None``: all) from the store in the background; return how
        many there are.

        *count* is the number of all shards. Finished tables whose messages may not show the end yet are taken over as
        well. Tables that changed last are read first; one that is asked for is read at once.
        """
        found = await self._store.tables_to_take_over(shards, count)
        self._untaken.enqueue(found, shards)
        return len(found)

    @property
    def table_count(self) -> int:
        """The number of live tables here, including those still to be taken over."""
        return len(self._live) + len(self._untaken)

    async def wait_until_taken_over(self) -> None:
        """Wait until all tables that ``take_over_shards`` has found are read from the store."""
        await self._untaken.wait_until_empty()

    async def _load_and_serve_tables(self, table_ids: Collection[TableId]) -> None:
        """Load the tables *table_ids* from the store, start their timers, and call ``on_restore`` with them; unusable
        ones are quarantined.

        Tables that are no longer in the queue are left out.
        """
        found = await self._store.take_over_tables(table_ids, self._clock.now())
        new = self._untaken.remove(table_ids)  # what somebody has asked for meanwhile may be newer by now
        live = [self._live.cache_saved_table(table) for table in found.live if table.id in new]
        over = [table for table in found.undelivered if table.id in new]
        self._on_restore([*live, *over])
        for table in over:
            if table.may_have_rematch_in_lobby:
                self._spawn(self._record_rematch_started_or_gone(table.id))
        for aside in new.intersection(found.unusable):
            self._spawn(self._on_set_aside(aside))

    async def release_shards(self, shards: Collection[int], count: int) -> None:
        """Wait for running changes of the tables of *shards*, save their pending moves (not if another process has the
        shard), and remove the tables from memory.

        *count* is the number of all shards. The reconciler looks after their messages.
        """
        self._untaken.remove_shards(shards)
        for lock in list(self._locks.values()):  # whoever waits for one of them already comes first
            async with lock:
                pass
        going = [table for table in self.live_tables_in_memory() if (table.guild >> 22) % count in shards]
        await self._store_pending_moves({table.id for table in going if self._shards.has(table.guild)})
        for table in going:
            self._live.forget_table(table.id)

    async def _store_pending_moves(self, table_ids: Collection[TableId]) -> None:
        """Save the moves of the tables *table_ids* that are in memory only, unless it is too late for them; log a
        failure and go on."""

        def save(table: Table) -> Table:
            return table if self._live.pending_move(table.id) is None else table._replace(version=table.version + 1)

        for table in [it for it in self._live.table_ids_with_pending_move if it in table_ids]:
            try:
                await self.change(table, "save", None, save)
            except Exception:  # the boundary of one table: the others are stored
                log.exception("a held move is lost", extra=fields(table=table))

    async def reload(self, table: TableId) -> None:
        """Load *table*, which another process has changed or opened, from the store, and call ``on_restore``; nothing
        if it is not served here."""
        async with self._locks.setdefault(table, asyncio.Lock()):
            known = self._live.get(table)
            fresh = await self._load_or_quarantine(table) if known is None else await self._load_newer_version(known)
            if fresh is None or (known is None and not (fresh.live and self._shards.has(fresh.guild))):
                return
            kept = self._live.cache_saved_table(fresh) if known is None else fresh
        self._on_restore([kept])

    def add_outage(self, outage: Outage, *, refused: bool = False) -> None:
        """Record *outage* and credit it to the running turn of every table; do nothing if it is known already.

        *refused*: the bot was there, but Discord took no requests.
        """
        self._live.add_outage(outage, refused=refused)

    async def stop(self) -> None:
        """Stop all timers, wait for running changes, save pending moves, and record that the process is alive until
        now."""
        await self._untaken.stop()
        self._live.stop()
        self._alarms.cancel_all()
        self._rematches.cancel_all()
        await self._background.wait_until_done()
        await self._store_pending_moves(self._live.table_ids_with_pending_move)
        await self.uptime.stop_recording_heartbeats()

    # Looking

    async def get(self, table: TableId) -> Table:
        """Return the newest version of *table*, from memory or the store; raise Refusal if it does not exist or is
        quarantined."""
        if table in self._untaken:
            await self._load_and_serve_tables([table])
        found = self._live.get(table) or await self._load_or_quarantine(table)
        if found is None:
            raise Refusal(Why.NO_SUCH_TABLE)
        return found

    def guild_of(self, table: TableId) -> int | None:
        """Return the server id of *table*, from memory only; ``None`` if it is not live or not served here."""
        found = self._live.get(table)
        return None if found is None else found.guild

    async def _load_or_quarantine(self, table: TableId) -> Table | None:
        """Load *table* from the store, ``None`` if there is none; if its row cannot be read, quarantine it and raise
        Refusal."""
        try:
            found = await self._store.load_table(table)
        except UnusableTable as error:
            await self._quarantine_while_holding_lock(error)
            raise Refusal(Why.SET_ASIDE) from None
        return self._live.limit_future_times(found) if found is not None and found.live else found

    async def quarantine(self, unusable: UnusableTable) -> None:
        """Set the table of *unusable*, which cannot go on, aside: record that, stop its timers, free its channel, call
        ``on_set_aside``."""
        async with self._locks.setdefault(unusable.table, asyncio.Lock()):
            await self._quarantine_while_holding_lock(unusable)

    async def _quarantine_while_holding_lock(self, unusable: UnusableTable) -> None:
        """Set the table of *unusable* aside in the store, and stop serving it; the caller holds the table's lock."""
        await self._store.quarantine_table(unusable, self._clock.now())
        if (dropped := self._live.drop(unusable.table)) is not None:
            self._alarms.cancel(unusable.table)
            self._spawn(self._on_set_aside(unusable.table))
            if dropped.rematch_of is not None:
                self._spawn(self._record_rematch_started_or_gone(dropped.rematch_of))

    async def find_in_channel(self, channel: int) -> Table | None:
        """Return the live table in *channel*, from memory or the store; ``None`` if there is none or it is
        quarantined."""
        found = self.taken_over_table_in_channel(channel)
        if found is None and (table := await self._store.live_table_in_channel(channel)) is not None:
            return await self._get_table_or_none(table)
        return found

    async def all_live_tables(self, guild: int | None = None, channel: int | None = None) -> list[Table]:
        """Return all live tables of this process, only those in *guild* and *channel* if given, once all are taken
        over: it waits for that."""
        await self.wait_until_taken_over()
        return self.live_tables_in_memory(guild, channel)

    def taken_over_table_in_channel(self, channel: int) -> Table | None:
        """Return the live table in *channel*, from memory only; ``None`` if there is none or it is not taken over
        yet."""
        return next((table for table in self._live if table.channel == channel), None)

    def live_tables_in_memory(self, guild: int | None = None, channel: int | None = None) -> list[Table]:
        """Return the live tables in memory, only those in *guild* and *channel* if given; does not wait for those not
        taken over yet."""
        return [t for t in self._live if guild in (None, t.guild) and channel in (None, t.channel)]

    async def require_in_channel(self, channel: int) -> Table:
        """Return the live table in *channel*, or raise Refusal if there is none or it is quarantined."""
        table = await self.find_in_channel(channel)
        if table is None:
            raise Refusal(Why.NO_TABLE_HERE)
        return table

    # Opening

    async def open_table(
        self,
        *,
        guild: int,
        channel: int,
        game: str,
        host: Player,
        locale: str,
        chosen: GuildSettings = _DEFAULT_SETTINGS,
        own_thread: bool = False,
    ) -> Table:
        """Open and save a new table in the lobby with *host* in the first seat, or raise Refusal; the caller sends its
        message.

        *chosen* are the settings of the server; *own_thread*: the channel is a thread that was made for this table.

        Raises:
            Refusal: the channel has a live table, or a limit is reached.
        """
        fresh = self._new_table((guild, channel), game, host, locale, chosen)
        table = fresh._replace(players=(host,), own_thread=own_thread)
        return await self._save_and_serve_new_table(table, chosen)

    async def open_solo_table(self, *, channel: int, game: str, host: Player) -> Table:
        """Open and save a solo table in the direct messages *channel* of *host*, or raise Refusal; the caller sends its
        message.

        Raises:
            Refusal: a limit is reached.
        """
        fresh = self._new_table((NO_SERVER, channel), game, host, host.locale, _DEFAULT_SETTINGS)
        return await self._save_and_serve_new_table(
            lobby.set_up_solo_table(fresh, host, self._clock.now()), _DEFAULT_SETTINGS
        )

    async def open_day_table(
        self,
        *,
        channel: int,
        game: str,
        host: Player,
        day: str,
        secret: bytes,
        next_code: str,
        unannounced: bool,
        practice: bool,
        asked_in: int,
    ) -> Table:
        """Open and save a solo table for the deal of *game* on *day*, not dealt yet, or raise Refusal; the caller sends
        its message.

        It is in the direct messages *channel* of *host*. *secret* is the day's, *next_code* the shuffle code of the
        next day's; *unannounced*: the code of the day was not published the day before. *practice*: the deal is played
        once more, which counts for nothing. *asked_in* is the server where *host* asked for it (``NO_SERVER``: in
        direct messages).

        Raises:
            Refusal: a limit is reached.
        """
        fresh = self._new_table((NO_SERVER, channel), game, host, host.locale, _DEFAULT_SETTINGS)
        fresh = start.with_deal_of_day(fresh, day, secret, practice=practice)
        fresh = fresh._replace(next_code=next_code, unannounced=unannounced, asked_in=asked_in)
        return await self._save_and_serve_new_table(lobby.set_up_daily_deal_table(fresh, host), _DEFAULT_SETTINGS)

    def _new_table(self, where: tuple[int, int], game: str, host: Player, locale: str, chosen: GuildSettings) -> Table:
        """Make a new table in the lobby, without players and not saved, from game, server settings and a fresh secret.

        *where* is (server, channel), *chosen* the settings of the server.
        """
        options, now = chosen.make_new_table_options(self._defaults), self._clock.now()
        table = lobby.new_table(new_table_id(), where, game, host, locale, options, self._seeds(), now)
        return table._replace(counted=chosen.counted)

    def table_opening_lock_of_host(self, host: int) -> asyncio.Lock:
        """Return the lock under which *host* opens tables, so that each opening is checked against the limits after the
        one before.

        They hold it from the check whether they may open one until it is there, if something public is made for it
        first. Otherwise many openings would pass the check at once.
        """
        return self._openings.setdefault(host, asyncio.Lock())

    async def check_may_open_table(self, guild: int, host: int, chosen: GuildSettings) -> None:
        """Raise Refusal if *host* or *guild* has as many live tables as the limits allow, or *host* opened too many in
        ten minutes.

        *chosen* are the settings of the server.
        """
        self._guard.check_may_open_table(
            await self._store.count_open_tables(guild, host, self._clock.now()), chosen.tables
        )

    async def open_rematch(
        self, table_id: TableId, player: Player, chosen: GuildSettings = _DEFAULT_SETTINGS, banned: Collection[int] = ()
    ) -> Table:
        """Open and save the rematch of a finished table, with the same game, options and people (who are invited), or
        raise Refusal.

        *player* is its host; the others are invited, except those who are *banned*. The caller sends its message.
        *chosen* are the settings of the server.

        Raises:
            Refusal: the game is not over, *player* was not in it, somebody was first, or the channel has a live
                table.
        """
        assert player.user is not None
        async with self.table_opening_lock_of_host(
            player.user
        ):  # at a solo table nothing else stops the second of two clicks
            old = await self.get(table_id)
            fresh = await self._new_rematch(old, player, chosen, banned)
            try:
                table = await self._save_and_serve_new_table(fresh, chosen)
            except Refusal:  # somebody else has opened it since
                await self._new_rematch(old, player, chosen, banned)
                raise
            await self.change(table_id, "rematch", player.user, lambda t: lobby.with_rematch_opened(t, table, player))
            return table

    async def _new_rematch(self, old: Table, player: Player, chosen: GuildSettings, banned: Collection[int]) -> Table:
        """Make the rematch of *old*, not saved, with *player* as host and the others, but not those *banned*, invited;
        or raise Refusal.

        *chosen* are the settings of the server.

        Raises:
            Refusal: the game is not over, *player* was not in it or sits at another live table there, or somebody
                was first.
        """
        if old.solo:
            here = await self._get_table_or_none(old.rematch) if old.rematch is not None else None
        else:
            here = await self.find_in_channel(old.channel)
        if old.live:
            raise Refusal(Why.NOT_FINISHED)
        lobby.check_not_daily_deal(old)
        assert player.user is not None
        if old.seat_of(player.user) is None:
            raise Refusal(Why.PLAYERS_ONLY)
        if here is not None and here.live and (here.rematch_of == old.id or here.seat_of(player.user) is not None):
            raise Refusal(Why.REMATCH_OPEN, table=here.id)
        fresh = self._new_table((old.guild, old.channel), old.game, player, old.locale, chosen)
        return lobby.set_up_rematch_table(old, fresh, player, self._clock.now(), banned)

    async def _save_and_serve_new_table(self, table: Table, chosen: GuildSettings) -> Table:
        """Close an abandoned game in the channel of the new *table*, save the table, and serve it if its shard is held
        here; or raise Refusal if it may not be opened there.

        *chosen* are the settings of the server.

        Raises:
            Refusal: its channel has a live table, or a limit is reached.
        """
        now = self._clock.now()
        existing = None if table.solo else await self.find_in_channel(table.channel)
        if existing is not None:
            closed = await self.change(
                existing.id, "close", None, lambda t: leaving.close_if_paused_for_an_hour(t, now)
            )
            if closed.live:
                raise Refusal(Why.TABLE_OPEN_HERE, table=existing.id)
        async with self._locks.setdefault(table.id, asyncio.Lock()):
            here = self._shards.has(table.guild)
            check = partial(self._guard.check_may_open_table, chosen=chosen.tables)
            try:
                await self._store.create_table(table, {"what": "open", "by": table.host}, now, check, announce=not here)
            except ChannelTaken:
                raise Refusal(
                    Why.TABLE_OPEN_HERE, table=await self._store.live_table_in_channel(table.channel)
                ) from None
            except LimitReached as no:
                raise no.refusal from None
            if here:
                self._live.cache_saved_table(table)
        self._metrics.count_change(table.game, "open")
        log.info("table opened", extra=fields(table=table.id, version=1, game=table.game))
        return table

    # Changing

    async def change(
        self, table: TableId, label: str, by: int | None, change: TableChange, interaction: int | None = None
    ) -> Table:
        """Apply *change* to *table*, save and announce the result, and return it; return the same object if nothing has
        changed.

        *label* is the name of the change in history and metrics, *by* the person who asked for it, *interaction* the id
        of their interaction.

        Raises:
            Refusal, IllegalAction: from *change*; or there is no such table.
            AlreadyProcessed: *interaction* has changed it already.
        """
        return (await self._apply_change(table, label, by, lambda t: (change(t), None), interaction))[0]

    def check_and_record_resend(self, table: TableId) -> None:
        """Raise Refusal if the table message of *table* was sent anew in the last 30 s; else record that it is sent
        now."""
        self._guard.check_and_record_resend(table, self._clock.now())

    def try_acquire_member_check(self, table: TableId) -> bool:
        """Return True, and record a check, if nobody has checked in the last minute who of *table* is still on the
        server; else False."""
        return self._guard.try_acquire_member_check(table, self._clock.now())

    def try_acquire_public_answer(self, channel: int) -> bool:
        """Return True, and record an answer, if no such public answer was posted in *channel* in the last 30 s; else
        False."""
        return self._guard.try_acquire_public_answer(channel, self._clock.now())

    async def make_move(
        self,
        table: TableId,
        user: int,
        ply: int,
        choose: Callable[[Table, Seat], Any],
        at: int,
        interaction: int | None = None,
    ) -> ClickResult:
        """Make the game move that ``choose(table, seat)`` returns for *user*, save it unless it is held briefly, or
        raise Refusal or IllegalAction.

        *ply* is the number of actions that their message showed. *at* is when they clicked, ms, *interaction* the
        click's id. Raises as ``change``.
        """

        def click(t: Table) -> ClickResult:
            return play.make_move(t, user, ply, lambda seat: choose(t, seat), at, self._clock.now())

        return await self._apply_click(table, "move", user, click, interaction)

    async def make_call(
        self, table: TableId, user: int, ply: int, at: int, interaction: int | None = None
    ) -> ClickResult:
        """Make a call ("17!": the cards are turned over) for *user* at *table* and save it, or raise Refusal or
        IllegalAction.

        *ply* is the number of actions that their message showed. *at* is when they clicked (its snowflake's time), ms,
        *interaction* the click's id. Raises as ``change``.
        """
        now = self._clock.now
        return await self._apply_click(
            table, "call", user, lambda t: play.make_call(t, user, ply, at, now()), interaction
        )

    async def update_player(self, table: TableId, user: int, **changes: Any) -> Table:
        """Set *changes*, fields of ``Player``, for *user* at *table*, save and return it; unchanged if they have no
        seat."""

        def change(t: Table) -> Table:
            seat = t.seat_of(user)
            return t if seat is None else t.with_changed_player(seat, **changes)

        return await self.change(table, "player", user, change)

    async def update_player_at_all_tables(self, user: int, **changes: Any) -> None:
        """Set *changes*, fields of ``Player``, for *user* at every live table where they sit."""
        for table in await self.all_live_tables():
            if table.seat_of(user) is not None:
                try:
                    await self.update_player(table.id, user, **changes)
                except Refusal as no:
                    log.info("player not updated", extra=fields(table=table.id, why=no))  # it was set aside meanwhile

    async def record_rating_choice(self, user: int, rated: bool) -> None:
        """Record whether *user* wants a rating at every live table where they sit; once a game has started they can
        only give it up."""
        for table in await self.all_live_tables():
            if table.seat_of(user) is not None:
                try:
                    await self.change(table.id, "rating", user, lambda t: lobby.with_rating_choice(t, user, rated))
                except Refusal as no:
                    log.info("rating not noted", extra=fields(table=table.id, why=no))  # it was set aside meanwhile

    async def restart_turn_time_if_offered_late(self, table: TableId, turn_began: int, at: int) -> None:
        """Let the time of the turn that began at *turn_began* count only from *at* (ms) on, if that is 5 s or more
        after it began to count.

        Discord took the first message that offers the turn to its person only then.
        """

        def change(t: Table) -> Table:
            if t.turn_began != turn_began or not t.turn_ms or at - t.clock_began - t.turn_credit < LATE_OFFER_MS:
                return t
            return t._replace(offered_at=at)

        try:
            await self.change(table, "offered", None, change)
        except Refusal as no:  # it was set aside or handed over meanwhile
            log.info("late offer not noted", extra=fields(table=table, why=no))

    async def _apply_click(
        self, table: TableId, label: str, user: int, change: Callable[[Table], ClickResult], interaction: int | None
    ) -> ClickResult:
        """Apply the click *change* to the table, save and announce it; return the result of *change* with the saved
        table."""

        def both(t: Table) -> tuple[Table, ClickResult]:
            clicked = change(t)
            return clicked.table, clicked

        after, clicked = await self._apply_change(table, label, user, both, interaction)
        return clicked._replace(table=after)

    async def _apply_change(
        self,
        table_id: TableId,
        label: str,
        by: int | None,
        change: Callable[[Table], tuple[Table, T]],
        interaction: int | None = None,
    ) -> tuple[Table, T]:
        """Load the table under its lock, apply *change*, save and announce; return (the saved table, the second result
        of *change*).

        *change* returns (table, result). A table that is equal is not saved. If another process was first, *change* is
        applied again to its version. A brief move is held in memory first.

        Raises:
            Refusal, IllegalAction: from *change*; or there is no such table.
            AlreadyProcessed: *interaction* has changed it already.
        """
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            while True:
                table = await self.get(table_id)
                table = self._live.get_with_pending_move(table_id) or table
                kept = table_id in self._live
                try:
                    changed, result = change(table)
                except Refusal as no:
                    # A button that is ahead of the game is forged, or another process has changed this table meanwhile.
                    if no.why is Why.BUTTON_DEAD and await self._load_newer_version(table):
                        continue
                    await self._check_not_processed(interaction)
                    raise
                except IllegalAction:
                    await self._check_not_processed(interaction)
                    raise
                except UnusableTable as error:
                    log.error("table cannot go on", exc_info=error.__cause__, extra=fields(table=table_id))
                    await self._quarantine_while_holding_lock(error)
                    raise Refusal(Why.SET_ASIDE) from None
                if changed == table:
                    return table, result
                if isinstance(result, ClickResult) and result.brief and kept:
                    self._live.set_pending_move(changed, PendingMove(lambda t: change(t)[0], interaction))
                    return changed, result
                now = self._clock.now()
                entries = [{**entry, "at": now} for entry in changed.entries]
                saved = changed._replace(version=table.version + 1, changed_at=now, entries=())
                asked = [it for it in (interaction, self._live.pending_interaction(table_id)) if it is not None]
                try:
                    await self._store.save_change(
                        saved, {"what": label, "by": by}, now, entries, asked, announce=not kept
                    )
                except AlreadyProcessed:
                    if interaction is not None:
                        raise
                    self._live.drop_pending_move(table_id)  # another process has made the move that was held here
                    continue
                except Conflict:  # another process was first: try again on its version
                    if await self._load_newer_version(table):
                        continue
                    self._live.drop(table_id)  # somebody has deleted it
                    raise Refusal(Why.NO_SUCH_TABLE) from None
                break
            if kept:
                saved = self._live.cache_saved_table(saved)
        self._metrics.count_change(saved.game, label, entries)
        if saved.ending is not None and table.live:
            self._metrics.count_ended_table(saved.game, saved.ending.value)
        log.info("table changed", extra=fields(table=table_id, version=saved.version, what=label))
        if kept or not table.live:
            self._on_change(saved)
        if saved.rematch_of is not None and table.phase is Phase.LOBBY and saved.phase is not Phase.LOBBY:
            self._spawn(self._record_rematch_started_or_gone(saved.rematch_of))
        return saved, result

    async def _check_not_processed(self, interaction: int | None) -> None:
        """Raise AlreadyProcessed if the *interaction* (its id) has changed a table, here or in another process."""
        if interaction is not None and await self._store.has_processed_interaction(interaction):
            raise AlreadyProcessed

    async def _load_newer_version(self, known: Table) -> Table | None:
        """Load the store's version of the table *known* if it is another one, keep it in memory and return it; ``None``
        if *known* is the newest, or the table is gone."""
        if (
            await self._store.table_version(known.id) == known.version
            or (fresh := await self._load_or_quarantine(known.id)) is None
        ):
            return None
        if known.id in self._live:
            again = self._live.pending_move(known.id)
            fresh = self._live.cache_saved_table(fresh)
            self._on_change(fresh)
            if again is not None and fresh.held is None:  # else somebody else's came later
                with suppress(Refusal, IllegalAction):  # it is too late for the move
                    self._live.set_pending_move(again.make(fresh), again)
        return fresh

    # Rematches

    async def _record_rematch_started_or_gone(self, old: TableId) -> None:
        """Record in the finished table *old* whether its rematch has begun or is gone, once it left the lobby (L5);
        retry if that fails.

        A rematch that leaves the lobby and the update of the old table are two changes, and the process may die between
        them.
        """
        with self._rematches.retry_on_error(old):
            try:
                table = await self.get(old)
                if table.rematch is None or not table.may_have_rematch_in_lobby:
                    return
                rematch = await self._get_table_or_none(table.rematch)
                if rematch is None or rematch.phase is not Phase.LOBBY:
                    known = partial(lobby.with_rematch_started, rematch_id=table.rematch, rematch=rematch)
                    await self.change(old, "rematch", None, known)
            except Refusal as no:  # it was deleted or set aside
                log.info("table not told of its rematch", extra=fields(table=old, why=no))

    async def _get_table_or_none(self, table: TableId) -> Table | None:
        """Return the newest version of *table*, from memory or store; ``None`` if it does not exist or is
        quarantined."""
        try:
            return await self.get(table)
        except Refusal:
            return None

    # Timers

    async def _serve_timer(self, table: TableId) -> None:
        """Apply the timer of *table* that is due, and save that; retry in a few seconds if it fails, or people cannot
        reach the bot.

        If the alarm rang too early, it is set again. If Discord has taken no message that offers the turn to its
        person, its time begins anew instead.
        """
        before = self._live.get_with_pending_move(table)
        if before is None:
            return
        if not self._shards.serves(before.guild):  # perhaps for a moment only; what is lost is forgotten soon
            self._alarms.set_alarm_in_five_seconds(table)
            return
        due = next_due(before)
        if due is not None and due.timer in PLAYER_CLOCK and self._cut_off():
            self._alarms.set_alarm_in_five_seconds(table)
            return
        with self._alarms.retry_on_error(table):
            try:
                if due is not None and due.timer in PLAYER_CLOCK and not self._is_offered(before):
                    now = self._clock.now()  # recorded, so that it holds after a restart as well
                    await self.change(table, "not offered", None, lambda t: t._replace(offered_at=now))
                    return
                is_up = due is not None and due.timer is Timer.TURN and due.at <= self._clock.now()
                if is_up and self._may_be_deaf(before):
                    self._alarms.set_alarm_in_five_seconds(table)
                    return
                thoughts = await self._decide_for_computers(before)
                after = await self.change(
                    table, "timer", None, lambda t: serve_due_timer(t, self._clock.now(), thoughts)
                )
            except Refusal:  # set aside meanwhile, or just now
                return
            if after is before:  # the alarm rang a moment too early
                self._live.set_alarm(after)

    async def _decide_for_computers(self, table: Table) -> ComputerDecisions:
        """Choose in a thread what the computer players at *table* do when its next timer acts; ``NO_DECISIONS`` if they
        need not.

        Where that fails, the timer does too, and logs it.
        """
        if not computers_must_decide(table):
            return NO_DECISIONS
        try:
            return await asyncio.to_thread(decide_for_computers, table)
        except UnusableTable:
            return NO_DECISIONS
