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

from sqlalchemy.exc import OperationalError

from bot.choices import People
from bot.clock import Clock
from bot.delivery import limits
from bot.delivery.answers import Answers, Notes
from bot.delivery.discord_api import Courier
from bot.delivery.errors import (
    Archived,
    Busy,
    Dropped,
    Expired,
    Fault,
    Gone,
    NoChannel,
    NoEntry,
    Refused,
    TakesNoDms,
    TooManyDms,
    TooOld,
)
from bot.delivery.limits import ShardLost
from bot.delivery.messages import NEW_IN_PERIOD, Deadlines, DirectMessages, Messages
from bot.delivery.plan import (
    LAST_WORD_MS,
    Decision,
    Do,
    decide,
    due_notification,
    known,
    may_differ,
    mention_from,
    offers_turn,
    wanted,
)
from bot.delivery.registry import Registry
from bot.delivery.slots import (
    FIRST_RETRY_MS,
    TABLE,
    UNREACHED_MS,
    ChannelClick,
    Click,
    Slot,
    TableSlots,
    hand_slot,
    is_direct,
    is_ephemeral,
    is_superseded,
    ping_slot,
    seat_of,
    turn_of,
)
from bot.delivery.tokens import Tokens
from bot.log import fields
from bot.store.store import Store
from bot.tables.errors import UnusableTable
from bot.tables.model import Table, TableId
from bot.tables.service import LATE_OFFER_MS
from bot.tables.shards import AllShards, Shards
from engine.game import Seat

# Brings slots up to date: does what ``decision`` says, tries again, starts over if something has changed meanwhile.
#
# Each slot has at most one task at work, so changes that come in the meantime make one edit. This module has over 300
# lines because everything that may become of an attempt is in it.


LAST_RETRY_MS: Final = 60_000
SHUT_OUT_MS: Final = 60_000
"""How long no request is made for a slot after Discord has refused us access, whatever happens at the table. The time
doubles with every refusal in a row."""
LEFT_ALONE_MS: Final = 5_000
"""How long at least, even if something changes in the server: roles may change every second."""
REFUSED_MS: Final = 4_000
"""The same after Discord has refused a message in every form."""
LAST_SHUT_OUT_MS: Final = 6 * 3_600_000
RENEWED_MS: Final = 600_000
"""How long no second new message is sent because a thread is archived: edits do not keep it open."""
CONVERSATION_FAILS: Final = (10003, 50001)
"""Errors with which Discord refuses a conversation that it does not have any more, or that was another application's.
"""
HELD_AGAIN_MS: Final = 500
LET_GO_MS: Final = 24 * 3_600_000
"""A message of a table that is over stays as it is once Discord has refused it for so long."""


