"""Makes every message of every table show the newest view.

A message that shows it already is left alone. Otherwise it is changed in the cheapest way there is: by the answer to a
waiting click, with a valid interaction token, or with the bot's token. After a restart the reconciler goes through all
messages, and changes those that differ from what the store remembers of them (``shown``): that is the whole recovery.
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
from bot.delivery.discord_api import DiscordApi
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
    LAST_EDIT_MS,
    Decision,
    MessageAction,
    decide_action,
    differs_only_by_ordinary_move,
    earliest_mention_ms,
    message_state,
    notification_occasion,
    required_slots,
    shows_turn_to_player,
    slot_change_predicate,
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
    dm_hand_slot,
    is_dm_hand_slot,
    is_ephemeral_hand_slot,
    is_superseded_slot,
    mention_slot,
    slot_seat,
    turn_key,
)
from bot.delivery.tokens import Tokens
from bot.log import fields
from bot.store.store import Store
from bot.tables.errors import UnusableTable
from bot.tables.model import Table, TableId
from bot.tables.service import LATE_OFFER_MS
from bot.tables.shards import AllShards, Shards
from engine.game import Seat

# Updates of slots: carry out a ``Decision``, try again, start over if something has changed meanwhile.
#
# Each slot has at most one task at work, so all changes that come in the meantime make one edit.


MAX_RETRY_MS: Final = 60_000
NO_ACCESS_RETRY_MS: Final = 60_000
"""How long no request is made for a slot after Discord has refused the bot access, whatever happens at the table. The
time doubles with every refusal in a row."""
ACCESS_RETRY_MIN_MS: Final = 5_000
"""How long a refused slot is left alone at least, even if something changes in the server: roles may change every
second."""
REFUSED_RETRY_MS: Final = 4_000
"""How long no request is made after Discord has refused a message in every form; it doubles in the same way."""
MAX_REFUSED_RETRY_MS: Final = 6 * 3_600_000
REPLACEMENT_INTERVAL_MS: Final = 600_000
"""How long no second new message is sent because a thread is archived: edits do not keep it open."""
LOST_CONVERSATION_CODES: Final = (10003, 50001)
"""Error codes for a conversation that Discord does not have any more, or that belonged to another application."""
SHARD_RETRY_MS: Final = 500
GIVE_UP_MS: Final = 24 * 3_600_000
"""A message of a finished table stays as it is once Discord has refused it for this long."""


class SlotUpdater:
    """Brings the messages of tables up to date: sends, edits or deletes each one as ``decide_action`` says, retries
    after failures, one task per slot.

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

    def request_update(self, slots: TableSlots, slot: Slot, *, may_wait: bool = False) -> None:
        """Mark the message of *slot* as possibly out of date, and start a task that updates it, unless one runs or it
        must wait.

        *may_wait*: only an ordinary move was made, so the table message may be updated later (``edit_may_wait_until``).

        No task is started if one is at work, if clicks are being answered (the answers update the message), after
        Discord has refused access (then later), or once the program stops.
        """
        if may_wait:
            slot.behind_since = slot.behind_since or self._clock.now()
        else:
            slot.urgent = True
        slot.dirty = True
        if slot.clicks or slot.answering is not None:
            return
        if slot.task is not None:
            self._schedule_final_edit(slots, slot)  # the token may be that of a click that was answered just now
            return
        if not self._registry.may_update(slots):
            if self._registry.is_served_elsewhere(slots):
                self._registry.hand_over_to_other_process(slots)
            elif not self._registry.stopped:  # it may turn out that nobody has taken over
                self._schedule_retry_after_failure(slots, slot, SHARD_RETRY_MS)
            return
        self._schedule_final_edit(slots, slot)
        if slot.quiet_until > self._clock.now():
            return
        slot.task = self._registry.spawn(self._update_slot(slots, slot))

    def request_update_at(self, slots: TableSlots, slot: Slot, when: int) -> None:
        """Set an alarm that requests an update of *slot* at *when* (ms), in place of the slot's earlier alarm."""
        if slot.retry is not None:
            slot.retry.cancel()

        def now() -> None:
            slot.retry = None
            self.request_update(slots, slot)

        slot.retry = self._clock.call_at(when, now)

    def _postpone_update(self, slots: TableSlots, slot: Slot, until: int | None) -> None:
        """Let the update of *slot* wait until *until* (ms); ``None``: it is made now."""
        if slot.waiting is not None:
            slot.waiting.cancel()
            slot.waiting = None
        if until is None:
            slot.urgent, slot.behind_since = False, 0
            return

        def due() -> None:
            slot.waiting = None
            self.request_update(slots, slot, may_wait=True)

        slot.waiting = self._clock.call_at(until, due)

    async def _update_slot(self, slots: TableSlots, slot: Slot) -> None:
        """Decide what the message of *slot* needs and do it, again if something changed meanwhile; on a failure
        schedule a retry. Raises nothing."""
        self._unanswered.pop(slot, None)
        limits.set_request_guild(slots.table.guild, slots)
        current = waits = False
        try:
            await self._registry.load_handles(slots)
            await self._registry.busy_loop_gate.wait_while_busy()
            while slot.dirty and self._registry.may_update(slots) and not slot.clicks and slot.answering is None:
                slot.dirty = False
                if self._messages.defer_edit_if_click_unanswered(slots, slot):
                    break
                now = self._clock.now()
                decision = decide_action(slots.table, slot.name, message_state(slots, slot, now), now)
                waits = decision.do is MessageAction.WAIT
                self._postpone_update(slots, slot, decision.until if waits else None)
                try:
                    await self._carry_out_decision(decision, slots, slot)
                except NoEntry as no:
                    if not await self._forget_lost_dm_channel(slots, slot, no):
                        raise
                    slot.dirty = True
            slot.retry_ms = FIRST_RETRY_MS
            slot.refusals = slot.failing_since = 0
            current = not slot.dirty and not waits
            self._retry_slots_without_response()
        except Dropped:
            log.debug("no longer wanted", extra=fields(table=slots.table.id, slot=slot.name))
        except ShardLost:
            log.debug("served elsewhere", extra=fields(table=slots.table.id, slot=slot.name))
            self._registry.hand_over_to_other_process(slots)
        except (Busy, OperationalError, OSError) as error:  # Discord or the store does not answer, or has no time
            if not isinstance(error, Busy):
                log.warning("not delivered yet", extra=fields(table=slots.table.id, fault=type(error).__name__))
            self._unanswered[slot] = slots
            slot.tried_at = self._clock.now()
            self._schedule_retry_after_failure(
                slots, slot, max(slot.retry_ms, error.wait_ms if isinstance(error, Busy) else 0)
            )
            slot.retry_ms = min(2 * slot.retry_ms, MAX_RETRY_MS)
        except (TakesNoDms, TooManyDms, NoEntry, Refused) as no:
            await self._handle_refusal(slots, slot, no)
        except UnusableTable as error:
            log.exception("message cannot be made", extra=fields(table=slots.table.id, slot=slot.name))
            if slot.failed_at == slots.table.version:
                self._registry.remove(slots)
                self._registry.spawn(self._unusable(error))
            else:  # the game may move on meanwhile; it often can by another message
                slot.failed_at = slots.table.version
                self._schedule_retry_after_failure(slots, slot, MAX_RETRY_MS)
        except Exception:  # the boundary of this task: a bug must not stop the slot for ever
            log.exception("delivery failed", extra=fields(table=slots.table.id, slot=slot.name))
            self._schedule_retry_after_failure(slots, slot, MAX_RETRY_MS)
        finally:
            slot.task = None
        self._record_turn_shown(slots, slot, current=current)
        if slot.dirty and slot.retry is None and not self._registry.may_update(slots):
            self.request_update(slots, slot)  # its shard was in doubt, and nobody else comes back to it
        try:
            await self._registry.forget_table_if_done(slots)
        except ShardLost:
            log.debug("served elsewhere", extra=fields(table=slots.table.id))
        except Exception:  # the boundary of this task: the next start finds the records, and forgets them then
            log.exception("records of a finished table not deleted", extra=fields(table=slots.table.id))

    def _record_turn_shown(self, slots: TableSlots, slot: Slot, *, current: bool) -> None:
        """If *slot* is the first message that lets the player on turn see their turn, record that; if it came 5 s late
        or more, report it (``offered``).

        *current*: the message shows what it should.
        """
        now, turn = self._clock.now(), turn_key(slots.table)
        if slots.offered == turn or not shows_turn_to_player(slots, slot, now, current=current):
            return
        slots.offered = turn
        if (
            now - max(slots.table.clock_began + slots.table.turn_credit, earliest_mention_ms(slots.table))
            >= LATE_OFFER_MS
        ):
            self._registry.spawn(self._offered(slots.table.id, slots.table.turn_began))

    def _retry_slots_without_response(self) -> None:
        """Request updates of all slots to which Discord or the store did not answer a second ago or more, because a
        request has just succeeded; forget slots of tables that are no longer kept up to date here.

        A slot that was tried a moment ago may be the only thing that Discord does not answer.
        """
        now = self._clock.now()
        for slot, slots in list(self._unanswered.items()):
            if self._registry.find(slots.table.id) is not slots:  # it was set aside, or handed over
                del self._unanswered[slot]
            elif now - slot.tried_at >= FIRST_RETRY_MS:
                del self._unanswered[slot]
                self.request_update(slots, slot)

    async def _forget_lost_dm_channel(self, slots: TableSlots, slot: Slot, no: NoEntry) -> bool:
        """If *slot* is a hand by direct message whose channel is gone (as *no* says), forget the channel; return
        whether to send the hand in a new one."""
        seat = slot_seat(slot.name) if is_dm_hand_slot(slot.name) else None
        if seat is None or no.code not in LOST_CONVERSATION_CODES:
            return False
        return await self._messages.forget_dm_channel(slots, slot, seat)

    async def _handle_refusal(
        self, slots: TableSlots, slot: Slot, no: TakesNoDms | TooManyDms | NoEntry | Refused
    ) -> None:
        """React to the refusal *no* of the message of *slot*: show the hand in the channel, retry ever later (and check
        whether the channel is deleted), or forget the message, as when the game is over."""
        seat = slot_seat(slot.name) if is_dm_hand_slot(slot.name) else None
        match no:
            case TakesNoDms() if seat is not None and slots.table.live:
                await self._messages.switch_to_channel_hand(slots, slot, seat, no)
                slot.failing_since = 0
            case TakesNoDms():
                await self._messages.forget_message(slots, slot)
            case TooManyDms(until=until) if seat is not None:
                await self._messages.send_hand_in_channel(slots, seat)
                self._schedule_retry_after_failure(slots, slot, until - self._clock.now() if until else MAX_RETRY_MS)
            case NoChannel():
                await self._handle_missing_channel(slots, slot, no)
            case _:
                await self._back_off(slots, slot, no)

    async def _back_off(self, slots: TableSlots, slot: Slot, no: Fault) -> None:
        """Retry *slot* after a delay that doubles with each refusal, here *no*; if the table is over, give up after a
        day and forget the message."""
        now = self._clock.now()
        slot.refused_since = slot.refused_since if slot.refusals else now
        slot.refusals += 1
        slot.refused_at = now
        log.warning("shut out", extra=fields(table=slots.table.id, slot=slot.name, code=no.code, times=slot.refusals))
        if not slots.table.live and now - max(slot.refused_since, slots.table.changed_at) >= GIVE_UP_MS:
            await self._messages.forget_message(slots, slot)
            return
        if isinstance(no, NoEntry) and slots.table.starting and not slots.table.start_refused:
            self._registry.spawn(self._start_refused(slots.table.id))
        least = NO_ACCESS_RETRY_MS if isinstance(no, NoEntry) else REFUSED_RETRY_MS
        delay = min(least * 2 ** (slot.refusals - 1), MAX_REFUSED_RETRY_MS)
        slot.quiet_until = self._clock.now() + delay
        self._schedule_retry_after_failure(slots, slot, delay)

    def retry_after_access_change(self, slots: TableSlots) -> None:
        """Retry at once the slots of a table that Discord refused more than 5 s ago, because permissions may have
        changed in its server."""
        now = self._clock.now()
        for slot in slots.all():
            if slot.quiet_until > now and now - slot.refused_at >= ACCESS_RETRY_MIN_MS:
                self._retry_now(slots, slot)

    def retry_refused_after_click(self, slots: TableSlots, seat: Seat | None, message: int | None) -> None:
        """Retry the refused slots that the person in *seat* (``None``: a spectator) sees, because they have just
        clicked on *message* (an id) or used a command. If that was the table message, or a command, the table message
        waits no longer.

        Discord may take the messages now. The clicked message has a fresh token, so it is retried at once; the others
        not more often than once a minute, as many refusals get the bot banned.
        """
        now = self._clock.now()
        if message in (None, slots.table_message) and slots.slot(TABLE).behind_since:
            self.request_update(slots, slots.slot(TABLE))
        for slot in slots.all():
            if slot.quiet_until <= now or is_superseded_slot(slot.name) or slot_seat(slot.name) not in (None, seat):
                continue
            on_it = slot.handle is not None and slot.handle.message == message
            if on_it or now - slot.refused_at >= NO_ACCESS_RETRY_MS:
                self._retry_now(slots, slot)

    def _retry_now(self, slots: TableSlots, slot: Slot) -> None:
        """Request an update of the refused *slot* now, before its delay is over."""
        slot.quiet_until = 0
        self.request_update(slots, slot)

    def end_retry_delays(self, slots: TableSlots) -> None:
        """End the retry delays of all slots of a table that is no longer starting: its messages are others now than
        those that Discord refused."""
        for slot in slots.all():
            slot.quiet_until = slot.refusals = 0

    def _schedule_mention(self, slots: TableSlots, slot: Slot) -> None:
        """If Discord does not take the hand by direct message of the player on turn (*slot*), plan to mention them in
        the channel 15 s after the first failure."""
        seat = slot_seat(slot.name) if is_dm_hand_slot(slot.name) else None
        if seat is None or notification_occasion(slots.table, seat) == 0:
            return
        ping, due = slots.slot(mention_slot(seat)), slot.failing_since + UNREACHED_MS
        if due > self._clock.now():
            self.request_update_at(slots, ping, due)

    def _schedule_final_edit(self, slots: TableSlots, slot: Slot) -> None:
        """Set an alarm that updates *slot*, if it is a live hand, for the last time, 13.5 minutes after the click that
        brought its token."""
        handle = slot.handle
        if slot.last_word is not None:
            slot.last_word.cancel()
            slot.last_word = None
        if handle is not None and handle.token is not None and slot_seat(slot.name) is not None and slots.table.live:
            due = handle.token_at + LAST_EDIT_MS
            if due > self._clock.now():
                slot.last_word = self._clock.call_at(due, lambda: self.request_update(slots, slot))

    async def _carry_out_decision(self, decision: Decision, slots: TableSlots, slot: Slot) -> None:
        """Send, edit, replace, delete or forget the message of *slot*, or deal the cards, as *decision* says."""
        seat = slot_seat(slot.name)
        match decision:
            case Decision(MessageAction.DELETE):
                await self._messages.delete(slots, slot)
            case Decision(MessageAction.PING):
                assert seat is not None
                await self._messages.update_mention(slots, slot, seat)
            case Decision(MessageAction.CREATE):
                await self._messages.create(slots, slot)
                slot.dirty = slot.dirty or (slots.table.starting and slot.name == TABLE)
            case Decision(MessageAction.SEND_AGAIN):
                assert seat is not None
                await self._messages.send_notifying_hand(slots, slot, seat)
            case Decision(MessageAction.RENEW, sheet, fingerprint):
                assert sheet is not None
                await self._messages.send_replacement(slots, slot, sheet)
                slot.shown = fingerprint
                slot.dirty = slot.dirty or slots.table.starting
            case Decision(MessageAction.DEAL):
                assert slot.handle is not None
                try:
                    await self._deal(slots.table.id, slot.handle.message)
                except (OperationalError, OSError) as error:  # the store does not take it now
                    log.warning("not dealt yet", extra=fields(table=slots.table.id, fault=type(error).__name__))
                    raise Busy from error
            case Decision(MessageAction.LOOK):
                await self._messages.replace_if_deleted(slots, slot)
            case Decision(MessageAction.FIND):
                await self._messages.find_and_adopt_reply(slots, slot)
            case Decision(MessageAction.FORGET | MessageAction.WITHDRAW as do):
                if do is MessageAction.WITHDRAW:
                    assert slot.handle is not None
                    await self._messages.delete_soon(slots, slot.handle)
                await self._messages.forget_message(slots, slot, keep=slots.table.starting)
                slot.dirty = slot.dirty or slots.table.starting  # another Start needs a message of its own
            case Decision(MessageAction.LAST_EDIT, sheet):
                assert sheet is not None
                await self._messages.edit_and_forget_message(slots, slot, sheet)
            case Decision(MessageAction.EDIT):
                await self._edit_or_replace_message(decision, slots, slot)
            case Decision(MessageAction.NOTHING | MessageAction.WAIT):
                pass

    async def _edit_or_replace_message(self, decision: Decision, slots: TableSlots, slot: Slot) -> None:
        """Edit the message of *slot* to the sheet of *decision*; if Discord takes no edit of it, send a new message or
        forget the old one."""
        handle, sheet = slot.handle, decision.sheet
        assert handle is not None and sheet is not None
        try:
            await self._messages.edit(slots, slot, sheet)
        except (Gone, Archived, TooOld, Expired) as no:
            if slot.handle is None or slot.handle.message != handle.message:
                slot.shown, slot.dirty = None, True  # another message has taken its place during this edit
                return
            await self._handle_failed_edit(no, decision, slots, slot)

    async def _handle_failed_edit(
        self, no: Gone | Archived | TooOld | Expired, decision: Decision, slots: TableSlots, slot: Slot
    ) -> None:
        """After an edit of *slot* failed with *no*: send a new message if the old one is deleted or too old, reopen its
        archived thread, or forget it."""
        sheet = decision.sheet
        assert sheet is not None
        match no:
            case Gone():
                await self._messages.replace_deleted(slots, slot)
            case Archived():
                await self._update_in_archived_thread(decision, slots, slot)
            case TooOld() if not is_ephemeral_hand_slot(slot.name):
                await self._messages.send_replacement(slots, slot, sheet)
                slot.shown = decision.fingerprint
            case _:  # an ephemeral message that nothing can reach any more: its person presses My hand
                await self._messages.forget_message(slots, slot)

    async def _update_in_archived_thread(self, decision: Decision, slots: TableSlots, slot: Slot) -> None:
        """Update the message of *slot* in an archived thread: send a new message, which reopens it, or, if that was
        done lately, reopen it and edit.

        A new message brings the thread back into people's lists. A message for one person is always edited.
        """
        now, sheet = self._clock.now(), decision.sheet
        assert slot.handle is not None and sheet is not None
        if is_ephemeral_hand_slot(slot.name) or now - slot.renewed_at < REPLACEMENT_INTERVAL_MS:
            await self._messages.edit_in_archived_thread(slots, slot, sheet)
        else:
            slot.renewed_at = now
            await self._messages.send_replacement(slots, slot, sheet)
            slot.shown = decision.fingerprint

    async def _handle_missing_channel(self, slots: TableSlots, slot: Slot, no: NoChannel) -> None:
        """Discord does not know the channel of *slot*: if it is a live table's, retry later and have it checked whether
        it is deleted; else forget the message."""
        channel = slot.handle.channel if slot.handle is not None else slots.table.channel
        if channel == slots.table.channel and slots.table.live:
            await self._back_off(slots, slot, no)
            self._registry.spawn(self._no_channel(channel))
        else:
            await self._messages.forget_message(slots, slot)

    def _schedule_retry_after_failure(self, slots: TableSlots, slot: Slot, delay: int) -> None:
        """After a failure set an alarm that updates *slot* in *delay* ms, record since when it fails, and plan a
        mention if it is the hand of the player on turn."""
        slot.dirty = True
        if slots.left:
            return
        if slot.retry is not None:
            slot.retry.cancel()
        if not slot.failing_since:
            slot.failing_since = self._clock.now()
        self._schedule_mention(slots, slot)

        def again() -> None:
            slot.retry = None
            slot.quiet_until = 0
            self.request_update(slots, slot)

        slot.retry = self._clock.call_at(self._clock.now() + delay, again)
        self._messages.update_dm_hand(slots, slot)


