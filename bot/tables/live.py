"""The live tables of this process in memory, with right times and an alarm for each; and taking tables over."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from bot.background import Background
from bot.clock import Alarm, Clock
from bot.log import debug_level_if_already_logged, fields
from bot.tables.model import Table, TableId
from bot.tables.outages import Outage, Uptime
from bot.tables.timers import limit_future_times, next_due

# One alarm per table, for the first timer that it waits for; and retries of timers that fail.


RETRY_MS: Final = 5000
"""The wait before a timer that failed (a bug, no database) is tried again; each time twice as long."""
LAST_RETRY_MS: Final = 300_000
"""The longest such wait."""
NO_FAILURES: Final = (0, logging.INFO)
"""The entry of a table whose timers have not failed."""


def retry_wait_ms(failures: int) -> int:
    """Return how many ms to wait before the next try after so many *failures* in a row: 5 s, doubling, at most 5
    minutes."""
    return min(RETRY_MS << min(failures - 1, 10), LAST_RETRY_MS)


class Alarms:
    """One alarm for each table: calls *ring* with its id when its first timer is due."""

    def __init__(self, clock: Clock, ring: Callable[[TableId], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._alarms: dict[TableId, Alarm] = {}
        self._failures: dict[TableId, tuple[int, int]] = {}
        """How often the timers of a table have failed in a row; at which level it is logged that they work again."""

    def set_alarm(self, table: Table) -> None:
        """Set the alarm of *table* to its first timer, in place of the earlier alarm; no alarm if the table has no
        timer."""
        self._cancel_keeping_failure_count(table.id)
        due = next_due(table)
        if due is not None:
            self._set_alarm_at(table.id, due.at)
        else:
            self._failures.pop(table.id, None)

    def set_alarm_in_five_seconds(self, table: TableId) -> None:
        """Set the alarm of *table* to five seconds from now, in place of the earlier alarm."""
        self._set_alarm_at(table, self._clock.now() + RETRY_MS)

    @contextmanager
    def retry_on_error(self, table: TableId) -> Iterator[None]:
        """Context manager for serving a timer of *table*: log and suppress an exception, and set the alarm again, later
        after each failure in a row."""
        try:
            yield
        except Exception as error:  # the boundary of timers: a bug must not stop the table for ever
            failures = self._failures.get(table, NO_FAILURES)[0] + 1
            self._failures[table] = failures, debug_level_if_already_logged(error, logging.INFO)
            wait = retry_wait_ms(failures)
            said = fields(table=table, error=type(error).__name__, failures=failures, again_in_s=wait // 1000)
            log.exception("timer failed", extra=said)
            self._set_alarm_at(table, self._clock.now() + wait)
        else:
            failures, level = self._failures.pop(table, NO_FAILURES)
            if failures:
                log.log(level, "timer works again", extra=fields(table=table, failures=failures))

    def _set_alarm_at(self, table: TableId, at: int) -> None:
        """Set the alarm of *table* to the time *at* (ms), in place of the one before."""
        self._cancel_keeping_failure_count(table)
        self._alarms[table] = self._clock.call_at(at, partial(self._ring, table))

    def _cancel_keeping_failure_count(self, table: TableId) -> None:
        """Cancel the alarm of *table*, if it is set; its count of failures stays."""
        alarm = self._alarms.pop(table, None)
        if alarm is not None:
            alarm.cancel()

    def cancel(self, table: TableId) -> None:
        """Cancel the alarm of *table*, which is no longer served, and forget its failures."""
        self._cancel_keeping_failure_count(table)
        self._failures.pop(table, None)

    def cancel_all(self) -> None:
        """Cancel all alarms."""
        for alarm in self._alarms.values():
            alarm.cancel()


# Taking over tables of the store: in the background, a few at a time, as clicks come first.


BATCH_SIZE: Final = 16
"""How many tables are read, or looked at, before other tasks run: it takes some milliseconds."""

MAX_FAILURES_IN_A_ROW: Final = 3
"""After so many failures in a row the other tables are not tried either for now."""


class TableTakeOverQueue:
    """The ids of tables that are still to be read from the store; *take* is called in the background with some
    of them.
    """

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

    def remove(self, table_ids: Collection[TableId]) -> set[TableId]:
        """Remove the tables *table_ids* from the queue; return the ids of those that were in it."""
        found = self._left.keys() & set(table_ids)
        for table in found:
            del self._left[table]
        return found

    def remove_shards(self, shards: Collection[int]) -> None:
        """Remove from the queue all tables that were added with one of *shards*, or without a shard."""
        of = [table for table, theirs in self._left.items() if theirs is None or not set(shards).isdisjoint(theirs)]
        self.remove(of)

    def enqueue(self, table_ids: Sequence[TableId], shards: Collection[int] | None = None) -> None:
        """Add the tables *table_ids*, of *shards* (``None``: of any), to the queue, and take them over in the
        background in this order."""
        self._left.update(dict.fromkeys(table_ids, shards))
        self._background.spawn(self._take_over_in_batches(table_ids), name="taking tables over")

    async def wait_until_empty(self) -> None:
        """Wait until all tables of the queue are taken over; it retries for as long as that takes."""
        await self._background.wait_until_done()

    async def stop(self) -> None:
        """Stop taking tables over; what is in the queue stays there."""
        self._background.cancel()
        await self._background.wait_until_done()

    async def _take_over_in_batches(self, table_ids: Sequence[TableId]) -> None:
        """Take over the tables *table_ids* in batches of 16 until none is left; after failures try again later, one by
        one.

        After each batch it pauses for as long as the batch took.
        """
        loop, failures = asyncio.get_running_loop(), 0
        while self._left.keys() & set(table_ids):
            error: Exception | None = None
            in_a_row = 0
            for few in self._batches_still_queued(table_ids, 1 if failures else BATCH_SIZE):
                began = loop.time()
                try:
                    await self._take(few)
                    in_a_row = 0
                except Exception as failed:  # noqa: BLE001 - the boundary of this task: others are served; logged below
                    error = failed
                    in_a_row += 1
                if in_a_row == MAX_FAILURES_IN_A_ROW:
                    break
                await asyncio.sleep(loop.time() - began)
            if error is not None:
                failures += 1
                wait = retry_wait_ms(failures)
                left = len(self._left.keys() & set(table_ids))
                said = fields(tables=left, failures=failures, again_in_s=wait // 1000)
                known = failures > 1
                log.error("tables are not taken over yet", exc_info=None if known else error, extra=said)
                await self._pause(wait)
        if failures:
            log.warning("all tables are taken over now", extra=fields(failures=failures))

    def _batches_still_queued(self, table_ids: Sequence[TableId], size: int) -> Iterator[list[TableId]]:
        """Yield lists of up to *size* tables of *table_ids* that are still in the queue.

        Those that somebody has asked for meanwhile are not in it any more.
        """
        left = [table for table in table_ids if table in self._left]
        for start in range(0, len(left), size):
            if few := [table for table in left[start : start + size] if table in self._left]:
                yield few

    async def _pause(self, ms: int) -> None:
        """Wait for *ms* milliseconds on the program's clock, which tests may step."""
        over = asyncio.Event()
        alarm = self._clock.call_at(self._clock.now() + ms, over.set)
        try:
            await over.wait()
        finally:
            alarm.cancel()