class Updates:
    """Brings slots up to date.

    ``no_channel`` is called with the id of a live table's channel that Discord says it does not know, ``unusable`` with
    a table that cannot be shown twice, a minute apart, while it stood still; ``deal`` with (table, id of its message)
    once the cards can be dealt; ``offered`` with (table, its ``turn_began``) when Discord has taken the first message
    that offers a turn to its person; ``start_refused`` with a table that is starting, where the bot may not write.
    """

    def __init__(
        self,
        registry: Registry,
        messages: Messages,
        clock: Clock,
        no_channel: Callable[[int], Coroutine[Any, Any, None]],
        unusable: Callable[[UnusableTable], Coroutine[Any, Any, None]],
        deal: Callable[[TableId, int], Coroutine[Any, Any, None]],
        offered: Callable[[TableId, int], Coroutine[Any, Any, None]],
        start_refused: Callable[[TableId], Coroutine[Any, Any, None]],
    ) -> None:
        self._start_refused = start_refused
        self._deal = deal
        self._offered = offered
        self._registry = registry
        self._messages = messages
        self._clock = clock
        self._no_channel = no_channel
        self._unusable = unusable
        self._unanswered: dict[Slot, TableSlots] = {}
        """Slots that wait because Discord did not answer, or had no time."""

    def touch(self, slots: TableSlots, slot: Slot) -> None:
        """Note that the message of *slot* may be out of date, and start a task that brings it up to date.

        No task is started if one is at work, if clicks are being answered (the answers bring it up to date), after
        Discord has shut us out (then later), or once the program stops.
        """
        slot.dirty = True
        if slot.clicks or slot.answering is not None:
            return
        if slot.task is not None:
            self._watch_last_word(slots, slot)  # the token may be that of a click that was answered just now
            return
        if not self._registry.may_work(slots):
            if self._registry.is_lost(slots):
                self._registry.leave(slots)
            elif not self._registry.stopped:  # it may turn out that nobody has taken over
                self._touch_later(slots, slot, HELD_AGAIN_MS)
            return
        self._watch_last_word(slots, slot)
        if slot.quiet_until > self._clock.now():
            return
        slot.task = self._registry.spawn(self._bring_up_to_date(slots, slot))

    def touch_at(self, slots: TableSlots, slot: Slot, when: int) -> None:
        """Touch *slot* at the time *when* (ms); until then it is up to date."""
        if slot.retry is not None:
            slot.retry.cancel()

        def now() -> None:
            slot.retry = None
            self.touch(slots, slot)

        slot.retry = self._clock.call_at(when, now)

    async def _bring_up_to_date(self, slots: TableSlots, slot: Slot) -> None:
        """Bring the message of *slot* up to date, until nothing has changed meanwhile; if that fails, try again
        later."""
        self._unanswered.pop(slot, None)
        limits.enter(slots.table.guild)
        current = False
        try:
            await self._registry.load(slots)
            await self._registry.calm.wait()
            while slot.dirty and self._registry.may_work(slots) and not slot.clicks and slot.answering is None:
                slot.dirty = False
                if self._messages.must_wait(slots, slot):
                    break
                now = self._clock.now()
                decision = decide(slots.table, slot.name, known(slots, slot, now), now)
                try:
                    await self._carry_out(decision, slots, slot)
                except NoEntry as no:
                    if not await self._conversation_forgotten(slots, slot, no):
                        raise
                    slot.dirty = True
            slot.retry_ms = FIRST_RETRY_MS
            slot.refusals = slot.failing_since = 0
            current = not slot.dirty
            self._try_the_others()
        except Dropped:
            log.debug("no longer wanted", extra=fields(table=slots.table.id, slot=slot.name))
        except ShardLost:
            log.debug("served elsewhere", extra=fields(table=slots.table.id, slot=slot.name))
            self._registry.leave(slots)
        except (Busy, OperationalError, OSError) as error:  # Discord or the store does not answer, or has no time
            if not isinstance(error, Busy):
                log.warning("not delivered yet", extra=fields(table=slots.table.id, fault=type(error).__name__))
            self._unanswered[slot] = slots
            slot.tried_at = self._clock.now()
            self._touch_later(slots, slot, max(slot.retry_ms, error.wait_ms if isinstance(error, Busy) else 0))
            slot.retry_ms = min(2 * slot.retry_ms, LAST_RETRY_MS)
        except (TakesNoDms, TooManyDms, NoEntry, Refused) as no:
            await self._refused(slots, slot, no)
        except UnusableTable as error:
            log.exception("message cannot be made", extra=fields(table=slots.table.id, slot=slot.name))
            if slot.failed_at == slots.table.version:
                self._registry.forget(slots)
                self._registry.spawn(self._unusable(error))
            else:  # the game may move on meanwhile; it often can by another message
                slot.failed_at = slots.table.version
                self._touch_later(slots, slot, LAST_RETRY_MS)
        except Exception:  # the boundary of this task: a bug must not stop the slot for ever
            log.exception("delivery failed", extra=fields(table=slots.table.id, slot=slot.name))
            self._touch_later(slots, slot, LAST_RETRY_MS)
        finally:
            slot.task = None
        self._note_offer(slots, slot, current=current)
        if slot.dirty and slot.retry is None and not self._registry.may_work(slots):
            self.touch(slots, slot)  # its shard was in doubt, and nobody else comes back to it
        try:
            await self._registry.forget_if_done(slots)
        except ShardLost:
            log.debug("served elsewhere", extra=fields(table=slots.table.id))
        except Exception:  # the boundary of this task: the next start finds the records, and forgets them then
            log.exception("records of a finished table not deleted", extra=fields(table=slots.table.id))

    def _note_offer(self, slots: TableSlots, slot: Slot, *, current: bool) -> None:
        """Note it if Discord has taken the first message that offers the running turn to its person: that of *slot*.
        *current*: the message shows what it should."""
        now, turn = self._clock.now(), turn_of(slots.table)
        if slots.offered == turn or not offers_turn(slots, slot, now, current=current):
            return
        slots.offered = turn
        if now - max(slots.table.clock_began + slots.table.turn_credit, mention_from(slots.table)) >= LATE_OFFER_MS:
            self._registry.spawn(self._offered(slots.table.id, slots.table.turn_began))

    def _try_the_others(self) -> None:
        """Try those slots again now that Discord answers; but not what was tried a moment ago, as it may be the only
        thing that Discord does not answer."""
        now = self._clock.now()
        for slot, slots in list(self._unanswered.items()):
            if now - slot.tried_at >= FIRST_RETRY_MS:
                del self._unanswered[slot]
                self.touch(slots, slot)

    async def _conversation_forgotten(self, slots: TableSlots, slot: Slot, no: NoEntry) -> bool:
        """Whether *no* says that the conversation with the person of *slot*, a hand as a direct message, is not there
        any more, so that it was forgotten, and the hand can be sent in a new one."""
        seat = seat_of(slot.name) if is_direct(slot.name) else None
        if seat is None or no.code not in CONVERSATION_FAILS:
            return False
        return await self._messages.forget_conversation(slots, slot, seat)

    async def _refused(self, slots: TableSlots, slot: Slot, no: TakesNoDms | TooManyDms | NoEntry | Refused) -> None:
        """Do what is possible after Discord has refused the message of *slot* with *no*."""
        seat = seat_of(slot.name) if is_direct(slot.name) else None
        match no:
            case TakesNoDms() if seat is not None and slots.table.live:
                await self._messages.takes_no_dms(slots, slot, seat, no)
                slot.failing_since = 0
            case TakesNoDms():
                await self._messages.drop(slots, slot)
            case TooManyDms(until=until) if seat is not None:
                await self._messages.show_in_channel(slots, seat)
                wait = until - self._clock.now()
                self._touch_later(slots, slot, wait if wait > 0 else LAST_RETRY_MS)
            case NoChannel():
                await self._lose_channel(slots, slot, no)
            case _:
                await self._shut_out(slots, slot, no)

    async def _shut_out(self, slots: TableSlots, slot: Slot, no: Fault) -> None:
        """Try *slot* again much later, since Discord would refuse the same again with *no*; if the table is over, give
        up after a day."""
        now = self._clock.now()
        slot.refused_since = slot.refused_since if slot.refusals else now
        slot.refusals += 1
        slot.refused_at = now
        log.warning("shut out", extra=fields(table=slots.table.id, slot=slot.name, code=no.code, times=slot.refusals))
        if not slots.table.live and now - max(slot.refused_since, slots.table.changed_at) >= LET_GO_MS:
            await self._messages.drop(slots, slot)
            return
        if isinstance(no, NoEntry) and slots.table.starting and not slots.table.start_refused:
            self._registry.spawn(self._start_refused(slots.table.id))
        least = SHUT_OUT_MS if isinstance(no, NoEntry) else REFUSED_MS
        delay = min(least * 2 ** (slot.refusals - 1), LAST_SHUT_OUT_MS)
        slot.quiet_until = self._clock.now() + delay
        self._touch_later(slots, slot, delay)

    def access_changed(self, slots: TableSlots) -> None:
        """Try those slots again at once that were shut out a while ago, because something has changed in their
        server."""
        now = self._clock.now()
        for slot in slots.all():
            if slot.quiet_until > now and now - slot.refused_at >= LEFT_ALONE_MS:
                self._wake(slots, slot)

    def clicked(self, slots: TableSlots, seat: Seat | None, message: int | None) -> None:
        """Try those slots again that were shut out and that the person in *seat* (``None``: a spectator) looks at, as
        they have clicked on *message*, or used a command: Discord may take it now.

        What was clicked has a fresh token, so it is tried at once; the others not more often than once a minute, as
        many refusals get the bot banned.
        """
        now = self._clock.now()
        for slot in slots.all():
            if slot.quiet_until <= now or is_superseded(slot.name) or seat_of(slot.name) not in (None, seat):
                continue
            on_it = slot.handle is not None and slot.handle.message == message
            if on_it or now - slot.refused_at >= SHUT_OUT_MS:
                self._wake(slots, slot)

    def _wake(self, slots: TableSlots, slot: Slot) -> None:
        """Try *slot* again, which was shut out. If Discord refuses that, too, it is left alone for even longer."""
        slot.quiet_until = 0
        self.touch(slots, slot)

    def start_is_over(self, slots: TableSlots) -> None:
        """Let no slot wait any longer because Discord has refused a message while the table was starting: what is to be
        done now is something else."""
        for slot in slots.all():
            slot.quiet_until = slot.refusals = 0

    def _watch_unreached(self, slots: TableSlots, slot: Slot) -> None:
        """Have the person whose turn it is mentioned in the channel if *slot*, their hand as a direct message, is still
        not taken in a while."""
        seat = seat_of(slot.name) if is_direct(slot.name) else None
        if seat is None or due_notification(slots.table, seat) == 0:
            return
        ping, due = slots.slot(ping_slot(seat)), slot.failing_since + UNREACHED_MS
        if due > self._clock.now():
            self.touch_at(slots, ping, due)

    def _watch_last_word(self, slots: TableSlots, slot: Slot) -> None:
        """Have *slot*, if it is a live hand, touched when a token can edit it for the last time."""
        handle = slot.handle
        if slot.last_word is not None:
            slot.last_word.cancel()
            slot.last_word = None
        if handle is not None and handle.token is not None and seat_of(slot.name) is not None and slots.table.live:
            due = handle.token_at + LAST_WORD_MS
            if due > self._clock.now():
                slot.last_word = self._clock.call_at(due, lambda: self.touch(slots, slot))

    async def _carry_out(self, decision: Decision, slots: TableSlots, slot: Slot) -> None:
        """Do what *decision* says about the message of *slot*."""
        seat = seat_of(slot.name)
        match decision:
            case Decision(Do.DELETE):
                await self._messages.delete(slots, slot)
            case Decision(Do.PING):
                assert seat is not None
                await self._messages.ping(slots, slot, seat)
            case Decision(Do.CREATE):
                await self._messages.create(slots, slot)
                slot.dirty = slot.dirty or (slots.table.starting and slot.name == TABLE)
            case Decision(Do.SEND_AGAIN):
                assert seat is not None
                await self._messages.send_again(slots, slot, seat)
            case Decision(Do.RENEW, sheet, fingerprint):
                assert sheet is not None
                await self._messages.renew(slots, slot, sheet)
                slot.shown = fingerprint
                slot.dirty = slot.dirty or slots.table.starting
            case Decision(Do.DEAL):
                assert slot.handle is not None
                try:
                    await self._deal(slots.table.id, slot.handle.message)
                except (OperationalError, OSError) as error:  # the store does not take it now
                    log.warning("not dealt yet", extra=fields(table=slots.table.id, fault=type(error).__name__))
                    raise Busy from error
            case Decision(Do.LOOK):
                await self._messages.look(slots, slot)
            case Decision(Do.FIND):
                await self._messages.find_reply(slots, slot)
            case Decision(Do.FORGET | Do.WITHDRAW as do):
                if do is Do.WITHDRAW:
                    assert slot.handle is not None
                    await self._messages.withdraw(slots, slot.handle)
                await self._messages.drop(slots, slot, keep=slots.table.starting)
                slot.dirty = slot.dirty or slots.table.starting  # another Start needs a message of its own
            case Decision(Do.LAST_EDIT, sheet):
                assert sheet is not None
                await self._messages.last_edit(slots, slot, sheet)
            case Decision(Do.EDIT):
                await self._edit(decision, slots, slot)
            case Decision(Do.NOTHING):
                pass

    async def _edit(self, decision: Decision, slots: TableSlots, slot: Slot) -> None:
        """Edit the message of *slot* to the decision's sheet; if it cannot be edited, send a new one or forget it."""
        handle, sheet = slot.handle, decision.sheet
        assert handle is not None and sheet is not None
        try:
            await self._messages.edit(slots, slot, sheet)
        except (Gone, Archived, TooOld, Expired) as no:
            if slot.handle is None or slot.handle.message != handle.message:
                slot.shown, slot.dirty = None, True  # another message has taken its place during this edit
                return
            await self._cannot_edit(no, decision, slots, slot)

    async def _cannot_edit(
        self, no: Gone | Archived | TooOld | Expired, decision: Decision, slots: TableSlots, slot: Slot
    ) -> None:
        """Send a new message instead of that of *slot*, which cannot be edited because of *no*, or forget it."""
        sheet = decision.sheet
        assert sheet is not None
        match no:
            case Gone():
                await self._messages.replace(slots, slot)
            case Archived():
                await self._reopen(decision, slots, slot)
            case TooOld() if not is_ephemeral(slot.name):
                await self._messages.renew(slots, slot, sheet)
                slot.shown = decision.fingerprint
            case _:  # an ephemeral message that nothing can reach any more: its person presses My hand
                await self._messages.drop(slots, slot)

    async def _reopen(self, decision: Decision, slots: TableSlots, slot: Slot) -> None:
        """Bring the message of *slot* up to date, which is in an archived thread: with a new message, which reopens it
        and brings it back into people's lists; if that was done lately, or only one person may see the message, by
        reopening it."""
        now, sheet = self._clock.now(), decision.sheet
        assert slot.handle is not None and sheet is not None
        if is_ephemeral(slot.name) or now - slot.renewed_at < RENEWED_MS:
            await self._messages.edit_in_archive(slots, slot, sheet)
        else:
            slot.renewed_at = now
            await self._messages.renew(slots, slot, sheet)
            slot.shown = decision.fingerprint

    async def _lose_channel(self, slots: TableSlots, slot: Slot, no: NoChannel) -> None:
        """Report that Discord does not know the table's own channel, where the message of *slot* is: if it is deleted,
        the table ends. Until then it is tried again later. Of a table that is over, and in any other channel, the
        message is forgotten."""
        channel = slot.handle.channel if slot.handle is not None else slots.table.channel
        if channel == slots.table.channel and slots.table.live:
            await self._shut_out(slots, slot, no)
            self._registry.spawn(self._no_channel(channel))
        else:
            await self._messages.drop(slots, slot)

    def leave(self, slots: TableSlots) -> None:
        """Do nothing more about *slots*, which another process keeps up to date."""
        for slot in slots.all():
            self._unanswered.pop(slot, None)

    def _touch_later(self, slots: TableSlots, slot: Slot, delay: int) -> None:
        """Touch *slot* in *delay* ms."""
        slot.dirty = True
        if slots.left:
            return
        if slot.retry is not None:
            slot.retry.cancel()
        if not slot.failing_since:
            slot.failing_since = self._clock.now()
        self._watch_unreached(slots, slot)

        def again() -> None:
            slot.retry = None
            slot.quiet_until = 0
            self.touch(slots, slot)

        slot.retry = self._clock.call_at(self._clock.now() + delay, again)
        self._messages.touch_direct(slots, slot)


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
        unusable: Callable[[UnusableTable], Coroutine[Any, Any, None]],
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
