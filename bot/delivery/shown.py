"""Remembers in the store what messages show, so that a restart edits only what differs. Never wrongly: whatever may
change a message makes the store forget it first, and what is forgotten costs an edit.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine
from typing import Any, Final

from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Alarm, Clock
from bot.delivery.slots import TableSlots
from bot.log import fields
from bot.store.messages import Shown
from bot.store.store import Store
from bot.tables.model import Table

log = logging.getLogger(__name__)

WRITTEN_MS: Final = 1_000
"""How often what messages show is recorded."""


class Memory:
    """Knows of which tables what the messages show has still to be recorded. *spawn* runs a coroutine in the
    background."""

    def __init__(
        self, store: Store, clock: Clock, spawn: Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]]
    ) -> None:
        self._store = store
        self._clock = clock
        self._spawn = spawn
        self._waiting: dict[str, TableSlots] = {}
        self._alarm: Alarm | None = None

    def look(self, slots: TableSlots, *, changed: bool) -> None:
        """Record soon what the messages of *slots* show. If their table has *changed*, to a version of its own, the
        store has forgotten what they showed."""
        if changed:
            slots.remembered = False
        self._wait(slots)

    async def doubt(self, slots: TableSlots) -> None:
        """Have the store forget what the messages of *slots* show, if it may know, since one of them changes now though
        the table does not. If the store fails, it may know still, so whoever changes a message next asks once more."""
        if slots.remembered:
            if slots.forgetting is None:  # whoever changes another message meanwhile waits, or fails, with this one
                slots.forgetting = self._spawn(self._forget(slots))
            await asyncio.shield(slots.forgetting)
        self._wait(slots)

    async def _forget(self, slots: TableSlots) -> None:
        """Have the store forget what the messages of *slots* show."""
        try:
            await self._store.forget_shown(slots.table.id)
            slots.remembered = False
        finally:
            slots.forgetting = None

    def _wait(self, slots: TableSlots) -> None:
        """Record soon what the messages of *slots* show, unless another process serves their table now."""
        if slots.left:
            return
        self._waiting[slots.table.id] = slots
        if self._alarm is None:

            def ring() -> None:
                self._spawn(self._ring())

            self._alarm = self._clock.call_at(self._clock.now() + WRITTEN_MS, ring)

    async def _ring(self) -> None:
        """Record what is known now; the rest a little later."""
        self._alarm = None
        await self.record()
        for slots in list(self._waiting.values()):
            self._wait(slots)

    async def record(self, only: Collection[str] | None = None) -> None:
        """Record what the messages show of all tables that wait and are at rest; *only* of those with these ids, unless
        that is ``None``. If the store fails, that is only logged: those messages will be edited after a restart."""
        recorded: list[Coroutine[Any, Any, None]] = []
        for key, slots in list(self._waiting.items()):
            at_rest = not (slots.forgetting is not None or any(slot.at_work or slot.changing for slot in slots.all()))
            if not at_rest or (only is not None and key not in only):
                continue
            del self._waiting[key]
            shown = {
                slot.name: Shown(slot.handle.message, slot.shown)
                for slot in slots.all()
                if slot.handle is not None and slot.shown is not None and not slot.dirty
            }
            if shown and slots.table.live:
                slots.remembered = True
                recorded.append(self._put(slots.table, shown))
        await asyncio.gather(*recorded)  # all in one transaction

    async def _put(self, table: Table, shown: dict[str, Shown]) -> None:
        """Record what the messages of *table* show, by slot, as ``record`` does."""
        try:
            await self._store.put_shown(table.id, table.version, shown)
        except (SQLAlchemyError, OSError) as error:
            log.warning("what messages show is not recorded", extra=fields(fault=type(error).__name__))

    def forget(self, slots: TableSlots) -> None:
        """Record nothing more about *slots*."""
        if self._waiting.get(slots.table.id) is slots:
            del self._waiting[slots.table.id]

    async def recall(self, slots: TableSlots) -> None:
        """Note what the store knows of what the messages of *slots* show."""
        known = await self._store.shown(slots.table.id)
        slots.remembered = bool(known)
        for name, it in known.items():
            slot = slots.slots.get(name)
            here = slot is not None and slot.handle is not None and slot.handle.message == it.message
            if slot is not None and here and slot.shown is None:
                slot.shown, slot.unseen = it.fingerprint, True