log = logging.getLogger(__name__)

REDRAWN_AT_ONCE: Final = 8
LEAVING_SECONDS: Final = 0.5
"""How long requests may still take about tables that another process is to serve."""


class Reconciler:
    """Keeps all messages of all tables up to date on Discord, and answers clicks on them (``answers``). Give it every
    new version of a table (``update_table``).

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
        api: DiscordApi,
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
        self._only_waits = api.is_waiting_for_rate_limit
        self._at_work: set[asyncio.Task[Any]] = set()
        """The tasks that serve interactions."""
        self._registry = Registry(store, clock, shards)
        self.direct = DirectMessages(store, api, clock, new_dms)
        self.deadlines = Deadlines(clock, api, self._registry.spawn)
        tokens = Tokens(store, api, clock, self._registry.spawn)
        messages = Messages(
            store,
            api,
            tokens,
            self.direct,
            clock,
            lambda slots, slot: self._updates.request_update(slots, slot),
            lambda slots, slot, when: self._updates.request_update_at(slots, slot, when),
            lambda *who: self._registry.spawn(no_dm(*who)),
            self.deadlines,
            self._registry.fingerprints,
        )
        self._updates = SlotUpdater(self._registry, messages, clock, no_channel, unusable, deal, offered, start_refused)
        self._registry.request_update = self._updates.request_update
        self.answers = Answers(self._registry, messages, tokens, api, clock, people, self._update_all)
        self.notes = Notes(api, clock, self._registry)
        self._waiting: deque[TableId] = deque()
        """Tables that wait for a ``redraw``."""
        self._redrawing = 0
        """How many tasks redraw them."""

    def update_table(self, table: Table) -> None:
        """Request updates of the messages that differ between *table*, a new version, and the version before; answer
        the clicks that wait for it."""
        self.notes.delete_notes_on_decided_calls(table)
        slots = self._registry.find(table.id)
        if slots is None or table.version < slots.table.version:
            # Seen for the first time; or this version is older than the one that is known.
            self._update_all(table)
            return
        before, slots.table = slots.table, table
        if before.starting and not table.starting:
            self._updates.end_retry_delays(slots)
        self._registry.fingerprints.schedule_recording_after_save(slots, changed=table.version > before.version)
        self._add_required_slots(slots)
        differs = slot_change_predicate(before, table)
        moved = differs_only_by_ordinary_move(before, table)
        for slot in slots.all():
            self.answers.answer_ready_clicks(slots, slot)
            if slot.handle is None or (differs(slot.name) and not is_superseded_slot(slot.name)):
                self._updates.request_update(slots, slot, may_wait=moved)

    def _get_slots_and_keep_newest(self, table: Table) -> TableSlots:
        """Return the slots of *table*, added if it is new here, and keep *table* in them as the newest version if it
        is."""
        slots = self._registry.get_or_add_slots(table)
        known = slots.table.version
        if table.version >= known:
            slots.table = table
        self._registry.fingerprints.schedule_recording_after_save(slots, changed=slots.table.version > known)
        return slots

    def _add_required_slots(self, slots: TableSlots) -> None:
        """Add to *slots* an empty slot for every message that the table needs now and does not have."""
        now = self._clock.now()
        for name in required_slots(slots.table, lambda seat: slots.dms_failing(seat, now)):
            slots.slot(name)

    def _update_all(self, table: Table) -> None:
        """Request an update of every message of *table*, even if nothing seems to have changed, and answer the clicks
        that need not wait."""
        slots = self._get_slots_and_keep_newest(table)
        self._add_required_slots(slots)
        for slot in slots.all():
            self.answers.answer_ready_clicks(slots, slot)
            self._updates.request_update(slots, slot)

    def retry_after_access_change(self, guild: int) -> None:
        """Retry the messages that Discord has refused in the server *guild* more than 5 s ago, because permissions may
        have changed there."""
        for slots in self._registry.all_slots():
            if slots.table.guild == guild:
                self._updates.retry_after_access_change(slots)

    def retry_refused_after_click(self, table: Table, click: Click) -> None:
        """Retry the refused messages of *table* that the person of *click* sees, update a table message that waits, and
        keep the click's token, which can send them their hand later.

        *click* may also be a command. Call it once the click is answered, or is being answered.
        """
        slots = self._registry.find(table.id)
        if slots is None:
            return
        if click.channel_id == table.channel:
            slots.channel_clicks[click.user.id] = ChannelClick(click.token, self._clock.now())
        message = click.message.id if click.message is not None else None
        self._updates.retry_refused_after_click(slots, slots.table.seat_of(click.user.id), message)

    async def update_finished_table(self, table: Table, click: Click) -> None:
        """Update once more the clicked message of *table*, which is over and whose messages are no longer kept up to
        date."""
        await self.answers.adopt_clicked_message(table, TABLE, click)
        self._update_all(table)

    def decline_dm_hand(self, table: Table, user: int) -> None:
        """Record that *user* wants the hand at *table* in the channel. Then their hand by direct message follows the
        game only while it is their turn, until they click on it."""
        seat, slots = table.seat_of(user), self._registry.find(table.id)
        slot = slots.slots.get(dm_hand_slot(seat)) if slots is not None and seat is not None else None
        if slot is not None:
            slot.declined = True

    def is_turn_shown(self, table: Table) -> bool:
        """Whether Discord has taken a message that lets the player on turn at *table* see their turn; True also if the
        table is not known here."""
        slots = self._registry.find(table.id)
        return slots is None or slots.offered == turn_key(table)

    def take_over(self, tables: list[Table]) -> None:
        """Start to serve *tables*, which another process has served until now: discard what is known of their messages,
        and update all of them."""
        for table in tables:
            if (before := self._registry.find(table.id)) is not None:
                before.left = True
                for slot in before.all():
                    self.answers.answer_all_clicks_now(before, slot)
                self._registry.hand_over_to_other_process(before)
        self._registry.mark_served_by_earlier_process(tables)
        self.redraw(tables)

    def force_redraw(self, tables: list[Table]) -> None:
        """Edit all messages of *tables* again, even if they seem up to date, because another process may have changed
        them."""
        for slots in [found for table in tables if (found := self._registry.find(table.id)) is not None]:
            for slot in slots.all():
                slot.shown = None
        self.redraw(tables)

    def redraw(self, tables: list[Table]) -> None:
        """Queue an update of all messages of *tables*, because they may look different now; at most eight tables are
        updated at a time.

        So a click meanwhile does not have to wait for all of them.
        """
        for table in tables:
            self._get_slots_and_keep_newest(table)
            self._waiting.append(table.id)
        for _ in range(min(REDRAWN_AT_ONCE - self._redrawing, len(tables))):
            self._redrawing += 1
            self._registry.spawn(self._redraw_queued())

    async def _redraw_queued(self) -> None:
        """Update the messages of the queued tables, one table after the other, until the queue is empty."""
        try:
            while self._waiting:
                slots = self._registry.find(self._waiting.popleft())
                if slots is None or slots.left or self._registry.stopped:  # None: it is over and done, or set aside
                    continue
                try:
                    self._update_all(slots.table)
                except Exception:  # the boundary of one table: the others are brought up to date
                    log.exception("a table is not drawn anew", extra=fields(table=slots.table.id))
                while tasks := [slot.task for slot in slots.all() if slot.task]:
                    await asyncio.wait(tasks)
        finally:
            self._redrawing -= 1

    def track_interaction_task(self) -> None:
        """Record that the running task serves an interaction, so that ``hand_over_to_other_process`` waits up to half a
        second for it."""
        task = asyncio.current_task()
        assert task is not None
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)

    async def hand_over_to_other_process(self, served_elsewhere: Callable[[Table], bool]) -> None:
        """Stop serving the tables for which ``served_elsewhere(table)`` is true: answer clicks, finish or cancel
        requests, store what messages show.

        Requests that have begun get half a second. The other process makes the missing requests, and sends no message
        twice.
        """
        if self._at_work:
            await asyncio.wait(set(self._at_work), timeout=LEAVING_SECONDS)
        going = [slots for slots in self._registry.all_slots() if served_elsewhere(slots.table)]
        every = [(slots, slot) for slots in going for slot in slots.all()]
        for slots, slot in every:
            slots.left = True
            slot.cancel_alarms()
            self.answers.answer_all_clicks_now(slots, slot)
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
        await self._registry.fingerprints.record({slots.table.id for slots in going})
        for slots in going:
            self._registry.hand_over_to_other_process(slots)
            self.notes.forget_table(slots.table.id)
        for table in self._registry.tables():
            if served_elsewhere(table):
                self._registry.forget_finished_table(table.id)
                self.notes.forget_table(table.id)

    def abandon_damaged_table(self, table: TableId) -> None:
        """Stop updating the messages of *table*, which is damaged and was set aside, and answer its waiting clicks."""
        slots = self._registry.find(table)
        if slots is not None:
            self._registry.remove(slots)
            for slot in slots.all():
                self.answers.answer_all_clicks_now(slots, slot)

    def tables_with_messages(self) -> list[Table]:
        """Return the tables with messages that can still change, including finished ones that a rematch changes."""
        return self._registry.tables()

    async def wait_until_updated(self, table: TableId) -> None:
        """Wait until the running updates of the messages of *table* have ended, whether or not they succeeded."""
        slots = self._registry.find(table)
        if slots is not None and (tasks := [slot.task for slot in slots.all() if slot.task]):
            await asyncio.wait(tasks)

    @property
    def table_count(self) -> int:
        """How many tables are kept up to date."""
        return len(self._registry)

    async def table_message_id(self, table: Table) -> int | None:
        """Return the id of the table message of *table*, loaded from the store if needed; ``None`` if there is none."""
        slots = await self._registry.get_loaded_slots(table)
        message = slots.table_message
        await self._registry.forget_table_if_done(slots)
        return message

    async def stop(self) -> None:
        """Stop for good: answer or acknowledge all clicks, finish the requests that have begun, and store what the
        messages show."""
        self._registry.stopped = True
        for slots in self._registry.all_slots():
            for slot in slots.all():
                self.answers.answer_all_clicks_now(slots, slot)
                slot.cancel_alarms()
        await self._registry.wait_for_tasks()
        await self.deadlines.acknowledge_all()
        await self._registry.fingerprints.record()
