"""The live tables of this process as they are now: their times are right, and their alarms are set."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from bot.background import Background
from bot.clock import Alarm, Clock
from bot.log import fields, level_after
from bot.tables.model import Table, TableId
from bot.tables.outages import Outage, Uptime
from bot.tables.timers import next_due, not_ahead

# One alarm per table, for the first timer that it waits for; and what becomes of timers that fail.


RETRY_MS: Final = 5000
"""How long to wait before a timer that could not be served (a bug, no database) is tried again; each time twice as
long."""
LAST_RETRY_MS: Final = 300_000
"""The longest such wait."""
NONE: Final = (0, logging.INFO)
"""Of a table whose timers have not failed."""


def wait_after(failures: int) -> int:
    """How long to wait, after so many *failures* in a row, before it is tried again, ms."""
    return min(RETRY_MS << min(failures - 1, 10), LAST_RETRY_MS)


class Alarms:
    """Calls *ring* with the id of a table when the first of its timers is due."""

    def __init__(self, clock: Clock, ring: Callable[[TableId], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._alarms: dict[TableId, Alarm] = {}
        self._failures: dict[TableId, tuple[int, int]] = {}
        """How often the timers of a table have failed in a row; at which level it is logged that they work again."""

    def arm(self, table: Table) -> None:
        """Set the alarm of *table* to its first timer; the alarm that it had is cancelled."""
        self._cancel(table.id)
        due = next_due(table)
        if due is not None:
            self._ring_at(table.id, due.at)
        else:
            self._failures.pop(table.id, None)

    def retry(self, table: TableId) -> None:
        """Ring for *table* again in a while."""
        self._ring_at(table, self._clock.now() + RETRY_MS)

    @contextmanager
    def failing_goes_on(self, table: TableId) -> Iterator[None]:
        """Serve a timer of *table* in the block. If that fails, it is logged, and rings again: later each time."""
        try:
            yield
        except Exception as error:  # the boundary of timers: a bug must not stop the table for ever
            failures = self._failures.get(table, NONE)[0] + 1
            self._failures[table] = failures, level_after(error, logging.INFO)
            wait = wait_after(failures)
            said = fields(table=table, error=type(error).__name__, failures=failures, again_in_s=wait // 1000)
            log.exception("timer failed", extra=said)
            self._ring_at(table, self._clock.now() + wait)
        else:
            failures, level = self._failures.pop(table, NONE)
            if failures:
                log.log(level, "timer works again", extra=fields(table=table, failures=failures))

    def _ring_at(self, table: TableId, at: int) -> None:
        """Ring for *table* at the time *at* (ms), and not when its alarm was set to before."""
        self._cancel(table)
        self._alarms[table] = self._clock.call_at(at, partial(self._ring, table))

    def _cancel(self, table: TableId) -> None:
        """Cancel the alarm of *table*, if it is set."""
        alarm = self._alarms.pop(table, None)
        if alarm is not None:
            alarm.cancel()

    def cancel(self, table: TableId) -> None:
        """Cancel the alarm of *table*, which is no longer served."""
        self._cancel(table)
        self._failures.pop(table, None)

    def cancel_all(self) -> None:
        """Cancel all alarms."""
        for alarm in self._alarms.values():
            alarm.cancel()


# Taking over tables of the store: in the background, a few at a time, as clicks come first.


AT_ONCE: Final = 16
"""So many tables are read, or looked at, before others have their turn: it takes some milliseconds."""

HOPELESS: Final = 3
"""After so many failures in a row the others are not tried either for now."""


class Taking:
    """The tables that are still to be taken over. *take* takes some of them over."""

    def __init__(self, clock: Clock, take: Callable[[Collection[TableId]], Awaitable[None]]) -> None:
        self._clock = clock
        self._take = take
        self._left: dict[TableId, Collection[int] | None] = {}
        """With the shards that they are of; ``None``: of any."""
        self._background = Background(log, "taking tables over failed")

    def __len__(self) -> int:
        return len(self._left)

    def __contains__(self, table: object) -> bool:
        return table in self._left

    def remove(self, which: Collection[TableId]) -> set[TableId]:
        """Take *which* off the list, and return those of them that were on it."""
        found = self._left.keys() & set(which)
        for table in found:
            del self._left[table]
        return found

    def leave(self, shards: Collection[int]) -> None:
        """Take the tables of *shards* off the list."""
        of = [table for table, theirs in self._left.items() if theirs is None or not set(shards).isdisjoint(theirs)]
        self.remove(of)

    def begin(self, which: Sequence[TableId], shards: Collection[int] | None = None) -> None:
        """Begin to take over the tables *which*, of *shards* (``None``: of any), in this order."""
        self._left.update(dict.fromkeys(which, shards))
        self._background.spawn(self._take_all(which), name="taking tables over")

    async def done(self) -> None:
        """Wait until all are taken over."""
        await self._background.wait_until_done()

    async def stop(self) -> None:
        """Leave the others."""
        self._background.cancel()
        await self._background.wait_until_done()

    async def _take_all(self, which: Sequence[TableId]) -> None:
        """Take over *which*, and do nothing between for as long as that took. If some fail, what is left is tried again
        one by one, later each time."""
        loop, failures = asyncio.get_running_loop(), 0
        while self._left.keys() & set(which):
            error: Exception | None = None
            in_a_row = 0
            for few in self._parts(which, 1 if failures else AT_ONCE):
                began = loop.time()
                try:
                    await self._take(few)
                    in_a_row = 0
                except Exception as failed:  # noqa: BLE001 - the boundary of this task: others are served; logged below
                    error = failed
                    in_a_row += 1
                if in_a_row == HOPELESS:
                    break
                await asyncio.sleep(loop.time() - began)
            if error is not None:
                failures += 1
                wait = wait_after(failures)
                said = fields(tables=len(self._left.keys() & set(which)), failures=failures, again_in_s=wait // 1000)
                known = failures > 1
                log.error("tables are not taken over yet", exc_info=None if known else error, extra=said)
                await self._pause(wait)
        if failures:
            log.warning("all tables are taken over now", extra=fields(failures=failures))

    def _parts(self, which: Sequence[TableId], size: int) -> Iterator[list[TableId]]:
        """Those of *which* that are left, *size* at a time, without those that somebody has asked for meanwhile."""
        left = [table for table in which if table in self._left]
        for start in range(0, len(left), size):
            if few := [table for table in left[start : start + size] if table in self._left]:
                yield few

    async def _pause(self, ms: int) -> None:
        """Wait for so long."""
        over = asyncio.Event()
        alarm = self._clock.call_at(self._clock.now() + ms, over.set)
        try:
            await over.wait()
        finally:
            alarm.cancel()


log = logging.getLogger(__name__)


class Move(NamedTuple):
    """A move that is held for a moment."""

    make: Callable[[Table], Table]
    """Makes it once more, if another process has changed the table meanwhile."""
    interaction: int | None
    """The one that has asked for it."""


class Live:
    """The newest version of every live table, in memory.

    What is kept has all known outages credited to its turn, and no time that lies ahead; if either changes, every table
    is kept once more. *on_change* is called with a table that looks different then; *spawn* runs a coroutine in the
    background.
    """

    def __init__(
        self,
        clock: Clock,
        alarms: Alarms,
        uptime: Uptime,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        on_change: Callable[[Table], None],
    ) -> None:
        self._clock = clock
        self._alarms = alarms
        self._uptime = uptime
        self._spawn = spawn
        self._on_change = on_change
        self._tables: dict[TableId, Table] = {}
        self._brief: dict[TableId, Table] = {}
        """Those of them at which a move is held for a moment, with that move: it is stored with what comes of it, and
        nobody sees it before."""
        self._moves: dict[TableId, Move] = {}
        self._stale = dict[TableId, None]()
        """Tables of which has still to be found out what a new outage, or the clock, makes of their times, in order."""

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[Table]:
        return iter(self._tables.values())

    def __contains__(self, table: object) -> bool:
        return table in self._tables

    def get(self, table: TableId) -> Table | None:
        """The newest version of *table*; ``None``: it is not kept."""
        self._keep_again([table])
        return self._tables.get(table)

    def with_move(self, table: TableId) -> Table | None:
        """*table* with the move that is held at it for a moment, if one is; ``None``: it is not kept."""
        self._keep_again([table])
        return self._brief.get(table) or self._tables.get(table)

    def move_of(self, table: TableId) -> Move | None:
        """The move that is held at *table*; ``None``: none is."""
        return self._moves.get(table)

    def asked(self, table: TableId) -> int | None:
        """The interaction that has asked for that move."""
        move = self._moves.get(table)
        return None if move is None else move.interaction

    @property
    def held(self) -> list[TableId]:
        """The tables at which a move is held for a moment."""
        return list(self._brief)

    # Keeping

    def keep(self, table: Table) -> Table:
        """Keep *table* as the newest version, if it is live, and set its alarm; return it with all known outages
        credited to its turn, and no time that lies ahead. No move is held at it any more."""
        self.let_go(table.id)
        if table.live:
            table = self._tables[table.id] = self._timed(table)
        else:
            self._tables.pop(table.id, None)
        self.arm(table)
        return table

    def _timed(self, table: Table) -> Table:
        """*table* as it is kept, with the right times."""
        return self._uptime.credited(self.timely(table))

    def hold(self, table: Table, move: Move) -> None:
        """Hold the *move* that makes *table* of the version that is kept, for a moment."""
        self._brief[table.id], self._moves[table.id] = table, move
        self.arm(table)

    def let_go(self, table: TableId) -> None:
        """Hold no move at *table* any more."""
        self._brief.pop(table, None)
        self._moves.pop(table, None)

    def arm(self, table: Table) -> None:
        """Set the alarm of *table* to its first timer, be it that of a move that is held for a moment."""
        self._alarms.arm(self._brief.get(table.id, table))

    def drop(self, table: TableId) -> Table | None:
        """Keep *table* no longer; return what was kept."""
        self.let_go(table)
        return self._tables.pop(table, None)

    def forget(self, table: TableId) -> None:
        """Know nothing of *table* any more."""
        self.drop(table)
        self._alarms.cancel(table)

    def timely(self, table: Table) -> Table:
        """*table* with times that lie ahead set back, which a wrong clock has set; that is logged."""
        right = not_ahead(table, self._clock.now())
        if right is not table:
            log.warning("times that lay ahead are set back", extra=fields(table=table.id, version=table.version))
        return right

    # Outages, and the clock

    def add_outage(self, outage: Outage, *, refused: bool = False) -> None:
        """Record *outage*, and credit it to every running turn, unless it is known; *refused* as for ``Uptime.add``."""
        if self._uptime.add(outage, refused=refused):
            self.keep_all()

    def keep_all(self) -> None:
        """Keep every table once more, since what outages or the clock say about its times has changed: a few at once,
        the others in the background, or as soon as they are needed. With all of them at once a process with many would
        stand still, which is an outage again.
        """
        if not self._stale:
            self._spawn(self._keep_stale())
        self._stale.update(dict.fromkeys(self._tables))
        self._keep_again(list(self._tables)[:AT_ONCE])

    def stop(self) -> None:
        """Leave those that still wait to be kept once more as they are: the process ends."""
        self._stale.clear()

    async def _keep_stale(self) -> None:
        """Keep those tables once more that wait for it, a few at a time, and do nothing between for as long as that
        took."""
        loop = asyncio.get_running_loop()
        while self._stale:
            began = loop.time()
            self._keep_again(list(islice(self._stale, AT_ONCE)))
            await asyncio.sleep(loop.time() - began)

    def _keep_again(self, which: Collection[TableId]) -> None:
        """Keep those of the tables *which* once more that wait for it."""
        for table in [it for it in which if it in self._stale]:
            del self._stale[table]
            if table in self._brief:  # it is armed below, with what is held
                self._brief[table] = self.timely(self._brief[table])
            if (before := self._tables.get(table)) is not None and (kept := self._timed(before)) != before:
                self._tables[table] = kept
                self.arm(kept)
                timed = kept.turn_ms or kept.starting
                if timed or kept._replace(turn_credit=before.turn_credit) != before:  # else it looks the same
                    self._on_change(kept)
