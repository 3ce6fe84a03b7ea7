"""One alarm per table, for the first timer that it waits for; and what becomes of timers that fail."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from bot.clock import Alarm, Clock
from bot.log import fields, level_of
from bot.tables.model import Table, TableId
from bot.tables.timers import next_due

log = logging.getLogger(__name__)

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
            self._failures[table] = failures, level_of(error, logging.INFO)
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
