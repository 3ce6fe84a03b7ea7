"""Brings slots up to date: does what ``decision`` says, tries again, starts over where something has changed meanwhile.

Each slot has at most one task at work, so changes that come in the meantime are one edit.
"""

import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from bot.clock import Clock
from bot.delivery.decision import Decision, Do, decide, known
from bot.delivery.faults import Busy, Expired, Gone, NoChannel, NoEntry, TooOld
from bot.delivery.messages import Messages
from bot.delivery.registry import Registry
from bot.delivery.slots import FIRST_RETRY_MS, Slot, TableSlots, seat_of
from bot.log import fields

log = logging.getLogger(__name__)

LAST_RETRY_MS: Final = 60_000
SHUT_OUT_MS: Final = 60_000
"""After Discord has said no: look again not sooner than this, whatever happens at the table."""


class Updates:
    """Brings slots up to date. ``no_channel`` is called with the id of a table's channel that turns out to be gone."""

    def __init__(
        self,
        registry: Registry,
        messages: Messages,
        clock: Clock,
        no_channel: Callable[[int], Coroutine[Any, Any, None]],
    ) -> None:
        self._registry = registry
        self._messages = messages
        self._clock = clock
        self._no_channel = no_channel

    def touch(self, slots: TableSlots, slot: Slot) -> None:
        """*slot* may be out of date. While clicks are being answered in it, that is the answers' work."""
        slot.dirty = True
        if self._registry.stopped or slot.task is not None or slot.clicks or slot.answering is not None:
            return
        if slot.quiet_until > self._clock.now():
            return
        slot.task = self._registry.spawn(self._bring(slots, slot))

    async def _bring(self, slots: TableSlots, slot: Slot) -> None:
        """Bring *slot* to the newest view, again and again until nothing has changed meanwhile."""
        try:
            await self._registry.load(slots)
            while slot.dirty and not self._registry.stopped and not slot.clicks and slot.answering is None:
                slot.dirty = False
                decision = decide(slots.table, slot.name, known(slots, slot), self._clock.now())
                await self._do(decision, slots, slot)
            slot.retry_ms = FIRST_RETRY_MS
        except Busy:
            self._later(slots, slot, slot.retry_ms)
            slot.retry_ms = min(2 * slot.retry_ms, LAST_RETRY_MS)
        except NoChannel:
            log.warning("channel gone", extra=fields(table=slots.table.id, slot=slot.name))
            await self._without_channel(slots, slot)
        except NoEntry:
            log.warning("shut out", extra=fields(table=slots.table.id, slot=slot.name))
            slot.quiet_until = self._clock.now() + SHUT_OUT_MS
            self._later(slots, slot, SHUT_OUT_MS)
        except Exception:  # the boundary of this task: the slot must not stop for a bug
            log.exception("delivery failed", extra=fields(table=slots.table.id, slot=slot.name))
            self._later(slots, slot, LAST_RETRY_MS)
        finally:
            slot.task = None
        await self._registry.forget_if_done(slots)

    async def _do(self, decision: Decision, slots: TableSlots, slot: Slot) -> None:
        """Do what has been decided."""
        seat = seat_of(slot.name)
        match decision:
            case Decision(Do.DELETE):
                await self._messages.delete(slots, slot)
            case Decision(Do.PING):
                assert seat is not None
                await self._messages.ping(slots, slot, seat)
            case Decision(Do.CREATE):
                await self._messages.create(slots, slot)
            case Decision(Do.SEND_AGAIN, sheet, fingerprint):
                assert seat is not None and sheet is not None
                await self._messages.send_again(slots, slot, seat, sheet)
                slot.shown = fingerprint
            case Decision(Do.EDIT):
                await self._edit(decision, slots, slot)
            case Decision(Do.NOTHING):
                pass

    async def _edit(self, decision: Decision, slots: TableSlots, slot: Slot) -> None:
        """Edit the slot's message, or do what there is left to do where it takes no edit any more."""
        handle, answered, sheet = slot.handle, slot.answered, decision.sheet
        assert handle is not None and sheet is not None
        try:
            await self._messages.edit(handle, sheet)
        except Gone:
            await self._messages.replace(slots, slot)
            return
        except TooOld:
            await self._messages.renew(slots, slot, sheet)
        except Expired:  # an ephemeral message that nothing can reach any more
            await self._messages.drop(slots, slot)
            return
        if slot.answered != answered or slot.handle is None or slot.handle.message != handle.message:
            # Somebody was answered, or the slot moved, while this edit was on its way: which came last?
            slot.shown, slot.dirty = None, True
            return
        slot.shown = decision.fingerprint

    async def _without_channel(self, slots: TableSlots, slot: Slot) -> None:
        """The slot can be shown nowhere any more; with the table's own channel the table goes."""
        gone = slot.handle.channel if slot.handle is not None else slots.table.channel
        await self._messages.drop(slots, slot)
        if gone == slots.table.channel and slots.table.live:
            self._registry.spawn(self._no_channel(gone))

    def _later(self, slots: TableSlots, slot: Slot, delay: int) -> None:
        """Look at *slot* again in *delay* ms."""
        slot.dirty = True
        if slot.retry is not None:
            slot.retry.cancel()

        def again() -> None:
            slot.retry = None
            slot.quiet_until = 0
            self.touch(slots, slot)

        slot.retry = self._clock.call_at(self._clock.now() + delay, again)
