"""The tables of this process: load, lock, change, commit, then notify. No Discord call happens under a lock.

This module has over 300 lines because everything that replaces a live table is in it.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from bot.clock import Clock
from bot.log import fields
from bot.refusals import Refusal, Why
from bot.tables import leaving, lobby, play
from bot.tables.alarms import Alarms
from bot.tables.fresh import fresh_id, fresh_seed
from bot.tables.limits import Guard, Limits
from bot.tables.model import Phase, Player, Table, TableId
from bot.tables.options import Options
from bot.tables.outages import Outage
from bot.tables.play import Clicked
from bot.tables.storage import ChannelTaken, Conflict, TableStore, Unusable
from bot.tables.ticking import tick
from bot.tables.timers import CLOCK, next_due, not_ahead
from bot.tables.uptime import Uptime
from engine.game import Seat

T = TypeVar("T")
Change = Callable[[Table], Table]
"""Makes the next version of a table: one of the pure functions in ``lobby``, ``play`` and ``leaving``. It may raise
Refusal or IllegalAction; then nothing has changed."""

log = logging.getLogger(__name__)


async def _nobody_to_tell(table: TableId) -> None:
    """What is done about a table that was set aside if nothing else is."""


class Tables:
    """Every change to a table goes through here, one at a time for each table.

    ``on_change`` is called with the new table after every committed change, ``on_restore`` with the tables that a new
    process takes over: their messages may show anything. ``on_set_aside`` is called with every live table that turns
    out not to be able to go on. ``cut_off`` tells whether clicks cannot reach us at the moment, so that no turn limit
    acts.
    """

    def __init__(
        self,
        store: TableStore,
        clock: Clock,
        on_change: Callable[[Table], None],
        on_restore: Callable[[list[Table]], None],
        *,
        seeds: Callable[[], bytes] = fresh_seed,
        defaults: Options = Options(),  # noqa: B008 - immutable
        limits: Limits = Limits(),  # noqa: B008 - immutable
        cut_off: Callable[[], bool] = lambda: False,
        on_set_aside: Callable[[TableId], Coroutine[Any, Any, None]] = _nobody_to_tell,
    ) -> None:
        self._store = store
        self._clock = clock
        self._on_change = on_change
        self._on_restore = on_restore
        self._seeds = seeds
        self._defaults = defaults
        self._cut_off = cut_off
        self._on_set_aside = on_set_aside
        self._guard = Guard(limits)
        self._being_opened: list[Table] = []
        """Tables that are not committed yet: they count towards the limits."""
        self._uptime = Uptime(store, clock, self._spawn)
        self._live: dict[TableId, Table] = {}
        self._locks: WeakValueDictionary[TableId, asyncio.Lock] = WeakValueDictionary()
        """Locks that somebody holds or waits for."""
        self._alarms = Alarms(clock, lambda table: self._spawn(self._tick(table)))
        self._tasks: set[asyncio.Task[None]] = set()

    # Starting and stopping

    async def resume(self) -> int:
        """Take over the store's tables after a start: those that are live, whose timers start, and those that ended
        without all their messages showing it. All their messages are brought up to date. Return how many are live."""
        await self._uptime.begin()
        self._clock.on_gap(lambda began, ended: self._add_outage(Outage(began, ended)))
        self._clock.on_set_back(self._keep_all)
        found = await self._store.take_over(self._clock.now())
        live = [self._keep(table) for table in found.live]
        for table in live:
            self._alarms.arm(table)
        # Those that changed last come first: somebody is probably waiting there.
        live.sort(key=lambda table: -table.changed_at)
        self._on_restore([*live, *found.undelivered])
        return len(live)

    def was_cut_off(self, since: int) -> None:
        """Record that no click could reach us from *since* (ms) until now; that time is credited to every running
        turn."""
        self._add_outage(Outage(since, self._clock.now()))

    def _add_outage(self, outage: Outage) -> None:
        """Record *outage*, and credit it to every running turn."""
        self._uptime.add(outage)
        self._keep_all()

    def _keep_all(self) -> None:
        """Keep every live table once more, since what outages or the clock say about its times has changed."""
        for table in list(self._live.values()):
            kept = self._keep(table)
            if kept != table:
                self._alarms.arm(kept)
                self._on_change(kept)

    async def stop(self) -> None:
        """Cancel all timers, wait for the work that they have started, and record that the process ends."""
        self._alarms.cancel_all()
        if self._tasks:
            await asyncio.wait(set(self._tasks))
        await self._uptime.end()

    # Looking

    async def get(self, table: TableId) -> Table:
        """The newest version of *table*; raises Refusal if there is no such table, or it is set aside."""
        found = self._live.get(table) or await self._load(table)
        if found is None:
            raise Refusal(Why.NO_SUCH_TABLE)
        return found

    async def _load(self, table: TableId) -> Table | None:
        """What the store has of *table*; raises Refusal if it is set aside. If it cannot be read, it is from now on."""
        try:
            found = await self._store.load(table)
        except Unusable as error:
            await self._set_aside(error)
            raise Refusal(Why.SET_ASIDE) from None
        return self._timely(found) if found is not None and found.live else found

    def _timely(self, table: Table) -> Table:
        """*table* with times that lie ahead set back, which a wrong clock has set; that is logged."""
        right = not_ahead(table, self._clock.now())
        if right is not table:
            log.warning("times that lay ahead are set back", extra=fields(table=table.id, version=table.version))
        return right

    async def set_aside(self, found: Unusable) -> None:
        """Stop serving the table that *found* is about: it cannot go on."""
        async with self._locks.setdefault(found.table, asyncio.Lock()):
            await self._set_aside(found)

    async def _set_aside(self, found: Unusable) -> None:
        """As ``set_aside``, under the table's lock."""
        await self._store.set_aside(found, self._clock.now())
        if self._live.pop(found.table, None) is not None:
            self._alarms.cancel(found.table)
            self._spawn(self._on_set_aside(found.table))

    def live_in(self, channel: int) -> Table | None:
        """The live table in *channel*; ``None``: it has none."""
        return next((table for table in self._live.values() if table.channel == channel), None)

    def live_of(self, guild: int | None = None, channel: int | None = None) -> list[Table]:
        """The live tables; only those of *guild* or *channel*, if one is given."""
        return [t for t in self._live.values() if guild in (None, t.guild) and channel in (None, t.channel)]

    async def in_channel(self, channel: int) -> Table:
        """The live table in *channel*; raises Refusal if there is none."""
        table = self.live_in(channel)
        if table is None:
            raise Refusal(Why.NO_TABLE_HERE)
        return table

    # Opening

    async def open(self, *, guild: int, channel: int, game: str, host: Player, locale: str) -> Table:
        """Open a new table, in the lobby, with *host* at it; the caller sends its message.

        Raises:
            Refusal: the channel has a live table, or a limit is reached.
        """
        table = self._new_table(guild, channel, game, host, locale)._replace(players=(host,))
        return await self._create(table)

    async def rematch(self, table_id: TableId, player: Player) -> Table:
        """Open a table with the people and options of the finished one, *player* being the host; the caller sends its
        message.

        Raises:
            Refusal: the game is not over, *player* was not in it, somebody was first, or the channel has a live
                table.
        """
        old = await self.get(table_id)
        if old.live:
            raise Refusal(Why.NOT_FINISHED)
        assert player.user is not None
        if old.seat_of(player.user) is None:
            raise Refusal(Why.PLAYERS_ONLY)
        open_here = self.live_in(old.channel)
        if open_here is not None and (open_here.id == old.rematch or open_here.seat_of(player.user) is not None):
            raise Refusal(Why.REMATCH_OPEN, table=open_here.id)
        if old.rematch is not None:
            raise Refusal(Why.TABLE_OPEN_HERE, table=old.rematch)
        fresh = self._new_table(old.guild, old.channel, old.game, player, old.locale)
        table = await self._create(lobby.rematch_of(old, fresh, player, self._clock.now()))
        await self.change(
            table_id, "rematch", player.user, lambda t: t._replace(rematch=table.id, rematch_by=table.host)
        )
        return table

    def _new_table(self, guild: int, channel: int, game: str, host: Player, locale: str) -> Table:
        """A new table without players, in the lobby, not stored yet."""
        return lobby.new_table(
            fresh_id(), (guild, channel), game, host, locale, self._defaults, self._seeds(), self._clock.now()
        )

    async def _create(self, table: Table) -> Table:
        """Store the new *table* and start its timers; raises Refusal if its channel has a live table, or a limit is
        reached."""
        now = self._clock.now()
        existing = self.live_in(table.channel)
        if existing is not None:
            closed = await self.change(existing.id, "close", None, lambda t: leaving.close_unattended(t, now))
            if closed.live:
                raise Refusal(Why.TABLE_OPEN_HERE, table=existing.id)
        self._guard.check_open(table.host, table.guild, [*self._live.values(), *self._being_opened], now)
        self._guard.opened(table.host, now)
        self._being_opened.append(table)
        try:
            await self._store.create(table, {"what": "open", "by": table.host}, now)
        except ChannelTaken:
            raise Refusal(Why.TABLE_OPEN_HERE, table=await self._store.live_in(table.channel)) from None
        finally:
            self._being_opened.remove(table)
        self._keep(table)
        self._alarms.arm(table)
        log.info("table opened", extra=fields(table=table.id, version=1, game=table.game))
        return table

    # Changing

    async def change(self, table: TableId, what: str, by: int | None, change: Change) -> Table:
        """Apply *change* to *table*, commit and notify; return the new table, or the same one if nothing has changed.
        *what* is for the history, *by* the person who asked for it.

        Raises:
            Refusal, IllegalAction: from *change*; or there is no such table.
        """
        return (await self._change(table, what, by, lambda t: (change(t), None)))[0]

    def check_move(self, table: TableId) -> None:
        """Check that the message of *table* may be sent anew now, and note that it is; raises Refusal if that was done
        a moment ago."""
        self._guard.check_move(table, self._clock.now())

    def seed(self) -> bytes:
        """A new secret, for a table that has none."""
        return self._seeds()

    async def move(self, table: TableId, user: int, ply: int, choose: Callable[[Table, Seat], Any], at: int) -> Clicked:
        """Make the move that ``choose(table, seat)`` returns for *user*, who saw *ply*; *at* is when they clicked,
        ms."""
        return await self._click(
            table, "move", user, lambda t: play.move(t, user, ply, lambda seat: choose(t, seat), at, self._clock.now())
        )

    async def call(self, table: TableId, user: int, ply: int, at: int) -> Clicked:
        """Call for *user*, who saw *ply*; *at* is when they clicked (its snowflake's time), ms."""
        return await self._click(table, "call", user, lambda t: play.call(t, user, ply, at, self._clock.now()))

    async def update_player(self, table: TableId, user: int, **changes: Any) -> Table:
        """Set *changes* on the player *user*, such as where they want their hand; no change if they do not sit
        there."""

        def change(t: Table) -> Table:
            seat = t.seat_of(user)
            return t if seat is None else t.with_player(seat, **changes)

        return await self.change(table, "player", user, change)

    async def update_person(self, user: int, **changes: Any) -> None:
        """Set *changes* on the player *user* at every live table where they sit."""
        for table in self.live_of():
            if table.seat_of(user) is not None:
                try:
                    await self.update_player(table.id, user, **changes)
                except Refusal as no:
                    log.info("player not updated", extra=fields(table=table.id, why=no))  # it was set aside meanwhile

    async def rate(self, user: int, rated: bool) -> None:
        """Have it hold at every live table where *user* sits whether they want a rating."""
        for table in self.live_of():
            if table.seat_of(user) is not None:
                try:
                    await self.change(table.id, "rating", user, lambda t: lobby.with_rating(t, user, rated))
                except Refusal as no:
                    log.info("rating not noted", extra=fields(table=table.id, why=no))  # it was set aside meanwhile

    async def _click(self, table: TableId, what: str, user: int, change: Callable[[Table], Clicked]) -> Clicked:
        """Apply a click's *change* as ``_change`` does; the result holds the table as it was committed."""

        def both(t: Table) -> tuple[Table, Clicked]:
            clicked = change(t)
            return clicked.table, clicked

        after, clicked = await self._change(table, what, user, both)
        return clicked._replace(table=after)

    async def _change(
        self, table_id: TableId, what: str, by: int | None, change: Callable[[Table], tuple[Table, T]]
    ) -> tuple[Table, T]:
        """Apply *change*, which returns (table after it, result), commit and notify; return the same pair.

        Raises:
            Refusal, IllegalAction: from *change*; or there is no such table.
        """
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            while True:
                table = await self.get(table_id)
                try:
                    changed, result = change(table)
                except Refusal as no:
                    # A button that is ahead of the game is forged, or another process has served this table meanwhile.
                    if no.why is not Why.BUTTON_DEAD or not await self._reload(table):
                        raise
                    continue
                except Unusable as error:
                    log.error("table cannot go on", exc_info=error.__cause__, extra=fields(table=table_id))
                    await self._set_aside(error)
                    raise Refusal(Why.SET_ASIDE) from None
                if changed == table:
                    return table, result
                now = self._clock.now()
                entries = [{**entry, "at": now} for entry in changed.entries]
                saved = changed._replace(version=table.version + 1, changed_at=now, entries=())
                try:
                    await self._store.change(saved, {"what": what, "by": by}, now, entries)
                except Conflict:  # another process was first: try again on its version
                    if await self._reload(table):
                        continue
                    self._live.pop(table_id, None)  # somebody has deleted it
                    raise Refusal(Why.NO_SUCH_TABLE) from None
                break
            saved = self._keep(saved)
        log.info("table changed", extra=fields(table=table_id, version=saved.version, what=what))
        self._alarms.arm(saved)
        self._on_change(saved)
        if saved.rematch_of is not None and table.phase is Phase.LOBBY and saved.phase is not Phase.LOBBY:
            self._spawn(self._tell_old_table(saved.rematch_of, saved))
        return saved, result

    async def _tell_old_table(self, old: TableId, rematch: Table) -> None:
        """Have the table *old*, whose *rematch* has left the lobby, know that."""
        try:
            await self.change(old, "rematch", None, lambda t: lobby.rematch_left_lobby(t, rematch))
        except Refusal as no:  # it was deleted or set aside meanwhile
            log.info("table not told of its rematch", extra=fields(table=old, why=no))

    async def _reload(self, known: Table) -> bool:
        """Take over what the store has, if another process has changed it since *known*; return whether it has."""
        if await self._store.version(known.id) == known.version or (fresh := await self._load(known.id)) is None:
            return False
        fresh = self._keep(fresh)
        self._alarms.arm(fresh)
        self._on_change(fresh)
        return True

    def _keep(self, table: Table) -> Table:
        """Keep *table* as the newest version, if it is live; return it with all known outages credited to its turn, and
        no time that lies ahead."""
        if not table.live:
            self._live.pop(table.id, None)
            return table
        kept = self._live[table.id] = self._uptime.credited(self._timely(table))
        return kept

    # Timers

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run *work* as a task that ``stop`` waits for."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tick(self, table: TableId) -> None:
        """Serve the timer of *table* that is due; if we are cut off, or it fails, ring again later."""
        before = self._live.get(table)
        if before is None:
            return
        due = next_due(before)
        if due is not None and due.timer in CLOCK and self._cut_off():
            self._alarms.retry(table)
            return
        with self._alarms.failing_goes_on(table):
            try:
                after = await self.change(table, "timer", None, lambda t: tick(t, self._clock.now()))
            except Refusal:  # set aside meanwhile, or just now
                return
            if after is before:  # the alarm rang a moment too early
                self._alarms.arm(after)
