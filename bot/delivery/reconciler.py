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

import discord

from bot.clock import Alarm, Clock
from bot.delivery.courier import Busy, Courier, Expired, Gone, NoEntry
from bot.delivery.slots import TABLE, must_be_told, news_of, ping_slot, seat_of, sheet_for, wanted
from bot.log import fields
from bot.present.sheet import Sheet
from bot.store.store import Handle, Store
from bot.tables.model import Phase, Table, TableId
from engine.game import Seat

log = logging.getLogger(__name__)

TOKEN_LIFE_MS: Final = 14 * 60_000
"""Interaction tokens live 15 minutes; the last one is left alone."""
FIRST_RETRY_MS: Final = 1_000
LAST_RETRY_MS: Final = 60_000
SHUT_OUT_MS: Final = 60_000
"""After Discord has said no: look again not sooner than this, whatever happens at the table."""

Click = discord.Interaction[Any]


class _Slot:
    """One message of a table: where it is, what it shows, what waits for it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.handle: Handle | None = None
        self.shown: str | None = None
        self.clicks: list[Click] = []
        self.patience: tuple[int, Alarm] | None = None
        """Clicks wait for the game to get past this ply, at most until the alarm."""
        self.dirty = False
        self.task: asyncio.Task[None] | None = None
        self.retry: Alarm | None = None
        self.retry_ms = FIRST_RETRY_MS
        self.quiet_until = 0
        self.lock = asyncio.Lock()


class _Desk:
    """The slots of one table, and its newest version."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.slots: dict[str, _Slot] = {}
        self.loading = asyncio.Lock()
        self.loaded = False

    def slot(self, name: str) -> _Slot:
        return self.slots.setdefault(name, _Slot(name))

    @property
    def message(self) -> int | None:
        """The table message's id."""
        handle = self.slot(TABLE).handle
        return handle.message if handle else None


