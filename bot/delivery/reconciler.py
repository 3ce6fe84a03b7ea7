"""Makes every message of every table show the newest view.

Each slot of a table has at most one task at work. It renders, skips what is shown already, and otherwise takes
the cheapest way there is: the answer to a click that waits for one, a fresh interaction token, the bot's token.
Changes that come in the meantime are coalesced. After a restart nothing is known to be shown, so everything is
brought up to date: that is the whole recovery.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from bot.clock import Clock
from bot.delivery.courier import Busy, Courier, Expired, Gone, NoChannel, NoEntry, TooOld
from bot.delivery.desk import FIRST_RETRY_MS, Click, Desk, Slot
from bot.delivery.messages import Messages
from bot.delivery.slots import TABLE, is_gone, may_differ, must_be_told, ping_slot, seat_of, sheet_for, wanted
from bot.log import fields
from bot.present.sheet import Sheet
from bot.store.store import Handle, Store
from bot.tables.model import Phase, Table, TableId

log = logging.getLogger(__name__)

LAST_RETRY_MS: Final = 60_000
RESTORED_AT_ONCE: Final = 8
SHUT_OUT_MS: Final = 60_000
"""After Discord has said no: look again not sooner than this, whatever happens at the table."""


class Reconciler:
    """Tell it of every new version of a table; it does the rest.

    ``no_dm`` is called with (table, user, whether they have left the server) when a person turns out not to take
    direct messages, ``no_channel`` with the id of a table's channel that turns out to be gone.
    """

    def __init__(
        self,
        store: Store,
        courier: Courier,
        clock: Clock,
        no_dm: Callable[[TableId, int, bool], Coroutine[Any, Any, None]],
        no_channel: Callable[[int], Coroutine[Any, Any, None]],
    ) -> None:
        self._no_channel = no_channel
        self._store = store
        self._courier = courier
        self._clock = clock
        self._messages = Messages(store, courier, clock, self._touch, lambda *who: self._spawn(no_dm(*who)))
        self._desks: dict[TableId, Desk] = {}
        self._inherited: set[TableId] = set()
        """Tables of an earlier process."""
        self._redrawing = 0
        self._done: set[TableId] = set()
        """Tables that ended while others are being redrawn: what waits for its turn there is older than that."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False

    # What happens at the tables

    def tell(self, table: Table) -> None:
        """*table* has a new version: whatever may look different by it is brought up to date."""
        desk = self._desks.get(table.id)
        if desk is None or table.version < desk.table.version:
            self._look_at_all(table)
            return
        before, desk.table = desk.table, table
        for name in wanted(table):
            desk.slot(name)
        differs = may_differ(before, table)
        for slot in list(desk.slots.values()):
            if slot.handle is None or differs(slot.name):
                self._touch(desk, slot)
            else:
                self._serve(desk, slot)

    def _look_at_all(self, table: Table) -> None:
        """Every message of *table* may be out of date: it is seen for the first time, or something else than the
        table has changed."""
        desk = self._at(table)
        if table.version >= desk.table.version:
            desk.table = table
        for name in wanted(table):
            desk.slot(name)
        for slot in list(desk.slots.values()):
            self._touch(desk, slot)

    def restore(self, tables: list[Table]) -> None:
        """After a restart: bring the messages of *tables* up to date, a few tables at a time and the first ones first,
        so that whoever clicks meanwhile does not wait behind them."""
        self._inherited.update(table.id for table in tables)
        self.redraw(tables)

    def redraw(self, tables: list[Table]) -> None:
        """The messages of *tables* may look different although nothing has happened there."""
        waiting = iter(tables)
        self._redrawing += 1

        async def work() -> None:
            for table in waiting:
                if self._stopped or table.id in self._done:
                    continue
                known = self._desks.get(table.id)
                self._look_at_all(table if known is None else known.table)
                desk = self._desks.get(table.id)
                while desk is not None and (tasks := [slot.task for slot in desk.slots.values() if slot.task]):
                    await asyncio.wait(tasks)

        async def all_of_them() -> None:
            await asyncio.gather(*(work() for _ in range(RESTORED_AT_ONCE)))
            self._redrawing -= 1
            if not self._redrawing:
                self._done.clear()

        self._spawn(all_of_them())

    def _at(self, table: Table) -> Desk:
        desk = self._desks.get(table.id)
        if desk is None:
            desk = self._desks[table.id] = Desk(table, inherited=table.id in self._inherited)
        return desk

    async def desk(self, table: Table) -> Desk:
        """The desk of *table*, its handles loaded."""
        desk = self._at(table)
        await self._load(desk)
        return desk

    @property
    def desks(self) -> int:
        """How many tables are being looked after."""
        return len(self._desks)

    async def message_of(self, table: Table) -> int | None:
        """The id of the table message, where there is one."""
        desk = await self.desk(table)
        message = desk.message
        await self._forget_if_done(desk)
        return message

    async def stop(self) -> None:
        """Answer the clicks that wait, finish the requests at work; begin no other."""
        self._stopped = True
        for desk in self._desks.values():
            for slot in desk.slots.values():
                self._impatient(slot)
                self._serve(desk, slot)
                if slot.retry is not None:
                    slot.retry.cancel()
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    # Answering clicks

    async def slot_of(self, table: Table, click: Click) -> str | None:
        """The slot of the message that was clicked; ``None``: an old message that is none any more."""
        assert click.message is not None
        desk = await self.desk(table)
        for slot in desk.slots.values():
            if slot.handle is not None and slot.handle.message == click.message.id:
                return slot.name
        return None

    async def adopt(self, table: Table, name: str, click: Click) -> None:
        """The clicked message is the slot *name* from now on: it is the one its owner looks at."""
        assert click.message is not None and click.channel_id is not None
        _check_readers(name, click)
        desk = await self.desk(table)
        slot = desk.slot(name)
        slot.shown = None
        await self._messages.put(desk, slot, Handle(name, click.channel_id, click.message.id))

    async def retire(self, table: Table, click: Click) -> None:
        """The clicked message is the last one of *table*, which is over and let go of it: it is shown once more."""
        await self.adopt(table, TABLE, click)
        self._look_at_all(table)

    def answer(self, table: Table, name: str, click: Click) -> None:
        """Answer *click* with the newest view of the slot it was made on. Call it right after the change."""
        desk = self._at(table)
        slot = desk.slot(name)
        slot.clicks.append(click)
        self._impatient(slot)
        self._serve(desk, slot)

    def answer_after(self, table: Table, name: str, click: Click, at: int) -> None:
        """As ``answer``, but wait until the game has got past its present ply, or until *at* (ms)."""
        desk = self._at(table)
        slot = desk.slot(name)
        self._impatient(slot)
        slot.clicks.append(click)

        def enough() -> None:
            self._impatient(slot)
            self._serve(desk, slot)

        slot.patience = (table.rules.ply(table.state), self._clock.call_at(at, enough))
        self._serve(desk, slot)

    def answer_with_pick(self, table: Table, name: str, click: Click, picked: str) -> None:
        """Answer *click* on a hand message with what the hand offers after *picked*."""
        desk = self._at(table)
        desk.slot(name).picked = (table.rules.ply(table.state), picked)
        self.answer(table, name, click)

    async def answer_with_notice(self, table: Table, name: str, click: Click, notice: str) -> None:
        """Answer *click* on a hand message with the newest hand and a sentence above it."""
        _check_readers(name, click)
        desk = await self.desk(table)
        slot = desk.slot(name)
        sheet = desk.sheet(slot, notice)
        slot.notice_at = desk.table.version
        await self._courier.update(click, sheet)
        self._answered(slot, click, sheet.fingerprint())
        await self._forget_if_done(desk)

    async def reply_with_slot(self, table: Table, name: str, click: Click, *, private: bool) -> None:
        """Answer *click* with a new message that is the slot *name* from now on. The old one, if private, is
        deleted where that is still possible. A public one that Discord did not take is sent by other means."""
        desk = await self.desk(table)
        slot = desk.slot(name)
        sheet = desk.sheet(slot)
        try:
            message = await self._courier.reply(click, sheet, private=private)
        except (Expired, Busy, NoEntry):
            if not private:
                self._look_at_all(desk.table)
            raise
        assert click.channel_id is not None
        old = slot.handle
        told = old.told if old else 0
        slot.shown = sheet.fingerprint()
        await self._messages.put(
            desk, slot, Handle(name, click.channel_id, message, click.token, self._clock.now(), told)
        )
        if private and old is not None and old.token and self._messages.fresh(old):
            try:
                await self._courier.delete_original(old.token)
            except (Gone, Expired, NoEntry, Busy):
                log.debug("old hand stays", extra=fields(table=table.id, slot=name))
        self._touch(desk, slot)

    async def move_table_message(self, table: Table, click: Click | None, moved: Callable[[int], Sheet]) -> None:
        """A new table message at the bottom: the answer to *click*, or a message of its own; the old one shrinks
        to ``moved(new message id)``."""
        desk = await self.desk(table)
        slot = desk.slot(TABLE)
        async with slot.lock:
            old = slot.handle
            sheet = sheet_for(desk.table, TABLE, None)
            if click is not None:
                message = await self._courier.reply(click, sheet, private=False)
                handle = Handle(TABLE, table.channel, message, click.token, self._clock.now())
            else:
                message = await self._messages.send(desk, slot, table.channel, sheet, old.message if old else 0)
                handle = Handle(TABLE, table.channel, message)
            slot.shown = sheet.fingerprint()
            await self._messages.put(desk, slot, handle)
        if old is not None and old.message != handle.message:
            try:
                await self._messages.edit(old, moved(handle.message))
            except (Gone, NoEntry, Busy) as error:
                log.info("old table message stays", extra=fields(table=table.id, fault=type(error).__name__))
        self._look_at_all(desk.table)

    def _serve(self, desk: Desk, slot: Slot) -> None:
        """Answer the slot's clicks now, unless they wait for the game to go on."""
        if slot.clicks and slot.answering is None and not self._waits(desk, slot):
            slot.answering = self._spawn(self._answer_clicks(desk, slot))

    async def _answer_clicks(self, desk: Desk, slot: Slot) -> None:
        try:
            await self._load(desk)
            while slot.clicks:
                click = slot.clicks.pop(0)
                _check_readers(slot.name, click)
                sheet = desk.sheet(slot)
                print_ = sheet.fingerprint()
                try:
                    if print_ == slot.shown and slot.task is None:
                        await self._courier.acknowledge(click)
                    else:
                        await self._courier.update(click, sheet)
                except (Expired, Gone, Busy, NoEntry) as error:
                    log.info("click not answered", extra=fields(slot=slot.name, fault=type(error).__name__))
                    continue
                self._answered(slot, click, print_)
        except Exception:  # the boundary of this task: the next click must be answered all the same
            log.exception("answering failed", extra=fields(table=desk.table.id, slot=slot.name))
        finally:
            slot.answering = None
        self._touch(desk, slot)

    def _answered(self, slot: Slot, click: Click, print_: bytes) -> None:
        slot.shown = print_
        slot.answered += 1
        if slot.handle is not None and click.message is not None and slot.handle.message == click.message.id:
            slot.handle = slot.handle._replace(token=click.token, token_at=self._clock.now())

    # The work

    def _touch(self, desk: Desk, slot: Slot) -> None:
        slot.dirty = True
        self._serve(desk, slot)
        if self._stopped or slot.task is not None or slot.clicks or slot.answering is not None:
            return
        if slot.quiet_until > self._clock.now():
            return
        slot.task = self._spawn(self._bring(desk, slot))

    def _waits(self, desk: Desk, slot: Slot) -> bool:
        """Whether the slot's clicks still wait for the game to go on."""
        if slot.patience is None:
            return False
        table = desk.table
        if table.phase is Phase.PLAYING and slot.patience[0] == table.rules.ply(table.state):
            return True
        self._impatient(slot)
        return False

    @staticmethod
    def _impatient(slot: Slot) -> None:
        if slot.patience is not None:
            slot.patience[1].cancel()
            slot.patience = None

    async def _bring(self, desk: Desk, slot: Slot) -> None:
        """Bring *slot* to the newest view, again and again until nothing has changed meanwhile. While clicks are
        being answered that is the answers' work."""
        try:
            await self._load(desk)
            while slot.dirty and not self._stopped and not slot.clicks and slot.answering is None:
                slot.dirty = False
                await self._once(desk, slot)
            slot.retry_ms = FIRST_RETRY_MS
        except Busy:
            self._later(desk, slot, slot.retry_ms)
            slot.retry_ms = min(2 * slot.retry_ms, LAST_RETRY_MS)
        except NoChannel:
            log.warning("channel gone", extra=fields(table=desk.table.id, slot=slot.name))
            await self._without_channel(desk, slot)
        except NoEntry:
            log.warning("shut out", extra=fields(table=desk.table.id, slot=slot.name))
            slot.quiet_until = self._clock.now() + SHUT_OUT_MS
            self._later(desk, slot, SHUT_OUT_MS)
        except Exception:  # the boundary of this task: the slot must not stop for a bug
            log.exception("delivery failed", extra=fields(table=desk.table.id, slot=slot.name))
            self._later(desk, slot, LAST_RETRY_MS)
        finally:
            slot.task = None
        await self._forget_if_done(desk)

    async def _without_channel(self, desk: Desk, slot: Slot) -> None:
        """The slot can be shown nowhere any more; with the table's own channel the table goes."""
        gone = slot.handle.channel if slot.handle is not None else desk.table.channel
        await self._messages.drop(desk, slot)
        if gone == desk.table.channel and desk.table.live:
            self._spawn(self._no_channel(gone))

    def _later(self, desk: Desk, slot: Slot, delay: int) -> None:
        slot.dirty = True
        if slot.retry is not None:
            slot.retry.cancel()

        def again() -> None:
            slot.retry = None
            slot.quiet_until = 0
            self._touch(desk, slot)

        slot.retry = self._clock.call_at(self._clock.now() + delay, again)

    async def _once(self, desk: Desk, slot: Slot) -> None:
        table, handle = desk.table, slot.handle
        if is_gone(slot.name):
            await self._messages.delete(desk, slot)
            return
        seat = seat_of(slot.name)
        if seat is not None and slot.name == ping_slot(seat):
            await self._messages.ping(desk, slot, seat)
            return
        if handle is None:
            # A table that is over and was shown everywhere has let go of its messages: they stand as they are.
            if table.live and slot.name in wanted(table):
                await self._messages.create(desk, slot)
            return
        if slot.notice_at == table.version:
            return
        if slot.name == TABLE and table.window is not None and slot.shown is not None:
            return  # within a second the reveal is shown; whoever called at the table has seen the call in the answer
        sheet = desk.sheet(slot)
        print_ = sheet.fingerprint()
        told = handle.told
        if seat is not None and slot.name in wanted(table) and must_be_told(table, seat, told, self._clock.now()):
            await self._messages.send_again(desk, slot, seat, sheet)
        elif print_ != slot.shown:
            answered = slot.answered
            try:
                await self._messages.edit(handle, sheet)
            except Gone:
                await self._messages.replace(desk, slot)
                return
            except TooOld:
                await self._messages.renew(desk, slot, sheet)
            except Expired:  # an ephemeral message that nothing can reach any more
                await self._messages.drop(desk, slot)
                return
            if slot.answered != answered or slot.handle is None or slot.handle.message != handle.message:
                # Somebody was answered, or the slot moved, while this edit was on its way: which came last?
                slot.shown, slot.dirty = None, True
                return
        slot.shown = print_

    # Handles

    async def _load(self, desk: Desk) -> None:
        async with desk.loading:
            if desk.loaded:
                return
            for handle in await self._store.handles(desk.table.id):
                slot = desk.slot(handle.slot)
                if slot.handle is None:
                    slot.handle = handle
            desk.loaded = True
        for slot in list(desk.slots.values()):
            self._touch(desk, slot)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _forget_if_done(self, desk: Desk) -> None:
        """A table that is over, and shows it everywhere, needs neither desk nor handles any more. Until then it
        is taken up again after a restart."""
        if desk.table.live or not desk.loaded or self._desks.get(desk.table.id) is not desk:
            return
        if any(slot.task or slot.answering or slot.dirty or slot.clicks for slot in desk.slots.values()):
            return
        del self._desks[desk.table.id]
        self._inherited.discard(desk.table.id)
        if self._redrawing:
            self._done.add(desk.table.id)
        await self._store.drop_handles(desk.table.id)


def _check_readers(name: str, click: Click) -> None:
    """A hand is shown in direct messages and ephemeral ones alone.

    Raises:
        ValueError: *click* was made on a message that others can read, and *name* is somebody's hand.
    """
    assert click.message is not None
    if name != TABLE and click.guild_id is not None and not click.message.flags.ephemeral:
        raise ValueError(f"{name} must not be shown in a public message")
