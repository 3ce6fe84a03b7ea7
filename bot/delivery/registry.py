"""The tables with messages to keep up to date, what the store knows of these messages, and the tasks that work on
them."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from typing import Any, Final

from bot.clock import Clock
from bot.delivery import limits
from bot.delivery.plan import LAST_EDIT_MS, is_editable_hand
from bot.delivery.slots import (
    TABLE,
    FingerprintRecorder,
    Slot,
    TableSlots,
    is_dm_hand_slot,
    is_hand_slot,
    is_valid_slot_name,
    turn_key,
)
from bot.log import fields
from bot.store.store import Store
from bot.tables.model import Table, TableId
from bot.tables.shards import Shards

log = logging.getLogger(__name__)


BUSY_ROUND_MS: Final = 10
"""The event loop counts as busy when one round takes this long."""
MAX_WAIT_MS: Final = 1000
"""How long a task waits at most: an event loop that is always busy must make edits as well."""
RELEASED_PER_ROUND: Final = 8
"""After a busy time this many tasks go on in one round, so the next round is not long again."""


class BusyLoopGate:
    """Makes background tasks wait while the event loop is busy, so clicks come first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()
        """(when the wait began, by the clock's reading; the future of the task), oldest first."""
        self._task: asyncio.Task[None] | None = None

    async def wait_while_busy(self) -> None:
        """Wait until a round of the event loop takes less than 10 ms, but a second at most, so that clicks come
        first."""
        before = self._clock.uncorrected_now()
        if not self._waiting:
            await asyncio.sleep(0)
            if self._clock.uncorrected_now() - before < BUSY_ROUND_MS:
                return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((before, turn))
        if self._task is None:
            self._task = asyncio.create_task(self._release_waiters(), name="busy loop gate")
        await turn

    async def _release_waiters(self) -> None:
        """Let waiting tasks go on, eight in each round of the event loop that is not busy, and all that have waited a
        second, until none is left."""
        before = self._clock.uncorrected_now()
        while self._waiting:
            await asyncio.sleep(0)
            now = self._clock.uncorrected_now()
            count = RELEASED_PER_ROUND if now - before < BUSY_ROUND_MS else 0
            while self._waiting and (count > 0 or now - self._waiting[0][0] >= MAX_WAIT_MS):
                _, turn = self._waiting.popleft()
                if not turn.done():  # the task may have been cancelled
                    turn.set_result(None)
                    count -= 1
            before = now
        self._task = None