log = logging.getLogger(__name__)


class PendingMove(NamedTuple):
    """A move that is in memory only, for less than a second: how to make it again, and its interaction."""

    make: Callable[[Table], Table]
    """Makes the move once more, if another process has changed the table meanwhile."""
    interaction: int | None
    """The id of the interaction that has asked for it."""


class LiveTables:
    """The newest version of every live table in memory, with outages credited to its turn and no time in the future.

    If outages or the clock change, the times of every table are computed again. *on_change* is called with a table that
    looks different then; *spawn* runs a coroutine in the background.
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
        self._moves: dict[TableId, PendingMove] = {}
        self._stale = dict[TableId, None]()
        """Tables of which has still to be found out what a new outage, or the clock, makes of their times, in order."""

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[Table]:
        return iter(self._tables.values())

    def __contains__(self, table: object) -> bool:
        return table in self._tables

    def get(self, table: TableId) -> Table | None:
        """Return the newest saved version of *table*, without a pending move; ``None`` if it is not live here."""
        self._recompute_times([table])
        return self._tables.get(table)

    def get_with_pending_move(self, table: TableId) -> Table | None:
        """Return the version of *table* that includes its pending, unsaved move, else the saved one; ``None`` if it is
        not live here."""
        self._recompute_times([table])
        return self._brief.get(table) or self._tables.get(table)

    def pending_move(self, table: TableId) -> PendingMove | None:
        """Return the pending move of *table*, which is in memory only; ``None``: there is none."""
        return self._moves.get(table)

    def pending_interaction(self, table: TableId) -> int | None:
        """Return the id of the interaction that asked for the pending move of *table*; ``None``: there is none."""
        move = self._moves.get(table)
        return None if move is None else move.interaction

    @property
    def table_ids_with_pending_move(self) -> list[TableId]:
        """The ids of the tables that have a pending move, which is not saved yet."""
        return list(self._brief)

    # Keeping

    def cache_saved_table(self, table: Table) -> Table:
        """Keep the saved *table* as the newest version, or drop it if it is over; set its alarm, and return it with
        corrected times.

        All known outages are credited to its turn. Its pending move is dropped.
        """
        self.drop_pending_move(table.id)
        if table.live:
            table = self._tables[table.id] = self._with_right_times(table)
        else:
            self._tables.pop(table.id, None)
        self.set_alarm(table)
        return table

    def _with_right_times(self, table: Table) -> Table:
        """Return *table* with outages credited to its running turn, and without times in the future."""
        return self._uptime.with_turn_credit(self.limit_future_times(table))

    def set_pending_move(self, table: Table, move: PendingMove) -> None:
        """Keep *move* in memory without saving it, and set the alarm for it; *table* is the version that includes the
        move."""
        self._brief[table.id], self._moves[table.id] = table, move
        self.set_alarm(table)

    def drop_pending_move(self, table: TableId) -> None:
        """Drop the pending move of *table*, if there is one."""
        self._brief.pop(table, None)
        self._moves.pop(table, None)

    def set_alarm(self, table: Table) -> None:
        """Set the alarm of *table* to its first timer; with a pending move, to that of the version that includes the
        move."""
        self._alarms.set_alarm(self._brief.get(table.id, table))

    def drop(self, table: TableId) -> Table | None:
        """Remove *table* and its pending move from memory, not its alarm; return the table, ``None`` if it was not
        there."""
        self.drop_pending_move(table)
        return self._tables.pop(table, None)

    def forget_table(self, table: TableId) -> None:
        """Remove *table*, its pending move and its alarm from memory, because it is no longer served here."""
        self.drop(table)
        self._alarms.cancel(table)

    def limit_future_times(self, table: Table) -> Table:
        """Return *table* with times that lie in the future (a clock was wrong) set back, and log that; the same object
        if there are none."""
        right = limit_future_times(table, self._clock.now())
        if right is not table:
            log.warning("times that lay ahead are set back", extra=fields(table=table.id, version=table.version))
        return right

    # Outages, and the clock

    def add_outage(self, outage: Outage, *, refused: bool = False) -> None:
        """Record *outage* and credit it to the running turn of every table; do nothing if it is known already.

        *refused*: the bot was there, but Discord took no requests.
        """
        if self._uptime.add_outage(outage, refused=refused):
            self.recompute_all_times()

    def recompute_all_times(self) -> None:
        """Compute turn credit and times of every table again: 16 now, the others in the background or when asked for.

        All at once would block a process with many tables, which is an outage again.
        """
        if not self._stale:
            self._spawn(self._recompute_stale_times_in_batches())
        self._stale.update(dict.fromkeys(self._tables))
        self._recompute_times(list(self._tables)[:BATCH_SIZE])

    def stop(self) -> None:
        """Drop the list of tables whose times are still to be computed again, because the process ends."""
        self._stale.clear()

    async def _recompute_stale_times_in_batches(self) -> None:
        """Compute the times of all tables that still need it again, in batches of 16, with pauses."""
        loop = asyncio.get_running_loop()
        while self._stale:
            began = loop.time()
            self._recompute_times(list(islice(self._stale, BATCH_SIZE)))
            await asyncio.sleep(loop.time() - began)

    def _recompute_times(self, table_ids: Collection[TableId]) -> None:
        """Of *table_ids*, compute the times of tables that still need it again; set their alarms, and call
        ``on_change`` if a table looks different."""
        for table in [it for it in table_ids if it in self._stale]:
            del self._stale[table]
            if table in self._brief:  # it is armed below, with what is held
                self._brief[table] = self.limit_future_times(self._brief[table])
            if (before := self._tables.get(table)) is not None and (kept := self._with_right_times(before)) != before:
                self._tables[table] = kept
                self.set_alarm(kept)
                timed = kept.turn_ms or kept.starting
                if timed or kept._replace(turn_credit=before.turn_credit) != before:  # else it looks the same
                    self._on_change(kept)
