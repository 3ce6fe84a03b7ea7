"""Makes every message of every table show the newest view.

A message that shows it already is left alone. Otherwise it is changed in the cheapest way there is: by the answer to a
click that waits for one, with a valid interaction token, with the bot's token. After a restart it goes through all of
them, and changes those that differ from what the store remembers of them (``shown``): that is the whole recovery.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, Final

from bot.clock import Clock
from bot.delivery.answers import Answers
from bot.delivery.content import may_differ, wanted
from bot.delivery.courier import Courier
from bot.delivery.deadlines import Deadlines
from bot.delivery.direct import NEW_IN_PERIOD, DirectMessages
from bot.delivery.messages import Messages
from bot.delivery.notes import Notes
from bot.delivery.registry import Registry
from bot.delivery.slots import TABLE, ChannelClick, Click, TableSlots, hand_slot, is_superseded, turn_of
from bot.delivery.tokens import Tokens
from bot.delivery.updates import Updates
from bot.log import fields
from bot.people import People
from bot.store.store import Store
from bot.tables.errors import Unusable
from bot.tables.model import Table, TableId
from bot.tables.shards import AllShards, Shards

log = logging.getLogger(__name__)

RESTORED_AT_ONCE: Final = 8
LEAVING_SECONDS: Final = 0.5
"""How long requests may still take about tables that another process is to serve."""


class Reconciler:
    """Brings messages up to date: tell it of every new version of a table. Its ``answers`` answer clicks.

    ``no_dm`` is called with (table, user, whether Discord has said so just now) when a person turns out to take no
    direct messages, ``no_channel`` with the id of a table's channel that Discord says it does not know, ``unusable``
    with a table that cannot be shown, ``deal`` with (table, id of its message) once the cards can be dealt there,
    ``offered`` with (table, its ``turn_began``) when a turn is offered to its person late, ``start_refused`` with a
    table that is starting, where the bot may not write. *new_dms* is how many new conversations may be opened in ten
    minutes (0: any number). Tables of a shard that *shards* does not have held here are left alone.
    """

    def __init__(
        self,
        store: Store,
        courier: Courier,
        clock: Clock,
        people: People,
        no_dm: Callable[[TableId, int, bool], Coroutine[Any, Any, None]],
        no_channel: Callable[[int], Coroutine[Any, Any, None]],
        unusable: Callable[[Unusable], Coroutine[Any, Any, None]],
        deal: Callable[[TableId, int], Coroutine[Any, Any, None]],
        offered: Callable[[TableId, int], Coroutine[Any, Any, None]],
        start_refused: Callable[[TableId], Coroutine[Any, Any, None]],
        new_dms: int = NEW_IN_PERIOD,
        shards: Shards = AllShards(),  # noqa: B008 - it has no state
    ) -> None:
        self._clock = clock
        self._only_waits = courier.only_waits
        self._at_work: set[asyncio.Task[Any]] = set()
        """Those tasks that serve interactions."""
        self._registry = Registry(store, clock, shards)
        self.direct = DirectMessages(store, courier, clock, new_dms)
        self.deadlines = Deadlines(clock, courier, self._registry.spawn)
        tokens = Tokens(store, courier, clock, self._registry.spawn)
        messages = Messages(
            store,
            courier,
            tokens,
            self.direct,
            clock,
            lambda slots, slot: self._updates.touch(slots, slot),
            lambda slots, slot, when: self._updates.touch_at(slots, slot, when),
            lambda *who: self._registry.spawn(no_dm(*who)),
            self.deadlines,
            self._registry.memory,
        )
        self._updates = Updates(self._registry, messages, clock, no_channel, unusable, deal, offered, start_refused)
        self._registry.touch = self._updates.touch
        self.answers = Answers(self._registry, messages, tokens, courier, clock, people, self._refresh_all)
        self.notes = Notes(courier, clock, self._registry)
        self._waiting: deque[TableId] = deque()
        """Tables that wait for a ``redraw``."""
        self._redrawing = 0
        """How many tasks bring them up to date."""

    def tell(self, table: Table) -> None:
        """Have those messages brought up to date that *table*, a new version, may have changed; answer clicks that wait
        for it."""
        self.notes.look_at(table)
        slots = self._registry.find(table.id)
        if slots is None or table.version < slots.table.version:
            # Seen for the first time; or this version is older than the one that is known.
            self._refresh_all(table)
            return
        before, slots.table = slots.table, table
        if before.starting and not table.starting:
            self._updates.start_is_over(slots)
        self._registry.memory.look(slots, changed=table.version > before.version)
        self._add_wanted(slots)
        differs = may_differ(before, table)
        for slot in slots.all():
            self.answers.answer_ready(slots, slot)
            if slot.handle is None or (differs(slot.name) and not is_superseded(slot.name)):
                self._updates.touch(slots, slot)

    def _take_note(self, table: Table) -> TableSlots:
        """The slots of *table*, which have its newest version."""
        slots = self._registry.get_or_add(table)
        known = slots.table.version
        if table.version >= known:
            slots.table = table
        self._registry.memory.look(slots, changed=slots.table.version > known)
        return slots

    def _add_wanted(self, slots: TableSlots) -> None:
        """Add to *slots* those that its table needs now."""
        now = self._clock.now()
        for name in wanted(slots.table, lambda seat: slots.is_unreached(seat, now)):
            slots.slot(name)

    def _refresh_all(self, table: Table) -> None:
        """Have every message of *table* brought up to date, whatever it shows."""
        slots = self._take_note(table)
        self._add_wanted(slots)
        for slot in slots.all():
            self.answers.answer_ready(slots, slot)
            self._updates.touch(slots, slot)

    def access_changed(self, guild: int) -> None:
        """Try those messages again that Discord did not let us change, because something has changed in the server
        *guild*."""
        for slots in self._registry.every():
            if slots.table.guild == guild:
                self._updates.access_changed(slots)

    def clicked(self, table: Table, click: Click) -> None:
        """Try those messages of *table* again that Discord did not let us change and that the person of *click*, which
        may be a command, looks at. Call it once the click is answered, or is being answered. Its token can bring them
        their hand later."""
        slots = self._registry.find(table.id)
        if slots is None:
            return
        if click.channel_id == table.channel:
            slots.channel_clicks[click.user.id] = ChannelClick(click.token, self._clock.now())
        message = click.message.id if click.message is not None else None
        self._updates.clicked(slots, slots.table.seat_of(click.user.id), message)

    async def retire(self, table: Table, click: Click) -> None:
        """Bring the clicked message of *table*, which is over and no longer kept up to date, up to date once more."""
        await self.answers.make_current(table, TABLE, click)
        self._refresh_all(table)

    def decline_direct(self, table: Table, user: int) -> None:
        """Note that *user* has chosen to have the hand at *table* in the channel: the one in their direct messages
        follows the game no longer once it is not their turn, until they wake it."""
        seat, slots = table.seat_of(user), self._registry.find(table.id)
        slot = slots.slots.get(hand_slot(seat)) if slots is not None and seat is not None else None
        if slot is not None:
            slot.declined = True

    def is_offered(self, table: Table) -> bool:
        """Whether Discord has taken a message that offers the running turn of *table* to its person."""
        slots = self._registry.find(table.id)
        return slots is None or slots.offered == turn_of(table)

    def restore(self, tables: list[Table]) -> None:
        """Bring the messages of *tables* up to date, which another process has served until now, as ``redraw`` does.
        What is known of them here from a time before that is not true any more."""
        for table in tables:
            if (before := self._registry.find(table.id)) is not None:
                before.left = True
                for slot in before.all():
                    self.answers.answer_all_now(before, slot)
                self._updates.leave(before)
                self._registry.leave(before)
        self._registry.inherit(tables)
        self.redraw(tables)

    def draw_again(self, tables: list[Table]) -> None:
        """Edit all messages of *tables*, whatever they show as far as is known: somebody else may have changed them."""
        for slots in [found for table in tables if (found := self._registry.find(table.id)) is not None]:
            for slot in slots.all():
                slot.shown = None
        self.redraw(tables)

    def redraw(self, tables: list[Table]) -> None:
        """Bring the messages of *tables* up to date, because they may look different now: a few tables at a time, the
        first ones first, after those that wait already.

        So a click meanwhile does not have to wait for all of them.
        """
        for table in tables:
            self._take_note(table)
            self._waiting.append(table.id)
        for _ in range(min(RESTORED_AT_ONCE - self._redrawing, len(tables))):
            self._redrawing += 1
            self._registry.spawn(self._redraw())

    async def _redraw(self) -> None:
        """Bring the messages of one table after the other up to date, until none waits."""
        try:
            while self._waiting:
                slots = self._registry.find(self._waiting.popleft())
                if slots is None or slots.left or self._registry.stopped:  # None: it is over and done, or set aside
                    continue
                try:
                    self._refresh_all(slots.table)
                except Exception:  # the boundary of one table: the others are brought up to date
                    log.exception("a table is not drawn anew", extra=fields(table=slots.table.id))
                while tasks := [slot.task for slot in slots.all() if slot.task]:
                    await asyncio.wait(tasks)
        finally:
            self._redrawing -= 1

    def at_work(self) -> None:
        """Note that the running task serves an interaction: what it sends and records is part of what has begun."""
        task = asyncio.current_task()
        assert task is not None
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)

    async def leave(self, served_elsewhere: Callable[[Table], bool]) -> None:
        """Answer the clicks that wait, finish the requests that have begun, as far as that is quick, record what the
        messages show, and keep up to date no longer those tables that another process serves from now on. It makes the
        requests that are missing, and sends no message twice."""
        if self._at_work:
            await asyncio.wait(set(self._at_work), timeout=LEAVING_SECONDS)
        going = [slots for slots in self._registry.every() if served_elsewhere(slots.table)]
        every = [(slots, slot) for slots in going for slot in slots.all()]
        for slots, slot in every:
            slots.left = True
            slot.rest()
            self.answers.answer_all_now(slots, slot)
        began = [task for _, slot in every for task in (slot.task, slot.answering) if task is not None]
        for task in began:
            if self._only_waits(task):
                task.cancel()
        if began:
            _, late = await asyncio.wait(began, timeout=LEAVING_SECONDS)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)
        await self._registry.memory.record({slots.table.id for slots in going})
        for slots in going:
            self._updates.leave(slots)
            self._registry.leave(slots)
            self.notes.drop(slots.table.id)
        for table in self._registry.tables():
            if served_elsewhere(table):
                self._registry.let_go(table.id)
                self.notes.drop(table.id)

    def forget(self, table: TableId) -> None:
        """Leave the messages of *table* as they are from now on: it is set aside."""
        slots = self._registry.find(table)
        if slots is not None:
            self._registry.forget(slots)
            for slot in slots.all():
                self.answers.answer_all_now(slots, slot)

    def known(self) -> list[Table]:
        """The tables whose messages can still change, those that are over included."""
        return self._registry.tables()

    async def settled(self, table: TableId) -> None:
        """Wait until what is being done about the messages of *table* now is done, or is put off."""
        slots = self._registry.find(table)
        if slots is not None and (tasks := [slot.task for slot in slots.all() if slot.task]):
            await asyncio.wait(tasks)

    @property
    def tables(self) -> int:
        """How many tables' messages are kept up to date."""
        return len(self._registry)

    async def message_of(self, table: Table) -> int | None:
        """The id of the table message; ``None``: there is none."""
        slots = await self._registry.loaded(table)
        message = slots.message
        await self._registry.forget_if_done(slots)
        return message

    async def stop(self) -> None:
        """Answer all clicks, finish the requests that have begun, and begin no others."""
        self._registry.stopped = True
        for slots in self._registry.every():
            for slot in slots.all():
                self.answers.answer_all_now(slots, slot)
                slot.rest()
        await self._registry.finish()
        await self.deadlines.finish()
        await self._registry.memory.record()
