"""One alarm per table, for the first timer that it waits for."""

from collections.abc import Callable
from typing import Final

from bot.clock import Alarm, Clock
from bot.tables.model import Table, TableId
from bot.tables.timers import next_due

RETRY_MS: Final = 5000
"""How long to wait before a timer that could not be served (a bug, no database) is tried again."""


class Alarms:
    """Calls *ring* with the id of a table when the first of its timers is due."""

    def __init__(self, clock: Clock, ring: Callable[[TableId], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._alarms: dict[TableId, Alarm] = {}

    def arm(self, table: Table) -> None:
        """Set the alarm of *table* to its first timer; the alarm that it had is cancelled."""
        alarm = self._alarms.pop(table.id, None)
        if alarm is not None:
            alarm.cancel()
        due = next_due(table)
        if due is not None:
            self.ring_at(table.id, due.at)

    def ring_at(self, table: TableId, at: int) -> None:
        """Ring for *table* at the time *at* (ms). An alarm that is still set must be cancelled before."""
        self._alarms[table] = self._clock.call_at(at, lambda: self._ring(table))

    def cancel(self) -> None:
        """Cancel all alarms."""
        for alarm in self._alarms.values():
            alarm.cancel()
        self._alarms.clear()
