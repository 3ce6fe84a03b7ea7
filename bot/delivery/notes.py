"""Private notes that say what will be decided in a moment. Each is deleted some seconds after that, so that the table
stands where it was.

A process that starts anew does not know of them: then they stay.
"""

import logging
from typing import Final, NamedTuple

from bot.clock import Clock
from bot.delivery.courier import Courier
from bot.delivery.faults import Fault
from bot.delivery.registry import Registry
from bot.log import fields
from bot.tables.model import Phase, Table, TableId

log = logging.getLogger(__name__)

STAYS_MS: Final = 4_000
"""How long a note stays after the decision: less than the rest before the next card lands."""


class _Note(NamedTuple):
    """A note that waits for the game to move on."""

    ply: int
    token: str
    message: int


class Notes:
    """Deletes private notes once the game has moved on: all those of a table at the same time, so that it tells nobody
    anything (D9). It takes interaction tokens, so it does not count."""

    def __init__(self, courier: Courier, clock: Clock, registry: Registry) -> None:
        self._courier = courier
        self._clock = clock
        self._registry = registry
        self._waiting: dict[TableId, list[_Note]] = {}

    def add(self, table: TableId, ply: int, token: str, message: int) -> None:
        """Have *message*, a note that *token*'s interaction brought, deleted some seconds after the game at *table* has
        gone past *ply*, as it may have by now."""
        note = _Note(ply, token, message)
        self._waiting.setdefault(table, []).append(note)
        newest = self._registry.find(table)
        if newest is None:  # it is over, and all its messages show that
            self._part_with(table, [note])
        else:
            self.look_at(newest.table)

    def look_at(self, table: Table) -> None:
        """Have those notes deleted, some seconds from now, whose ply the game at *table* has left behind; all of them
        if it is over."""
        waiting = self._waiting.get(table.id)
        if waiting:
            over = table.phase is not Phase.PLAYING
            ply = table.rules.ply(table.state)
            self._part_with(table.id, [note for note in waiting if over or note.ply < ply])

    def forget(self, table: TableId) -> None:
        """Leave the notes of *table* where they are."""
        self._waiting.pop(table, None)

    def _part_with(self, table: TableId, notes: list[_Note]) -> None:
        """Have *notes* of *table* deleted some seconds from now."""
        left = [note for note in self._waiting.pop(table, []) if note not in notes]
        if left:
            self._waiting[table] = left

        def delete() -> None:
            for note in notes:
                if not self._registry.stopped:
                    self._registry.spawn(self._delete(table, note))

        if notes:
            self._clock.call_at(self._clock.now() + STAYS_MS, delete)

    async def _delete(self, table: TableId, note: _Note) -> None:
        """Delete *note* of *table*; if Discord does not take that, it is only logged."""
        try:
            await self._courier.delete_by_token(note.token, note.message)
        except Fault as fault:
            log.info("note stays", extra=fields(table=table, fault=type(fault).__name__))