class Registry:
    """Keeps the slots of every table with messages to update, loads them from the store, and runs the tasks that work
    on them.

    ``request_update`` is called after loading with every slot that may be out of date.
    """

    def __init__(self, store: Store, clock: Clock, shards: Shards) -> None:
        self._store = store
        self._shards = shards
        self._clock = clock
        self._tables: dict[TableId, TableSlots] = {}
        self._over: dict[TableId, tuple[int, TableSlots]] = {}
        """Finished tables, with the time when they were forgotten (ms), oldest first. A rematch still changes their
        live hands, and the table message that leads to it (L5)."""
        self._inherited: set[TableId] = set()
        """Tables that an earlier process has served."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self.fingerprints = FingerprintRecorder(store, clock, self.spawn)
        self.busy_loop_gate = BusyLoopGate(clock)
        self.request_update: Callable[[TableSlots, Slot], None]
        self.stopped = False

    def __len__(self) -> int:
        return len(self._tables)

    def find(self, table: TableId) -> TableSlots | None:
        """Return the slots (all messages) of *table* (an id); ``None`` if its messages are not kept up to date here."""
        return self._tables.get(table)

    def get_or_add_slots(self, table: Table) -> TableSlots:
        """Return the slots (all messages) of *table*; add them, not loaded from the store, if the table is not kept up
        to date here yet."""
        found = self._tables.get(table.id)
        if found is None:
            inherited = table.id in self._inherited
            # What an earlier process knew of a turn that could not be offered, it has recorded with the table.
            found = self._pop_kept_slots(table) or TableSlots(
                table, inherited=inherited, offered=turn_key(table) if inherited else None
            )
            self._tables[table.id] = found
        return found

    async def get_loaded_slots(self, table: Table) -> TableSlots:
        """Return the slots of *table*, added if needed, with the places of its messages loaded from the store."""
        slots = self.get_or_add_slots(table)
        await self.load_handles(slots)
        return slots

    async def load_handles(self, slots: TableSlots) -> None:
        """Load, once, the places of the messages of *slots* and what they show from the store, and request an update of
        every slot.

        A hand is left out if it is recorded in the table's own channel though it is a direct message, or at the place
        of the table message: others would read it.
        """
        async with slots.loading:
            if slots.loaded:
                return
            seats = len(slots.table.players)
            handles = await self._store.load_handles(slots.table.id, lambda slot: is_valid_slot_name(slot, seats))
            public = {handle.message for handle in handles if handle.slot == TABLE}
            for handle in handles:
                misplaced = is_dm_hand_slot(handle.slot) and handle.channel == slots.table.channel
                if misplaced or (is_hand_slot(handle.slot) and handle.message in public):
                    log.error("a hand's place is the table's channel", extra=fields(table=slots.table.id))
                    continue  # a wrong row: others would read the hand
                slot = slots.slot(handle.slot)
                if slot.handle is None:
                    slot.handle, slot.recorded_at = handle, handle.token_at
            await self.fingerprints.load_fingerprints(slots)
            slots.loaded = True
        for slot in slots.all():
            self.request_update(slots, slot)

    def mark_served_by_earlier_process(self, tables: list[Table]) -> None:
        """Record that an earlier process has served *tables*, so that it may have sent messages that the store does not
        know.

        Call it before their slots are added.
        """
        self._inherited.update(table.id for table in tables)

    def other_slots_with_message(self, message: int, slots: TableSlots) -> list[tuple[TableSlots, Slot]]:
        """Return the slots of other tables that have *message* (an id) as their message, as pairs (all slots of that
        table, the slot)."""
        others = [*self.all_slots(), *(over for _, over in self._over.values())]
        return [
            (other, slot)
            for other in others
            if other is not slots
            for slot in other.all()
            if slot.handle is not None and slot.handle.message == message
        ]

    async def forget_table_if_done(self, slots: TableSlots) -> None:
        """If the table of *slots* is over and all its messages show that, stop updating it and remove their places from
        the store.

        So a restart does not take it up again. The record of the table message stays while it leads to a rematch that
        may still be closed in the lobby (L5).
        """
        table = slots.table
        if table.live or not slots.loaded or self._tables.get(table.id) is not slots:
            return
        if any(slot.has_work for slot in slots.all()):
            return
        del self._tables[table.id]
        self._keep_changeable_slots(slots)
        self._inherited.discard(table.id)
        leading = [slot.handle for slot in slots.all() if _leads_to_rematch(slots, slot) and slot.handle is not None]
        if leading:  # recorded anew: it was forgotten when the game was over
            await self._store.save_handles(table.id, leading)
        await self._store.delete_handles(table.id, [handle.slot for handle in leading])

    def _keep_changeable_slots(self, slots: TableSlots) -> None:
        """Keep those *slots* of a finished table that can still change (live hands, a message with a rematch) in memory
        for 13.5 minutes; forget older ones."""
        now = self._clock.now()
        self._remove_unchanging_slots(slots, now)
        if slots.slots:
            self._over[slots.table.id] = (now, slots)
        while self._over and next(iter(self._over.values()))[0] <= now - LAST_EDIT_MS:
            del self._over[next(iter(self._over))]

    def _pop_kept_slots(self, table: Table) -> TableSlots | None:
        """Take the slots that were kept for the finished *table* out of that list and return them; ``None`` if none of
        its messages can still change."""
        _, slots = self._over.pop(table.id, (0, None))
        if slots is not None:
            self._remove_unchanging_slots(slots, self._clock.now())
        return slots if slots is not None and slots.slots else None

    @staticmethod
    def _remove_unchanging_slots(slots: TableSlots, now: int) -> None:
        """Remove from the *slots* of a finished table all but live hands and a table message that leads to a rematch
        not begun yet."""
        for slot in slots.all():
            if slot.handle is None or not (
                _leads_to_rematch(slots, slot) or is_editable_hand(slot.name, slot.handle, now)
            ):
                del slots.slots[slot.name]

    def remove(self, slots: TableSlots) -> None:
        """Stop updating the table of *slots* and cancel its alarms; the stored places of its messages stay."""
        for slot in slots.all():
            slot.cancel_alarms()
        if self._tables.get(slots.table.id) is slots:
            del self._tables[slots.table.id]
            self._inherited.discard(slots.table.id)

    def is_served_here(self, slots: TableSlots) -> bool:
        """Whether this process surely holds the shard of the table of *slots*, and has not handed the table over."""
        return not slots.left and self._shards.holds(slots.table.guild)

    def is_served_elsewhere(self, slots: TableSlots) -> bool:
        """Whether another process serves the table of *slots*: it was handed over, or this process does not hold its
        shard."""
        return slots.left or not self._shards.has(slots.table.guild)

    def may_update(self, slots: TableSlots) -> bool:
        """Whether this process may update *slots* now: it serves their table for sure, and is not stopping."""
        return not self.stopped and self.is_served_here(slots)

    def hand_over_to_other_process(self, slots: TableSlots) -> None:
        """Stop updating the table of *slots* and storing what its messages show, because another process serves it."""
        slots.left = slots.given_away = True
        self.remove(slots)
        self.fingerprints.cancel_scheduled_recording(slots)

    def forget_finished_table(self, table: TableId) -> None:
        """Drop the slots kept in memory for the finished *table*, so that its messages get no more updates."""
        self._over.pop(table, None)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run *work* as a background task and return it; its requests are about no table until it says so
        (``set_request_guild``).

        ``wait_for_tasks`` waits for it.
        """
        context = copy_context()
        context.run(limits.set_request_guild, None)
        task = asyncio.get_running_loop().create_task(work, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def all_slots(self) -> list[TableSlots]:
        """Return the slots of every table that is kept up to date, in a new list."""
        return list(self._tables.values())

    def tables(self) -> list[Table]:
        """Return the tables that are kept up to date, and finished ones that a rematch still changes."""
        return [slots.table for slots in (*self.all_slots(), *(over for _, over in self._over.values()))]

    async def wait_for_tasks(self) -> None:
        """Wait until all tasks have ended."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))


def _leads_to_rematch(slots: TableSlots, slot: Slot) -> bool:
    """Whether *slot* has the message of a finished table that leads to a rematch which has not begun yet (L5)."""
    return slot.name == TABLE and slots.table.may_have_rematch_in_lobby
