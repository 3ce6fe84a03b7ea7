"""Single messages: sent, edited, sent again so that they notify, replaced, deleted. Where each one is, is recorded."""

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
"""How long an interaction token is used: it is valid for 15 minutes, and the last one is left as a margin."""


class Messages:
    """Sends and changes the messages of tables, one at a time, and records where each one is.

    ``touch`` is called with every slot that is out of date because of it; ``no_dm`` with (table, user, whether they
    have left the server) when a person turns out to take no direct messages.
    """

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
        """Send the message of *slot*, if it has none; it replaces the deleted message *instead_of*, if that is not 0.

        If the person takes no direct messages, ``no_dm`` is called instead.
        """
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
        """Send the hand as a new message that replaces the old one, since edits do not notify.

        If the person takes no direct messages, ``no_dm`` is called instead.
        """
        old = slot.handle
        assert old is not None
        due = due_notification(slots.table, seat)
        try:
            message = await self._send_new_hand(slots, slot, old, sheet, due)
        except NoEntry as no:
            user = slots.table.players[seat].user
            assert user is not None
            await self.drop(slots, slot)
            self._no_dm(slots.table.id, user, no.code == NO_COMMON_SERVER)
            return
        await self._supersede(slots, slot, old, Handle(slot.name, old.channel, message, told=due))

    async def renew(self, slots: TableSlots, slot: Slot, sheet: Sheet) -> None:
        """Send a new message that replaces one which takes no more edits."""
        old = slot.handle
        assert old is not None
        log.info("message renewed", extra=fields(table=slots.table.id, slot=slot.name))
        message = await self.send(slots, slot, old.channel, sheet, old.message)
        await self._supersede(slots, slot, old, Handle(slot.name, old.channel, message, told=old.told))
        if slot.name == TABLE:
            for other in slots.all():
                self._touch(slots, other)  # their links point at the new message

    async def _supersede(self, slots: TableSlots, slot: Slot, old: Handle, new: Handle) -> None:
        """Record that the message of *slot* is now at *new*, and have the one at *old* deleted, even after a
        restart."""
        obsolete = slots.slot(gone_slot(old.message))
        await self.put(slots, obsolete, old._replace(slot=obsolete.name))
        await self.put(slots, slot, new)
        self._touch(slots, obsolete)

    async def _send_new_hand(self, slots: TableSlots, slot: Slot, old: Handle, sheet: Sheet, occasion: int) -> int:
        """Send a hand beside the message at *old* and return its id; *occasion* is what it notifies of.

        While the token of *old* is valid it is a follow-up, which does not count against the rate limit.
        """
        if old.token is not None and self.fresh(old):
            try:
                return await self._courier.follow_up(old.token, sheet)
            except (Expired, Gone):
                log.debug("token spent", extra=fields(table=slots.table.id, slot=slot.name))
        return await self.send(slots, slot, old.channel, sheet, occasion)

    async def ping(self, slots: TableSlots, slot: Slot, seat: Seat) -> None:
        """Send, replace or delete the mention of the person in *seat*, or do nothing, as their turn requires.

        It is deleted when their turn is over, and replaced by another one for the reminder.
        """
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
        """Delete the message of *slot*, if it is not deleted yet, and forget it."""
        if slot.handle is not None:
            try:
                await self._courier.delete(slot.handle.channel, slot.handle.message)
            except (Gone, NoEntry):
                log.debug("message was gone", extra=fields(table=slots.table.id, slot=slot.name))
        await self.drop(slots, slot)

    async def replace(self, slots: TableSlots, slot: Slot) -> None:
        """Send a new message for *slot*, whose message somebody has deleted, if there must be one."""
        log.info("message replaced", extra=fields(table=slots.table.id, slot=slot.name))
        deleted = slot.handle.message if slot.handle else 0
        await self.drop(slots, slot, keep=True)
        if slot.name in wanted(slots.table):
            await self.create(slots, slot, deleted)

    async def edit(self, handle: Handle, sheet: Sheet) -> None:
        """Change the message at *handle* to *sheet*: with its interaction token while that is valid, else with the
        bot's token.

        Raises:
            Expired: it is an ephemeral message that can no longer be changed.
            Gone, NoEntry, TooOld, Busy: Discord refuses the edit.
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
        """Whether *handle*'s interaction token is still valid."""
        return self._clock.now() - handle.token_at < TOKEN_LIFE_MS

    async def send(
        self, slots: TableSlots, slot: Slot, channel: int, sheet: Sheet, occasion: int, mention: int | None = None
    ) -> int:
        """Send *sheet* as a new message of *slot* in *channel* and return its id; it may notify the person *mention*.

        *occasion* tells it from the slot's earlier messages: what it notifies of, or the id of the message that it
        replaces. If a response was lost, sending again makes no second message: Discord answers the same nonce with the
        first one. That one shows what was true then, so where it may be an earlier one it is edited.
        """
        nonce = f"{slots.table.id}{slot.name.replace(':', '')}{occasion % 10**10}"[:25]
        earlier = slot.nonce == nonce or (slots.inherited and not slot.nonce)
        slot.nonce = nonce
        message = await self._courier.send(channel, sheet, nonce, mention)
        if earlier and mention is None:  # a mention always says the same, so it need not be edited
            try:
                await self._courier.edit(channel, message, sheet)
            except Gone:  # somebody deleted it in the meantime: the next edit will find that out
                log.debug("message was gone", extra=fields(table=slots.table.id, slot=slot.name))
        return message

    async def put(self, slots: TableSlots, slot: Slot, handle: Handle) -> None:
        """Record *handle* as the place of the message of *slot*, here and in the store."""
        slot.handle = handle
        await self._store.put_handle(slots.table.id, handle)

    async def drop(self, slots: TableSlots, slot: Slot, *, keep: bool = False) -> None:
        """Forget the message of *slot*, here and in the store; unless *keep*, forget the slot as well."""
        slot.handle = None
        slot.shown = None
        if not keep:
            slots.slots.pop(slot.name, None)
        await self._store.drop_handle(slots.table.id, slot.name)
