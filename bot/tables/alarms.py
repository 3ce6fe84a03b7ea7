"""One alarm per table, for the first thing that it waits for."""

from collections.abc import Callable
from typing import Final

from bot.clock import Alarm, Clock
from bot.tables.model import Table, TableId
from bot.tables.timers import next_due

RETRY_MS: Final = 5000
"""After a timer could not be served (a bug, a database that is away): try again then."""


class Alarms:
    """Calls *ring* with a table when the first of its timers is due."""

    def __init__(self, clock: Clock, ring: Callable[[TableId], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._alarms: dict[TableId, Alarm] = {}

    def arm(self, table: Table) -> None:
        """*table* is as it is now: what it waited for before does not count any more."""
        alarm = self._alarms.pop(table.id, None)
        if alarm is not None:
            alarm.cancel()
        due = next_due(table)
        if due is not None:
            self.ring_at(table.id, due.at)

    def ring_at(self, table: TableId, at: int) -> None:
        """Ring for *table* at that time, ms."""
        self._alarms[table] = self._clock.call_at(at, lambda: self._ring(table))

    def cancel(self) -> None:
        """No alarm rings any more."""
        for alarm in self._alarms.values():
            alarm.cancel()
        self._alarms.clear()