class Reconciler:
    """Tell it of every new version of a table; it does the rest.

    ``no_dm`` is called with (table, user) when a person turns out not to take direct messages.
    """

    def __init__(
        self,
        store: Store,
        courier: Courier,
        clock: Clock,
        no_dm: Callable[[TableId, int], Coroutine[Any, Any, None]],
    ) -> None:
        self._store = store
        self._courier = courier
        self._clock = clock
        self._no_dm = no_dm
        self._desks: dict[TableId, _Desk] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False

    # What happens at the tables

    def tell(self, table: Table) -> None:
        """*table* has a new version (or is seen for the first time after a restart)."""
        desk = self._desks.get(table.id)
        if desk is None:
            desk = self._desks[table.id] = _Desk(table)
        if table.version >= desk.table.version:
            desk.table = table
        for name in wanted(table):
            desk.slot(name)
        for slot in list(desk.slots.values()):
            self._touch(desk, slot)

    async def desk(self, table: Table) -> _Desk:
        """The desk of *table*, its handles loaded."""
        desk = self._desks.get(table.id)
        if desk is None:
            desk = self._desks[table.id] = _Desk(table)
        await self._load(desk)
        return desk

    async def message_of(self, table: Table) -> int | None:
        """The id of the table message, where there is one."""
        desk = await self.desk(table)
        message = desk.message
        self._forget_if_done(desk)
        return message

    async def stop(self) -> None:
        """Finish the requests at work; begin none."""
        self._stopped = True
        for desk in self._desks.values():
            for slot in desk.slots.values():
                if slot.retry is not None:
                    slot.retry.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks))

    # Answering clicks

    async def slot_of(self, table: Table, click: Click) -> str | None:
        """The slot of the message that was clicked; an unknown message becomes the slot it looks like."""
        assert click.message is not None
        desk = await self.desk(table)
        for slot in desk.slots.values():
            if slot.handle is not None and slot.handle.message == click.message.id:
                return slot.name
        return None

    async def adopt(self, table: Table, name: str, click: Click) -> None:
        """The clicked message is the slot *name* from now on: it is the one its owner looks at."""
        assert click.message is not None and click.channel_id is not None
        desk = await self.desk(table)
        slot = desk.slot(name)
        async with slot.lock:
            slot.shown = None
            await self._put(desk, slot, Handle(name, click.channel_id, click.message.id))

    def answer(self, table: Table, name: str, click: Click) -> None:
        """Answer *click* with the newest view of the slot it was made on. Call it right after the change."""
        desk = self._desks.get(table.id) or self._desks.setdefault(table.id, _Desk(table))
        slot = desk.slot(name)
        slot.clicks.append(click)
        self._impatient(slot)
        self._touch(desk, slot)

    def answer_after(self, table: Table, name: str, click: Click, at: int) -> None:
        """As ``answer``, but wait until the game has got past its present ply, or until *at* (ms)."""
        desk = self._desks.get(table.id) or self._desks.setdefault(table.id, _Desk(table))
        slot = desk.slot(name)
        self._impatient(slot)
        slot.clicks.append(click)

        def enough() -> None:
            self._impatient(slot)
            self._touch(desk, slot)

        slot.patience = (table.rules.ply(table.state), self._clock.call_at(at, enough))
        self._touch(desk, slot)

    async def answer_with_notice(self, table: Table, name: str, click: Click, notice: str) -> None:
        """Answer *click* on a hand message with the newest hand and a sentence above it."""
        desk = await self.desk(table)
        slot = desk.slot(name)
        async with slot.lock:
            sheet = sheet_for(desk.table, name, desk.message, notice)
            await self._courier.update(click, sheet)
            slot.shown = sheet.fingerprint()
            self._refresh_token(slot, click)
        self._forget_if_done(desk)

    async def reply_with_slot(self, table: Table, name: str, click: Click, *, private: bool) -> None:
        """Answer *click* with a new message that is the slot *name* from now on. The old one, if private, is
        deleted where that is still possible."""
        desk = await self.desk(table)
        slot = desk.slot(name)
        async with slot.lock:
            old = slot.handle
            sheet = sheet_for(desk.table, name, desk.message)
            message = await self._courier.reply(click, sheet, private=private)
            assert click.channel_id is not None
            handle = Handle(name, click.channel_id, message, click.token, self._clock.now(), old.told if old else 0)
            slot.shown = sheet.fingerprint()
            await self._put(desk, slot, handle)
            if private and old is not None and old.token and self._fresh(old):
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
                nonce = self._nonce(desk, slot, "down")
                handle = Handle(TABLE, table.channel, await self._courier.send(table.channel, sheet, nonce))
            slot.shown = sheet.fingerprint()
            await self._put(desk, slot, handle)
            if old is not None:
                try:
                    await self._edit(old, moved(handle.message))
                except (Gone, NoEntry, Busy) as error:
                    log.info("old table message stays", extra=fields(table=table.id, fault=type(error).__name__))
        self.tell(desk.table)

    # The work

    def _touch(self, desk: _Desk, slot: _Slot) -> None:
        slot.dirty = True
        if self._stopped or slot.task is not None or self._waits(desk, slot):
            return
        if slot.quiet_until > self._clock.now() and not slot.clicks:
            return
        slot.task = asyncio.get_running_loop().create_task(self._bring(desk, slot))
        self._tasks.add(slot.task)
        slot.task.add_done_callback(self._tasks.discard)

    def _waits(self, desk: _Desk, slot: _Slot) -> bool:
        """Whether the slot's clicks still wait for the game to go on."""
        if slot.patience is None:
            return False
        table = desk.table
        if table.phase is Phase.PLAYING and slot.patience[0] == table.rules.ply(table.state):
            return True
        self._impatient(slot)
        return False

    @staticmethod
    def _impatient(slot: _Slot) -> None:
        if slot.patience is not None:
            slot.patience[1].cancel()
            slot.patience = None

    async def _bring(self, desk: _Desk, slot: _Slot) -> None:
        """Bring *slot* to the newest view, again and again until nothing has changed meanwhile."""
        try:
            await self._load(desk)
            while slot.dirty and not self._stopped and not self._waits(desk, slot):
                slot.dirty = False
                async with slot.lock:
                    await self._once(desk, slot)
            slot.retry_ms = FIRST_RETRY_MS
        except Busy:
            self._later(desk, slot, slot.retry_ms)
            slot.retry_ms = min(2 * slot.retry_ms, LAST_RETRY_MS)
        except NoEntry:
            log.warning("shut out", extra=fields(table=desk.table.id, slot=slot.name))
            slot.quiet_until = self._clock.now() + SHUT_OUT_MS
            self._later(desk, slot, SHUT_OUT_MS)
        except Exception:
            log.exception("delivery failed", extra=fields(table=desk.table.id, slot=slot.name))
            self._later(desk, slot, LAST_RETRY_MS)
        finally:
            slot.task = None
        self._forget_if_done(desk)

    def _later(self, desk: _Desk, slot: _Slot, delay: int) -> None:
        slot.dirty = True
        if slot.retry is not None:
            slot.retry.cancel()

        def again() -> None:
            slot.retry = None
            slot.quiet_until = 0
            if desk.table.live or slot.name == TABLE:
                self._touch(desk, slot)

        slot.retry = self._clock.call_at(self._clock.now() + delay, again)

    async def _once(self, desk: _Desk, slot: _Slot) -> None:
        table, seat = desk.table, seat_of(slot.name)
        if seat is not None and slot.name == ping_slot(seat):
            await self._ping(desk, slot, seat)
            return
        if slot.handle is None and not slot.clicks and slot.name not in wanted(table):
            return
        sheet = sheet_for(table, slot.name, desk.message)
        print_ = sheet.fingerprint()
        if await self._answer(slot, sheet, print_):
            return
        if slot.handle is None:
            await self._create(desk, slot, sheet)
        elif (
            seat is not None
            and slot.name in wanted(table)
            and must_be_told(table, seat, slot.handle.told, self._clock.now())
        ):
            await self._send_again(desk, slot, seat, sheet)
        elif print_ != slot.shown:
            try:
                await self._edit(slot.handle, sheet)
            except Gone:
                await self._replace(desk, slot, sheet)
            except Expired:  # an ephemeral message that nothing can reach any more
                await self._drop(desk, slot)
                return
        slot.shown = print_

    async def _answer(self, slot: _Slot, sheet: Sheet, print_: str) -> bool:
        """Answer every click that waits; whether one of the answers has brought the slot up to date."""
        answered = False
        clicks, slot.clicks = slot.clicks, []
        for click in clicks:
            try:
                if print_ == slot.shown:
                    await self._courier.acknowledge(click)
                else:
                    await self._courier.update(click, sheet)
                    slot.shown = print_
            except (Expired, Gone, Busy, NoEntry) as error:
                log.info("click not answered", extra=fields(slot=slot.name, fault=type(error).__name__))
                continue
            self._refresh_token(slot, click)
            answered = True
        return answered

    def _refresh_token(self, slot: _Slot, click: Click) -> None:
        if slot.handle is not None and click.message is not None and slot.handle.message == click.message.id:
            slot.handle = slot.handle._replace(token=click.token, token_at=self._clock.now())

    async def _create(self, desk: _Desk, slot: _Slot, sheet: Sheet) -> None:
        table, seat = desk.table, seat_of(slot.name)
        nonce = self._nonce(desk, slot)
        if seat is None:
            message = await self._courier.send(table.channel, sheet, nonce)
            await self._put(desk, slot, Handle(slot.name, table.channel, message))
            for other in desk.slots.values():
                if other is not slot:
                    self._touch(desk, other)  # their links point at the new message
            return
        user = table.players[seat].user
        assert user is not None
        try:
            channel = await self._courier.private_channel(user)
            message = await self._courier.send(channel, sheet, nonce)
        except NoEntry:
            log.info("no direct messages", extra=fields(table=table.id, seat=seat))
            del desk.slots[slot.name]
            self._spawn(self._no_dm(table.id, user))
            return
        await self._put(desk, slot, Handle(slot.name, channel, message, told=news_of(table, seat)))

    async def _send_again(self, desk: _Desk, slot: _Slot, seat: Seat, sheet: Sheet) -> None:
        """The hand as a new message, because edits do not notify; the old one goes."""
        old = slot.handle
        assert old is not None
        news = news_of(desk.table, seat)
        try:
            message = await self._new_private(desk, slot, old, sheet, news)
        except NoEntry:
            user = desk.table.players[seat].user
            assert user is not None
            await self._drop(desk, slot)
            self._spawn(self._no_dm(desk.table.id, user))
            return
        await self._put(desk, slot, Handle(slot.name, old.channel, message, told=news))
        try:
            await self._courier.delete(old.channel, old.message)
        except (Gone, NoEntry):
            log.debug("old hand was gone", extra=fields(table=desk.table.id, slot=slot.name))

    async def _new_private(self, desk: _Desk, slot: _Slot, old: Handle, sheet: Sheet, news: int) -> int:
        if old.token is not None and self._fresh(old):
            try:
                return await self._courier.follow_up(old.token, sheet)
            except (Expired, Gone):
                log.debug("token spent", extra=fields(table=desk.table.id, slot=slot.name))
        return await self._courier.send(old.channel, sheet, self._nonce(desk, slot, str(news)))

    async def _ping(self, desk: _Desk, slot: _Slot, seat: Seat) -> None:
        """The mention stands while its person is on turn and needs to be told, then it goes."""
        table = desk.table
        news = news_of(table, seat)
        if slot.handle is not None and news == 0:
            try:
                await self._courier.delete(slot.handle.channel, slot.handle.message)
            except (Gone, NoEntry):
                log.debug("ping was gone", extra=fields(table=table.id))
            await self._drop(desk, slot)
        elif slot.handle is None and must_be_told(table, seat, 0, self._clock.now()):
            user = table.players[seat].user
            assert user is not None
            sheet = sheet_for(table, slot.name, desk.message)
            nonce = self._nonce(desk, slot, str(news))
            message = await self._courier.send(table.channel, sheet, nonce, mention=user)
            await self._put(desk, slot, Handle(slot.name, table.channel, message, told=news))

    async def _replace(self, desk: _Desk, slot: _Slot, sheet: Sheet) -> None:
        """Somebody deleted the message: another takes its place where that is possible."""
        log.info("message replaced", extra=fields(table=desk.table.id, slot=slot.name))
        await self._drop(desk, slot, keep=True)
        if slot.name in wanted(desk.table):
            await self._create(desk, slot, sheet)

    async def _edit(self, handle: Handle, sheet: Sheet) -> None:
        if handle.token is not None and self._fresh(handle):
            try:
                await self._courier.edit_original(handle.token, sheet)
                return
            except Expired:
                log.debug("token spent", extra=fields(slot=handle.slot))
        if handle.slot.startswith("here:"):
            raise Expired
        await self._courier.edit(handle.channel, handle.message, sheet)

    def _fresh(self, handle: Handle) -> bool:
        return self._clock.now() - handle.token_at < TOKEN_LIFE_MS

    def _nonce(self, desk: _Desk, slot: _Slot, more: str = "") -> str:
        return f"{desk.table.id}{slot.name}{more or desk.table.version}"[-25:]

    # Handles

    async def _load(self, desk: _Desk) -> None:
        async with desk.loading:
            if desk.loaded:
                return
            for handle in await self._store.handles(desk.table.id):
                slot = desk.slot(handle.slot)
                if slot.handle is None:
                    slot.handle = handle
                    slot.dirty = True
            desk.loaded = True
        if desk.table.live:
            for slot in list(desk.slots.values()):
                self._touch(desk, slot)

    async def _put(self, desk: _Desk, slot: _Slot, handle: Handle) -> None:
        slot.handle = handle
        await self._store.put_handle(desk.table.id, handle)

    async def _drop(self, desk: _Desk, slot: _Slot, *, keep: bool = False) -> None:
        slot.handle = None
        slot.shown = None
        if not keep:
            desk.slots.pop(slot.name, None)
        await self._store.drop_handle(desk.table.id, slot.name)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forget_if_done(self, desk: _Desk) -> None:
        """A table that is over and shows it needs no desk any more."""
        if desk.table.live:
            return
        if all(slot.task is None and not slot.dirty and not slot.clicks for slot in desk.slots.values()):
            self._desks.pop(desk.table.id, None)
