"""The tables whose messages are looked after, their messages loaded from the store, and the tasks at work for them."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from bot.delivery.slots import Slot, TableSlots
from bot.store.store import Store
from bot.tables.model import Table, TableId


class Registry:
    """The slots of every table that is looked after. ``touch`` is asked to look at a slot again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: dict[TableId, TableSlots] = {}
        self._inherited: set[TableId] = set()
        """Tables of an earlier process."""
        self._tasks: set[asyncio.Task[None]] = set()
        self.touch: Callable[[TableSlots, Slot], None]
        self.forgotten: Callable[[TableId], None] = lambda table: None
        """Told of every table that is looked after no more."""
        self.stopped = False

    def __len__(self) -> int:
        return len(self._tables)

    def find(self, table: TableId) -> TableSlots | None:
        """The slots of *table*, if it is looked after."""
        return self._tables.get(table)

    def at(self, table: Table) -> TableSlots:
        """The slots of *table*, from now on; which messages there are may not have been loaded yet."""
        found = self._tables.get(table.id)
        if found is None:
            found = self._tables[table.id] = TableSlots(table, inherited=table.id in self._inherited)
        return found

    async def loaded(self, table: Table) -> TableSlots:
        """The slots of *table*, with what the store knows of its messages."""
        slots = self.at(table)
        await self.load(slots)
        return slots

    async def load(self, slots: TableSlots) -> None:
        """What the store knows of the messages, once; then every slot is looked at."""
        async with slots.loading:
            if slots.loaded:
                return
            for handle in await self._store.handles(slots.table.id):
                slot = slots.slot(handle.slot)
                if slot.handle is None:
                    slot.handle = handle
            slots.loaded = True
        for slot in slots.all():
            self.touch(slots, slot)

    def inherit(self, tables: list[Table]) -> None:
        """*tables* are those of an earlier process."""
        self._inherited.update(table.id for table in tables)

    async def forget_if_done(self, slots: TableSlots) -> None:
        """A table that is over, and shows it everywhere, is looked after no more. Until then it is taken up again after
        a restart."""
        table = slots.table
        if table.live or not slots.loaded or self._tables.get(table.id) is not slots:
            return
        if any(slot.busy for slot in slots.all()):
            return
        del self._tables[table.id]
        self._inherited.discard(table.id)
        self.forgotten(table.id)
        await self._store.drop_handles(table.id)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do *work* beside everything else; ``stop`` waits for it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def every(self) -> list[TableSlots]:
        """The slots of every table that is looked after."""
        return list(self._tables.values())

    async def finish(self) -> None:
        """Wait for everything that is at work."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))
