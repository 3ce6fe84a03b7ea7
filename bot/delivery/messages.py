"""Single messages: made, edited, sent again so that they notify, replaced, deleted - and where each one is."""

import logging
from collections.abc import Callable
from typing import Any, Final

from bot.clock import Clock
from bot.delivery.content import due_notification, must_notify, sheet_for, wanted
from bot.delivery.courier import Courier
from bot.delivery.faults import NO_COMMON_SERVER, Expired, Gone, NoEntry
from bot.delivery.slots import TABLE, Slot, TableSlots, gone_slot, is_ephemeral, seat_of
from bot.log import fields
from bot.present.sheet import Sheet
from bot.store.store import Handle, Store
from bot.tables.model import TableId
from engine.game import Seat

log = logging.getLogger(__name__)

TOKEN_LIFE_MS: Final = 14 * 60_000
"""Interaction tokens live 15 minutes; the last one is left alone."""


class Messages:
    """The messages of every table, one at a time. ``touch`` asks for a slot to be looked at again; ``no_dm`` is told
    of (table, user, whether they have left the server) when a person turns out not to take direct messages."""

    def __init__(
        self,
        store: Store,
        courier: Courier,
        clock: Clock,
        touch: Callable[[TableSlots, Slot], None],
        no_dm: Callable[[TableId, int, bool], Any],
    ) -> None:
        self._store = store
        self._courier = courier
        self._clock = clock
        self._touch = touch
        self._no_dm = no_dm

    async def create(self, slots: TableSlots, slot: Slot, instead_of: int = 0) -> None:
        """A new message for *slot*, in place of the deleted message *instead_of*."""
        table, seat = slots.table, seat_of(slot.name)
        async with slot.lock:
            if slot.handle is not None:
                return
            sheet = sheet_for(slots.table, slot.name, slots.message, picked=slots.picked(slot))
            if seat is None:
                message = await self.send(slots, slot, table.channel, sheet, instead_of)
                slot.shown = sheet.fingerprint()
                await self.put(slots, slot, Handle(slot.name, table.channel, message))
                for other in slots.all():
                    if other is not slot:
                        self._touch(slots, other)  # their links point at the new message
                return
            user = table.players[seat].user
            assert user is not None
            try:
                channel = await self._courier.private_channel(user)
                message = await self.send(slots, slot, channel, sheet, instead_of)
            except NoEntry as no:
                log.info("no direct messages", extra=fields(table=table.id, seat=seat))
                slots.slots.pop(slot.name, None)
                self._no_dm(table.id, user, no.code == NO_COMMON_SERVER)
                return
            slot.shown = sheet.fingerprint()
            await self.put(slots, slot, Handle(slot.name, channel, message, told=due_notification(table, seat)))

    async def send_again(self, slots: TableSlots, slot: Slot, seat: Seat, sheet: Sheet) -> None:
        """The hand as a new message, because edits do not notify; the old one goes."""
        old = slot.handle
        assert old is not None
        due = due_notification(slots.table, seat)
        try:
            message = await self._new_hand(slots, slot, old, sheet, due)
        except NoEntry as no:
            user = slots.table.players[seat].user
            assert user is not None
            await self.drop(slots, slot)
            self._no_dm(slots.table.id, user, no.code == NO_COMMON_SERVER)
            return
        await self._supersede(slots, slot, old, Handle(slot.name, old.channel, message, told=due))

    async def renew(self, slots: TableSlots, slot: Slot, sheet: Sheet) -> None:
        """A new message in place of one that takes no more edits; the old one goes."""
        old = slot.handle
        assert old is not None
        log.info("message renewed", extra=fields(table=slots.table.id, slot=slot.name))
        message = await self.send(slots, slot, old.channel, sheet, old.message)
        await self._supersede(slots, slot, old, Handle(slot.name, old.channel, message, told=old.told))
        if slot.name == TABLE:
            for other in slots.all():
                self._touch(slots, other)  # their links point at the new message

    async def _supersede(self, slots: TableSlots, slot: Slot, old: Handle, new: Handle) -> None:
        """*slot* is at *new* from now on, and the message at *old* goes, be it after a restart."""
        goes = slots.slot(gone_slot(old.message))
        await self.put(slots, goes, old._replace(slot=goes.name))
        await self.put(slots, slot, new)
        self._touch(slots, goes)

    async def _new_hand(self, slots: TableSlots, slot: Slot, old: Handle, sheet: Sheet, occasion: int) -> int:
        """A new message beside *old*, its id: as a follow-up while *old*'s token is fresh, which is not counted."""
        if old.token is not None and self.fresh(old):
            try:
                return await self._courier.follow_up(old.token, sheet)
            except (Expired, Gone):
                log.debug("token spent", extra=fields(table=slots.table.id, slot=slot.name))
        return await self.send(slots, slot, old.channel, sheet, occasion)

    async def ping(self, slots: TableSlots, slot: Slot, seat: Seat) -> None:
        """The mention stands while its person is on turn and needs to be told, then it goes; the reminder is
        another one."""
        table = slots.table
        due = due_notification(table, seat)
        told = slot.handle.told if slot.handle else 0
        if slot.handle is not None and told != due:
            await self.delete(slots, slot)
        if slot.handle is None and slot.name in wanted(table) and must_notify(table, seat, told, self._clock.now()):
            user = table.players[seat].user
            assert user is not None
            sheet = sheet_for(slots.table, slot.name, slots.message, picked=slots.picked(slot))
            message = await self.send(slots, slot, table.channel, sheet, due, mention=user)
            slots.slots[slot.name] = slot
            await self.put(slots, slot, Handle(slot.name, table.channel, message, told=due))

    async def delete(self, slots: TableSlots, slot: Slot) -> None:
        """The slot's message goes."""
        if slot.handle is not None:
            try:
                await self._courier.delete(slot.handle.channel, slot.handle.message)
            except (Gone, NoEntry):
                log.debug("message was gone", extra=fields(table=slots.table.id, slot=slot.name))
        await self.drop(slots, slot)

    async def replace(self, slots: TableSlots, slot: Slot) -> None:
        """Somebody deleted the message: another takes its place where that is possible."""
        log.info("message replaced", extra=fields(table=slots.table.id, slot=slot.name))
        deleted = slot.handle.message if slot.handle else 0
        await self.drop(slots, slot, keep=True)
        if slot.name in wanted(slots.table):
            await self.create(slots, slot, deleted)

    async def edit(self, handle: Handle, sheet: Sheet) -> None:
        """Bring the message of *handle* to *sheet*, over its token while that is fresh.

        Raises:
            Expired: it is an ephemeral message that nothing can reach any more.
            Gone, NoEntry, Busy: as Discord says.
        """
        if handle.token is not None and self.fresh(handle):
            try:
                await self._courier.edit_original(handle.token, sheet)
                return
            except Expired:
                log.debug("token spent", extra=fields(slot=handle.slot))
        if is_ephemeral(handle.slot):
            raise Expired
        await self._courier.edit(handle.channel, handle.message, sheet)

    def fresh(self, handle: Handle) -> bool:
        """Whether *handle*'s token still works."""
        return self._clock.now() - handle.token_at < TOKEN_LIFE_MS

    async def send(
        self, slots: TableSlots, slot: Slot, channel: int, sheet: Sheet, occasion: int, mention: int | None = None
    ) -> int:
        """A new message in *channel*, its id; *occasion* tells it from the slot's earlier ones: what it
        notifies of, or the id of the message whose place it takes.

        A lost response makes no second message: Discord answers the same nonce with the first one. That one shows what
        was the case then, so where it may be an earlier one it is edited.
        """
        nonce = f"{slots.table.id}{slot.name.replace(':', '')}{occasion % 10**10}"[:25]
        earlier = slot.nonce == nonce or (slots.inherited and not slot.nonce)
        slot.nonce = nonce
        message = await self._courier.send(channel, sheet, nonce, mention)
        if earlier and mention is None:  # what mentions somebody says the same at all times
            try:
                await self._courier.edit(channel, message, sheet)
            except Gone:  # by somebody else in the meantime: the next edit will find that out
                log.debug("message was gone", extra=fields(table=slots.table.id, slot=slot.name))
        return message

    async def put(self, slots: TableSlots, slot: Slot, handle: Handle) -> None:
        """*slot* is where *handle* says, from now on."""
        slot.handle = handle
        await self._store.put_handle(slots.table.id, handle)

    async def drop(self, slots: TableSlots, slot: Slot, *, keep: bool = False) -> None:
        """*slot* has no message any more; unless *keep*, it is forgotten."""
        slot.handle = None
        slot.shown = None
        if not keep:
            slots.slots.pop(slot.name, None)
        await self._store.drop_handle(slots.table.id, slot.name)
