"""Private notes: refusals and other sentences that come as a private message of their own. A person has at most one at
a table, so that none contradicts what has become of it: the next note, or their next click there, deletes it.

A process that starts anew does not know of them: then they stay.
"""

import logging
from typing import Final, NamedTuple

from bot.clock import Clock
from bot.delivery.courier import Courier
from bot.delivery.faults import Fault
from bot.delivery.registry import Registry
from bot.delivery.tokens import TOKEN_LIFE_MS
from bot.log import fields
from bot.tables.model import Phase, Table, TableId

log = logging.getLogger(__name__)

STAYS_MS: Final = 4_000
"""How long the note of a call stays after the decision: less than the rest before the next card lands."""


class _Note(NamedTuple):
    """A note that is there."""

    token: str
    message: int
    ply: int | None
    """What it says is decided once the game has gone past this ply; ``None``: it is not about that."""


class Notes:
    """Deletes private notes with interaction tokens, so it does not count.

    What deletes a note is its own person's click, whatever the game is about to decide, or, for the notes of calls, a
    moment after everybody knows the decision, all those of a table at the same time: so it tells nobody anything (D9).
    """

    def __init__(self, courier: Courier, clock: Clock, registry: Registry) -> None:
        self._courier = courier
        self._clock = clock
        self._registry = registry
        self._notes: dict[TableId, dict[int, _Note]] = {}
        """By table and person."""

    def add(self, table: TableId, user: int, token: str, message: int, ply: int | None = None) -> None:
        """Have *message*, a note at *table* that *token*'s interaction has brought *user*, deleted with their next note
        or click there; with *ply* some seconds after the game has gone past it, as it may have by now.

        Their note from before is deleted now.
        """
        self.part_with(table, user, but=(message,))
        note = _Note(token, message, ply)
        self._notes.setdefault(table, {})[user] = note
        self._clock.call_at(self._clock.now() + TOKEN_LIFE_MS, lambda: self.release(table, user, message))
        if ply is None:
            return
        newest = self._registry.find(table)
        if newest is None:  # it is over, and all its messages show that
            self._part_with_soon(table, {user: note})
        else:
            self.look_at(newest.table)

    def release(self, table: TableId, user: int, message: int) -> None:
        """Leave *message* where it is, if it is the note of *user* at *table*: it is none any more."""
        note = self._notes.get(table, {}).get(user)
        if note is not None and note.message == message:
            self._drop(table, user)

    def forget(self, user: int) -> None:
        """Delete all notes of *user*, who is erased."""
        for table in [table for table, notes in self._notes.items() if user in notes]:
            self.part_with(table, user)

    def drop(self, table: TableId) -> None:
        """Leave all notes at *table* where they are: another process serves it."""
        self._notes.pop(table, None)

    def look_at(self, table: Table) -> None:
        """Have those notes of calls deleted, some seconds from now, whose ply the game at *table* has left behind; all
        of them if it is over."""
        found = self._notes.get(table.id)
        if found:
            over = table.phase is not Phase.PLAYING
            ply = 0 if over else table.state.ply
            decided = {u: it for u, it in found.items() if it.ply is not None and (over or it.ply < ply)}
            self._part_with_soon(table.id, decided)

    def _part_with_soon(self, table: TableId, notes: dict[int, _Note]) -> None:
        """Have *notes* of *table*, by person, deleted some seconds from now."""
        for user, note in notes.items():
            self._notes[table][user] = note._replace(ply=None)

        def delete() -> None:
            for user, note in notes.items():
                now = self._notes.get(table, {}).get(user)
                if now is not None and now.message == note.message:
                    self.part_with(table, user)

        if notes:
            self._clock.call_at(self._clock.now() + STAYS_MS, delete)

    def part_with(self, table: TableId, user: int, but: tuple[int | None, ...] = ()) -> None:
        """Delete the note of *user* at *table*, if there is one and it is none of the messages *but*, such as the
        one on which they clicked."""
        note = self._notes.get(table, {}).get(user)
        if note is None or note.message in but:
            return
        self._drop(table, user)
        if not self._registry.stopped:
            self._registry.spawn(self._delete(table, note))

    def _drop(self, table: TableId, user: int) -> None:
        """Know of no note of *user* at *table* any more."""
        del self._notes[table][user]
        if not self._notes[table]:
            del self._notes[table]

    async def _delete(self, table: TableId, note: _Note) -> None:
        """Delete *note* of *table*; if Discord does not take that, it is only logged."""
        try:
            await self._courier.delete_by_token(note.token, note.message)
        except Fault as fault:
            log.debug("note stays", extra=fields(table=table, fault=type(fault).__name__))
