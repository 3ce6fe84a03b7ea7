"""Sends, edits, replaces and deletes single messages, and records where each one is."""

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Final

import discord

from bot.clock import Clock, snowflake_time
from bot.delivery.discord_api import DiscordApi, is_interaction_answered
from bot.delivery.errors import (
    FLAGGED,
    AnsweredBefore,
    Banned,
    Busy,
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
from bot.delivery.plan import (
    earliest_mention_ms,
    mention_done_text,
    message_state,
    must_notify,
    notification_occasion,
    notification_text,
    render_slot,
    required_slots,
    table_link_row,
    your_turn_mention_text,
)
from bot.delivery.slots import (
    DEAL,
    REPLY,
    TABLE,
    Click,
    FingerprintRecorder,
    Slot,
    TableSlots,
    check_hand_not_in_table_channel,
    check_not_table_message,
    ephemeral_hand_slot,
    is_ephemeral_hand_slot,
    is_hand_slot,
    is_superseded_slot,
    slot_seat,
    superseded_hand_slot,
    superseded_table_slot,
)
from bot.delivery.tokens import Tokens
from bot.log import fields
from bot.store.messages import DmsPause
from bot.store.store import Dms, Handle, Store
from bot.tables.model import Phase, TableId, TurnNotice
from bot.ui.components import Sheet
from engine.game import Seat

# Direct messages: the channel of each person, people who take none, and the limit on new conversations.
#
# Discord restricts bots that open many conversations, or write to people who take none. So a conversation is opened
# once for each person and kept. Whoever takes no direct messages is left alone for a day. Only a few new
# conversations are opened in ten minutes, and none for a while after Discord has said that there were too many.
# Meanwhile a hand opens with *My hand*. https://discord.com/developers/docs/resources/user#create-dm


DMS_CLOSED_MS: Final = 24 * 3_600_000
"""How long somebody who takes no direct messages is not asked again."""
NEW_DMS_PERIOD_MS: Final = 600_000
"""The period in which only a limited number of new conversations is opened, in ms."""
NEW_IN_PERIOD: Final = 10
"""How many new conversations are opened in that period, unless the host chooses another number. Discord publishes no
figure. Bots were flagged after 20 to 50 in a minute (https://github.com/discord/discord-api-docs/issues/5987)."""
TOO_MANY_DMS_PAUSE_MS: Final = 600_000
"""How long no conversation is opened after Discord has said that there were too many, in ms."""
FLAGGED_PAUSE_MS: Final = 6 * 3_600_000
"""The same once the app is flagged as spam: only a person at Discord lifts that."""
LIMITED: Final = 429
"""The code stored for a pause after a long rate limit, in place of Discord's error code."""
REOPEN_INTERVAL_MS: Final = 3_600_000
"""How often, at most, a conversation is opened anew that Discord does not find or does not let the bot into."""


class DirectMessages:
    """Finds the channel for direct messages with a person, and opens it if there is none and Discord's limits allow it.

    At most *new_in_period* new conversations are opened in ten minutes, by all processes together; 0: any number.
    """

    def __init__(self, store: Store, api: DiscordApi, clock: Clock, new_in_period: int = NEW_IN_PERIOD) -> None:
        self._store = store
        self._api = api
        self._clock = clock
        self._new_in_period = new_in_period
        self._opening = asyncio.Lock()
        """Held while a conversation is opened."""
        self._opened_again: dict[int, int] = {}
        """Person -> when their conversation was last forgotten because it failed, ms."""

    async def get_or_open_channel(self, user: int, wanted: Callable[[], bool]) -> int:
        """Return the id of the channel for direct messages with *user*; open it if there is none and ``wanted()``; or
        raise TakesNoDms, TooManyDms or Dropped.

        Raises:
            TakesNoDms: they take none; with code 0 that is what turned out within the last day.
            TooManyDms: none can be opened for now; ``until`` says when one may be.
            Dropped, Busy, Refused: as ``DiscordApi.open_dm_channel``.
        """
        channel = await self._stored_channel(user)
        if channel is not None:
            return channel
        async with self._opening:  # at several tables, or in several processes, somebody may wait for the same one
            if (channel := await self._stored_channel(user)) is not None:
                return channel
            await self._check_may_open()
            await self._api.opening.wait_to_start(wanted)
            channel = await self._stored_channel(user)
            return await self._open_channel(user, wanted) if channel is None else channel

    async def _open_channel(self, user: int, wanted: Callable[[], bool]) -> int:
        """Open the channel for direct messages with *user*, store its id and return it; if Discord finds there were too
        many, pause that and raise TooManyDms."""
        try:
            channel = await self._api.open_dm_channel(user, wanted)
        except Busy as no:
            if not no.wait_ms or isinstance(no, Banned):
                raise
            until = self._clock.now() + no.wait_ms
            await self._pause_opening(DmsPause(until, LIMITED))
            raise TooManyDms(LIMITED, until) from no
        except TooManyDms as no:
            until = self._clock.now() + (FLAGGED_PAUSE_MS if no.code == FLAGGED else TOO_MANY_DMS_PAUSE_MS)
            await self._pause_opening(DmsPause(until, no.code))
            raise TooManyDms(no.code, until) from no
        await self._store.save_dm_channel_and_refusal(
            user, (await self._store.load_dm_channel_and_refusal(user))._replace(channel=channel)
        )
        return channel

    async def _pause_opening(self, pause: DmsPause) -> None:
        """Store *pause*, until the end of which no process opens a channel for direct messages with somebody new, and
        log why."""
        if pause.code == FLAGGED:
            said = "Discord has flagged the app as spam: no conversations are opened; ask Discord's support to lift it"
        else:
            said = "Discord says that too many conversations were opened"
        log.warning(said, extra=fields(code=pause.code, pause_ms=pause.until - self._clock.now()))
        await self._store.save_dms_pause(pause)

    async def _check_may_open(self) -> None:
        """Raise TooManyDms if no new channel for direct messages may be opened now: Discord asked for a pause, or too
        many were opened in ten minutes."""
        now = self._clock.now()
        pause = await self._store.load_dms_pause()
        if pause is not None and now < pause.until:
            raise TooManyDms(pause.code, pause.until)
        if self._new_in_period:
            opened = await self._store.dm_channel_times_since(now - NEW_DMS_PERIOD_MS)
            if len(opened) >= self._new_in_period:
                raise TooManyDms(until=opened[-self._new_in_period] + NEW_DMS_PERIOD_MS)

    async def _stored_channel(self, user: int) -> int | None:
        """Return the stored id of the channel for direct messages with *user*, ``None`` if there is none; raise
        TakesNoDms if they refused one within a day."""
        known = await self._store.load_dm_channel_and_refusal(user)
        if known.closed_at is not None and self._clock.now() - known.closed_at < DMS_CLOSED_MS:
            raise TakesNoDms
        return known.channel

    async def forget_channel(self, user: int, channel: int) -> bool:
        """Remove *channel* from the store as the channel for direct messages with *user*; return False, and keep it, if
        that was done less than an hour ago.

        True: opening a new one makes sense. Discord does not find the channel, or does not let the bot into it: it may
        be that of an earlier application. If the conversation was opened anew a short while ago, Discord has trouble.
        """
        known, now = await self._store.load_dm_channel_and_refusal(user), self._clock.now()
        if known.channel != channel:
            return True
        if now - self._opened_again.get(user, -REOPEN_INTERVAL_MS) < REOPEN_INTERVAL_MS:
            return False
        self._opened_again = {one: at for one, at in self._opened_again.items() if now - at < REOPEN_INTERVAL_MS}
        self._opened_again[user] = now
        await self._store.save_dm_channel_and_refusal(user, known._replace(channel=None))
        return True

    async def record_dms_closed(self, user: int) -> None:
        """Store that *user* takes no direct messages, so that for a day none is tried."""
        known = await self._store.load_dm_channel_and_refusal(user)
        await self._store.save_dm_channel_and_refusal(user, known._replace(closed_at=self._clock.now()))

    async def record_dms_wanted(self, user: int) -> None:
        """Store that *user* wants direct messages again, so that the next one is tried at once."""
        known = await self._store.load_dm_channel_and_refusal(user)
        if known.closed_at is not None:
            await self._store.save_dm_channel_and_refusal(user, Dms(known.channel))


# Discord's deadline: an interaction is answered within three seconds, or its person reads that it failed.
#
# https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-callback


ACKNOWLEDGE_AFTER_MS: Final = 1800
"""An interaction that is this old and unanswered is acknowledged. Its answer then goes by its token."""

RESPONSE_DEADLINE_MS: Final = 3000
"""At this age Discord takes no answer to an interaction that was not acknowledged."""


class Deadlines:
    """Acknowledges every interaction (click or command) that is 1.8 s old and unanswered, because Discord takes no
    first answer after 3 s.

    *spawn* runs a coroutine in the background.
    """

    def __init__(self, clock: Clock, api: DiscordApi, spawn: Callable[[Coroutine[Any, Any, Any]], Any]) -> None:
        self._clock = clock
        self._api = api
        self._spawn = spawn
        self._open: dict[int, list[discord.Interaction[Any]]] = {}
        """Message -> clicks on it that may not have been answered yet."""

    def has_unanswered_click(self, message: int) -> bool:
        """Whether a click on *message* (an id), not older than 3 s, has no answer yet: Discord takes none once the
        message is deleted."""
        return any(not is_interaction_answered(click) for click in self._open.get(message, ()))

    def token_can_edit(self, handle: Handle) -> bool:
        """Whether the interaction token in *handle* can edit its message now: not while the click that brought it is
        unanswered."""
        clicks = self._open.get(handle.message, ())
        return all(click.token != handle.token or is_interaction_answered(click) for click in clicks)

    async def acknowledge_if_late(self, interaction: discord.Interaction[Any], *, private: bool) -> bool:
        """Return True if *interaction* may still have an effect: it is less than 1.8 s old, or Discord takes an
        acknowledgement of it now.

        The answer to a late command is then *private* or not. Events are late when Discord replays them after the
        connection was lost, and when this process stood still. Or our clock is wrong; then Discord's answer corrects
        it.
        """
        at = snowflake_time(interaction.id)
        self._clock.observe_discord_time(at, math.inf, -math.inf, self._clock.uncorrected_now())
        return self._clock.now() - at <= ACKNOWLEDGE_AFTER_MS or await self._acknowledge(interaction, private)

    def acknowledge_when_due(self, interaction: discord.Interaction[Any], *, private: bool) -> None:
        """Set an alarm that acknowledges *interaction* when it is 1.8 s old, if it has no answer by then; *private*:
        only its person sees a command's answer."""
        made, message = snowflake_time(interaction.id), interaction.message
        if message is not None:
            self._open.setdefault(message.id, []).append(interaction)

        def check() -> None:
            if not is_interaction_answered(interaction):
                self._spawn(self._acknowledge(interaction, private))

        def forget() -> None:
            if message is not None and message.id in self._open:
                self._open[message.id].remove(interaction)
                if not self._open[message.id]:
                    del self._open[message.id]

        self._clock.call_at(made + ACKNOWLEDGE_AFTER_MS, check)
        self._clock.call_at(made + RESPONSE_DEADLINE_MS, forget)

    async def acknowledge_all(self) -> None:
        """Acknowledge all clicks of the last 3 s that have no answer yet, because the program stops."""
        clicks = [click for message in self._open.values() for click in message]
        left = [it for it in clicks if not is_interaction_answered(it)]
        await asyncio.gather(*(self._acknowledge(it, private=True) for it in left))

    async def _acknowledge(self, interaction: discord.Interaction[Any], private: bool) -> bool:
        """Acknowledge *interaction*; return False if Discord does not take that (logged), or another process has
        answered it."""
        try:
            await self._api.acknowledge(interaction, private=private)
        except AnsweredBefore:
            return False
        except Fault as fault:
            log.warning("not acknowledged in time", extra=fields(fault=type(fault).__name__))
            return False
        return True


log = logging.getLogger(__name__)

SAME_NONCE_MS: Final = 60_000
"""How long a message without a response from Discord is sent again with the same nonce, whatever it is for by then: it
may be there."""

DELETE_DELAY_MS: Final = 1_000
"""How long a replaced message stays: somebody may be clicking it."""
UNANSWERED_DELAY_MS: Final = 200
"""How long to wait before looking again at a message with an unanswered click."""


class Messages:
    """Sends, edits, replaces and deletes the messages of tables on Discord, and stores the place (channel, message id,
    token) of each.

    ``request_update`` is called with every slot that is out of date because of a change, ``request_update_at`` also
    with the time (ms) at which it will be; ``no_dm`` with (table, user, whether Discord has said so just now) when a
    person turns out to take no direct messages. *deadlines* knows which clicks have no answer yet, *fingerprints*
    records what the messages show.
    """

    def __init__(
        self,
        store: Store,
        api: DiscordApi,
        tokens: Tokens,
        direct: DirectMessages,
        clock: Clock,
        request_update: Callable[[TableSlots, Slot], None],
        request_update_at: Callable[[TableSlots, Slot, int], None],
        no_dm: Callable[[TableId, int, bool], Any],
        deadlines: Deadlines,
        fingerprints: FingerprintRecorder,
    ) -> None:
        self._fingerprints = fingerprints
        self._store = store
        self._api = api
        self._tokens = tokens
        self._direct = direct
        self._clock = clock
        self._request_update = request_update
        self._request_update_at = request_update_at
        self._no_dm = no_dm
        self._deadlines = deadlines

    async def create(self, slots: TableSlots, slot: Slot) -> None:
        """Send the first message of *slot* (the hand by direct message, the table message or the deal code) and store
        its place; nothing if it has one.

        Raises:
            Dropped: the game ended before it was the message's turn.
            TakesNoDms, TooManyDms: it is a hand, and cannot go by direct message.
        """
        async with slot.lock:
            if slot.handle is not None:
                return
            seat = slot_seat(slot.name)
            if seat is not None:
                await self._create_dm_hand(slots, slot, seat)
                return
            sheet = render_slot(slots.table, slot.name, slots.table_message)
            message = await self.send(slots, slot, slots.table.channel, sheet, first_message_occasion(slots, slot))
            slot.shown = sheet.fingerprint()
            told = _start_pressed_at_if_undealt(slots) if slot.name == DEAL else 0
            await self.record_message(slots, slot, Handle(slot.name, slots.table.channel, message, told=told))
            self._update_linking_messages(slots, slot)

    async def _create_dm_hand(self, slots: TableSlots, slot: Slot, seat: Seat) -> None:
        """Send the hand of *seat* by direct message, as the first one or in place of a deleted one; it notifies its
        person, unless they want no notices."""
        user = slots.table.players[seat].user
        if user is None:  # erased while this waited
            return
        if slot.awaits_room and self._needs_no_dm_hand(slots, slot, seat):
            return
        try:
            channel = await self._direct.get_or_open_channel(user, lambda: slots.table.live)
        except TooManyDms:
            slot.awaits_room = True
            raise
        slot.awaits_room = False
        due = notification_occasion(slots.table, seat)
        if slots.table.players[seat].telling is TurnNotice.NEVER:
            await self._create_silent_hand(slots, slot, channel, slot.deleted or due)
            return
        message = await self._send_hand_notification(slots, slot, seat, channel, slot.deleted or due)
        await self._edit_notification_into_hand(slots, slot, Handle(slot.name, channel, message, told=due))

    def _needs_no_dm_hand(self, slots: TableSlots, slot: Slot, seat: Seat) -> bool:
        """Whether the person in *seat* has a live hand in the channel and needs no notification now, so that no direct
        message is needed."""
        now = self._clock.now()
        if not message_state(slots, slot, now).elsewhere:
            return False
        return not must_notify(slots.table, seat, 0, slots.clicked_at(seat), now, public=False)

    async def send_hand_in_channel(self, slots: TableSlots, seat: Seat) -> None:
        """Send the person in *seat* their hand as an ephemeral message in the channel, with the token of their last
        click there; nothing without a valid one.

        If Discord does not take it either, they open the hand with *My hand*.
        """
        here, user = slots.slot(ephemeral_hand_slot(seat)), slots.table.players[seat].user
        click = slots.channel_clicks.get(user) if user is not None else None
        if click is None or here.handle is not None or slots.table.phase is not Phase.PLAYING:
            return
        handle = Handle(here.name, slots.table.channel, 0, click.token, click.at)
        if not self._tokens.has_valid_token(handle):
            return
        sheet = render_slot(slots.table, here.name, slots.table_message, live=True)
        try:
            message = await self._api.follow_up(click.token, sheet, private=True)
        except Fault as fault:
            log.info("no hand in the channel", extra=fields(table=slots.table.id, fault=type(fault).__name__))
            return
        here.shown = sheet.fingerprint()
        await self.record_message(slots, here, handle._replace(message=message))
        self._request_update(slots, here)

    async def _create_silent_hand(self, slots: TableSlots, slot: Slot, channel: int, occasion: int) -> None:
        """Send the hand in *slot* to the direct message *channel* without a notification, and store its place;
        *occasion* makes the nonce."""
        sheet = render_slot(slots.table, slot.name, slots.table_message, picked=slots.unfinished_choice(slot))
        message = await self.send(slots, slot, channel, sheet, occasion)
        slot.shown = sheet.fingerprint()
        await self.record_message(slots, slot, Handle(slot.name, channel, message))

    async def _send_hand_notification(
        self, slots: TableSlots, slot: Slot, seat: Seat, channel: int, occasion: int
    ) -> int:
        """Send plain words to the direct message *channel* that notify *seat* of a new hand, and return the message's
        id; an edit then makes it the hand."""
        check_hand_not_in_table_channel(slot.name, channel, slots.table)
        if slot.sending is None or self._clock.now() - slot.sending[1] > SAME_NONCE_MS:
            slot.sending = (occasion, self._clock.now())
        words, nonce = notification_text(slots.table, seat), self._nonce(slots, slot, slot.sending[0])
        message = await self._api.send_plain_text(channel, words, nonce, wanted=lambda: slots.table.live)
        slot.sending = None
        return message

    async def _edit_notification_into_hand(self, slots: TableSlots, slot: Slot, handle: Handle) -> None:
        """Store *handle*, the place of a message of plain words, as the message of *slot*, then edit that message to
        show the hand."""
        slot.shown = None
        await self.record_message(slots, slot, handle)
        sheet = render_slot(slots.table, slot.name, slots.table_message, picked=slots.unfinished_choice(slot))
        try:
            await self.edit(slots, slot, sheet)
        except Gone:  # somebody deleted it, or a forged click has made it another table's: the next edit finds that out
            slot.dirty = True

    async def switch_to_channel_hand(self, slots: TableSlots, slot: Slot, seat: Seat, no: TakesNoDms) -> None:
        """Record that the person in *seat* takes no direct messages, as Discord's refusal *no* says, and send them
        their hand in the channel.

        *slot* is that of the hand. A message that is there already says so.
        """
        if slot.handle is None:
            slots.slots.pop(slot.name, None)
        user = slots.table.players[seat].user
        if user is None:  # erased meanwhile
            return
        log.info("takes no direct messages", extra=fields(table=slots.table.id, seat=seat, code=no.code))
        if no.code:
            await self._direct.record_dms_closed(user)
        await self.send_hand_in_channel(slots, seat)
        self._no_dm(slots.table.id, user, bool(no.code))

    async def forget_dm_channel(self, slots: TableSlots, slot: Slot, seat: Seat) -> bool:
        """Forget the channel for direct messages with the person in *seat*, and the message of *slot* in it; return
        False if that was done within the last hour.

        True: the hand can be sent in a new channel. Discord does not find the conversation, or does not let the bot
        into it.
        """
        user = slots.table.players[seat].user
        if user is None:  # erased meanwhile
            return True
        channel = (
            slot.handle.channel
            if slot.handle is not None
            else (await self._store.load_dm_channel_and_refusal(user)).channel
        )
        if channel is not None and not await self._direct.forget_channel(user, channel):
            return False
        if slot.handle is not None:
            slot.deleted = slot.handle.message
        await self.forget_message(slots, slot, keep=slots.table.live)
        return True

    async def send_notifying_hand(self, slots: TableSlots, slot: Slot, seat: Seat) -> None:
        """Send the hand of *seat* as a new direct message, which notifies its person, unlike an edit; delete the old
        message of *slot* soon.

        The old message is deleted: messages without content would fill the conversation, and whoever opens the old
        notification finds the new hand there.

        It is sent with the bot's own token: a follow-up would appear as a reply to the old message.

        Raises:
            TakesNoDms: the person takes none any more. The old message stays, and will say where the hand is.
        """
        old = slot.handle
        assert old is not None
        due = notification_occasion(slots.table, seat)
        message = await self._send_hand_notification(slots, slot, seat, old.channel, due)
        await self._edit_notification_into_hand(slots, slot, Handle(slot.name, old.channel, message, told=due))

    async def send_replacement(self, slots: TableSlots, slot: Slot, sheet: Sheet) -> None:
        """Send *sheet* as the new message of *slot* in place of one that Discord hardly lets the bot edit any more;
        delete the old one soon."""
        old = slot.handle
        assert old is not None
        log.info("message renewed", extra=fields(table=slots.table.id, slot=slot.name))
        message = await self.send(slots, slot, old.channel, sheet, _start_pressed_at_if_undealt(slots) or old.message)
        slot.moving = False
        await self.record_message(slots, slot, Handle(slot.name, old.channel, message, told=old.told), instead=True)
        if slot.name == TABLE:
            self._update_linking_messages(slots, slot)

    def _update_linking_messages(self, slots: TableSlots, slot: Slot) -> None:
        """Request an update of the other messages of the table, because they may link to the new message of *slot*.

        Messages that have been replaced stay as they are until they are deleted.
        """
        for other in slots.all():
            if other is not slot and not is_superseded_slot(other.name):
                self._request_update(slots, other)

    async def update_mention(self, slots: TableSlots, slot: Slot, seat: Seat) -> None:
        """Send a mention of *seat* in the channel if one is due, mark the last one as done if its turn is over, else do
        nothing.

        When the turn is over, the mention says so: deleting it would leave them a notification of nothing. The next
        mention replaces it.
        """
        table = slots.table
        due = notification_occasion(table, seat)
        told = slot.handle.told if slot.handle else 0
        now, clicked_at = self._clock.now(), slots.clicked_at(seat)
        unreached = slots.dms_failing(seat, now)
        needed = slot.name in required_slots(table, lambda it: slots.dms_failing(it, now))
        if needed and must_notify(table, seat, told, clicked_at, now, public=True, unreached=unreached):
            if now < earliest_mention_ms(table):
                self._request_update_at(slots, slot, earliest_mention_ms(table))
                return
            if slot.handle is not None:
                await self.delete(slots, slot)
            message = await self._api.send_plain_text(
                table.channel,
                your_turn_mention_text(table, seat),
                self._nonce(slots, slot, due),
                mention=table.players[seat].user,
                buttons=table_link_row(table, slots.table_message),
                wanted=lambda: slots.table.live,
            )
            await self.record_message(slots, slot, Handle(slot.name, table.channel, message, told=due))
        elif slot.handle is not None and told and told not in (due, due - 1):
            try:
                await self._api.edit_plain_text(table.channel, slot.handle.message, mention_done_text(table, seat))
            except (Gone, NoEntry):
                await self.forget_message(slots, slot)
                return
            await self.record_message(slots, slot, slot.handle._replace(told=0))

    async def delete(self, slots: TableSlots, slot: Slot) -> None:
        """Delete the message of *slot* on Discord, and its place in the store; while a click on it has no answer,
        request that again 0.2 s later."""
        if slot.handle is not None and self._deadlines.has_unanswered_click(slot.handle.message):
            self._request_update_at(slots, slot, self._clock.now() + UNANSWERED_DELAY_MS)
            return
        if slot.handle is not None:
            try:
                if not await self._tokens.delete_message(slot.handle):
                    await self._api.delete(slot.handle.channel, slot.handle.message)
            except (Gone, NoChannel, TakesNoDms):
                log.debug("message was gone", extra=fields(table=slots.table.id, slot=slot.name))
        await self.forget_message(slots, slot)

    async def edit_and_forget_message(self, slots: TableSlots, slot: Slot, sheet: Sheet) -> None:
        """Edit the message of *slot* to *sheet*, if Discord still takes that, then remove its place from memory and
        store: it gets no later changes.

        It is not forgotten if another message has taken its place meanwhile, or while a click on it is answered: then
        it is a hand once more.
        """
        old = slot.handle
        with slot.changing_message() as writing:
            if old is not None:
                try:
                    await self._request_edit(slots, slot, sheet)
                except (Expired, Gone, NoEntry, Refused, TakesNoDms, TooOld):
                    log.debug("message stays as it was", extra=fields(table=slots.table.id, slot=slot.name))
        if slot.clicks or slot.answering is not None or not writing.alone:
            slot.shown, slot.dirty = None, True
        elif old is None or slot.handle is None or slot.handle.message == old.message:
            await self.forget_message(slots, slot)

    async def replace_deleted(self, slots: TableSlots, slot: Slot) -> None:
        """Send a new message for *slot*, because somebody has deleted the old one; if the table needs none there, only
        forget the old one."""
        log.info("message replaced", extra=fields(table=slots.table.id, slot=slot.name))
        if slot.name not in required_slots(slots.table):
            await self.forget_message(slots, slot, keep=True)
            return
        # What is recorded stays until the new message is there: a process that is killed meanwhile may have sent it,
        # and the next one then finds the same deleted message, and so the same nonce.
        if slot.handle is not None:
            slot.deleted = slot.handle.message
        slot.handle, slot.shown = None, None
        await self.create(slots, slot)

    def detach_message(self, slots: TableSlots, slot: Slot) -> None:
        """Take the message from *slot* in memory only, because another table uses it now, and request an update; call
        ``forget_detached_message`` afterwards.

        The update sends a new message if the table needs one.
        """
        assert slot.handle is not None
        slot.deleted = slot.handle.message  # so that the new one has another nonce
        slot.handle, slot.shown = None, None
        self._request_update(slots, slot)

    async def forget_detached_message(self, slots: TableSlots, slot: Slot) -> None:
        """Remove the place of the message that ``detach_message`` took from *slot* from the store, unless the slot has
        a new message by now."""
        if slot.handle is None:
            await self.forget_message(slots, slot, keep=True)

    @asynccontextmanager
    async def recording_reply(self, slots: TableSlots, click: Click | None, *, private: bool) -> AsyncIterator[None]:
        """Context manager: store, during the block, that *click* is being answered with a new table message, which
        ``find_and_adopt_reply`` finds after a crash.

        Nothing is recorded if there is no click, or the answer is *private*.
        """
        if click is None or private:
            yield
            return
        assert click.channel_id is not None
        reply = Handle(REPLY, click.channel_id, click.id, click.token, self._clock.now())
        await self._store.save_handle(slots.table.id, reply)
        try:
            yield
        finally:
            await self._store.delete_handle(slots.table.id, REPLY)

    async def find_and_adopt_reply(self, slots: TableSlots, slot: Slot) -> None:
        """Ask Discord which message an earlier process sent as the answer stored in *slot*; make it the table message
        if it is newer than the known one.

        Afterwards the interaction is forgotten.
        """
        reply, table = slot.handle, slots.slot(TABLE)
        assert reply is not None
        found = await self._tokens.fetch_response_message_id(reply)
        # Of a click that was only acknowledged it is the clicked message.
        if found is not None and found > max(reply.message, table.handle.message if table.handle else 0):
            log.info("table message found", extra=fields(table=slots.table.id))
            table.shown = None
            handle = reply._replace(slot=TABLE, message=found)
            await self.record_message(slots, table, handle, instead=True)
        await self.forget_message(slots, slot)
        self._request_update(slots, table)

    async def replace_if_deleted(self, slots: TableSlots, slot: Slot) -> None:
        """Ask Discord whether the message of *slot* still exists, and send a new one if it was deleted; one that the
        bot may not see counts as existing."""
        assert slot.handle is not None
        try:
            await self._api.check_message_exists(slot.handle.channel, slot.handle.message)
        except Gone:
            await self.replace_deleted(slots, slot)
        except (NoEntry, Refused):
            log.debug("not seen", extra=fields(table=slots.table.id, slot=slot.name))
        slot.unseen = False

    def defer_edit_if_click_unanswered(self, slots: TableSlots, slot: Slot) -> bool:
        """Return True, and request an update 0.2 s later, if the ephemeral message of *slot* cannot be edited yet: the
        click that brought its token is unanswered."""
        if slot.handle is None or not is_ephemeral_hand_slot(slot.name) or self._deadlines.token_can_edit(slot.handle):
            return False
        self._request_update_at(slots, slot, self._clock.now() + UNANSWERED_DELAY_MS)
        return True

    async def edit(self, slots: TableSlots, slot: Slot, sheet: Sheet) -> None:
        """Edit the message of *slot* to show *sheet*, with an interaction token if possible, else with the bot's token;
        or raise a ``Fault``.

        If something else changed it at the same time, or the slot has another message by now or none, it stays out of
        date.

        Raises:
            Expired: it is an ephemeral message that can no longer be changed.
            ValueError: a hand is recorded where the table message is.
            Gone, NoEntry, TooOld, Busy, Refused: Discord refuses the edit.
        """
        handle = slot.handle
        if handle is None:  # it was lost while this waited
            slot.dirty = True
            return
        with slot.changing_message() as writing:
            await self._request_edit(slots, slot, sheet)
        if writing.alone and slot.handle is not None and slot.handle.message == handle.message:
            slot.shown = sheet.fingerprint()
        else:
            slot.shown, slot.dirty = None, True

    async def _request_edit(self, slots: TableSlots, slot: Slot, sheet: Sheet) -> None:
        """Make the request that edits the message of *slot* to *sheet*: by interaction token, else with the bot's
        token; raise Expired if only a token could."""
        handle = slot.handle
        assert handle is not None
        check_not_table_message(handle, slots)
        await self._fingerprints.forget_in_store_before_edit(slots)
        slot.unseen, slot.shown = False, None  # it may have its effect though Discord's response is lost
        if await self._tokens.edit(handle, sheet):
            return
        if slot.handle is handle:
            slot.handle = handle._replace(token=None)
        if is_ephemeral_hand_slot(handle.slot):
            raise Expired
        await self._api.edit(handle.channel, handle.message, sheet)
        slot.edited_at = self._clock.now()

    async def edit_in_archived_thread(self, slots: TableSlots, slot: Slot, sheet: Sheet) -> None:
        """Reopen the archived thread that holds the message of *slot*, then edit the message to *sheet*; or raise a
        ``Fault``."""
        assert slot.handle is not None
        await self._api.unarchive(slot.handle.channel)
        await self.edit(slots, slot, sheet)

    async def edit_old_message(self, handle: Handle, sheet: Sheet) -> None:
        """Edit the message at *handle*, which belongs to no slot any more, to *sheet*; or raise a ``Fault``."""
        if not await self._tokens.edit(handle, sheet):
            await self._api.edit(handle.channel, handle.message, sheet)

    def _nonce(self, slots: TableSlots, slot: Slot, occasion: int) -> str:
        """Return the nonce of a new message, made from the table's id, the slot's name and *occasion*; Discord makes
        only one message for the same nonce.

        The occasion tells it from the slot's earlier messages: it is what the message notifies of, or the id of the
        message that it replaces.

        If a response was lost, sending again with the same nonce makes no second message: Discord answers with the
        first one.
        """
        name = slot.name.replace(":", "")
        return f"{slots.table.id}{name}{occasion % 10**10}"[:25]

    async def send(self, slots: TableSlots, slot: Slot, channel: int, sheet: Sheet, occasion: int) -> int:
        """Send *sheet* as a new silent message in *channel*, and return its id; repeated for the same *slot* and
        *occasion* it makes no second message.

        *occasion* as for ``_nonce``. If a response was lost, the message that is there shows what was true then, so
        where it may be an earlier one it is edited; but not the one that fixes a deal, which must not be marked as
        edited. Its codes are the same.
        """
        check_hand_not_in_table_channel(slot.name, channel, slots.table)
        nonce = self._nonce(slots, slot, occasion)
        earlier = slot.nonce == nonce or (slots.inherited and not slot.nonce)
        slot.nonce = nonce
        message = await self._api.send(channel, sheet, nonce, lambda: slots.table.live)
        if earlier and slot.name != DEAL:
            try:
                await self._api.edit(channel, message, sheet)
            except Gone:  # somebody deleted it in the meantime: the next edit will find that out
                log.debug("message was gone", extra=fields(table=slots.table.id, slot=slot.name))
        return message

    async def record_message(self, slots: TableSlots, slot: Slot, handle: Handle, *, instead: bool = False) -> None:
        """Keep and store *handle* as the place of the message of *slot*; with *instead*, or for a hand, delete the
        earlier message in a second.

        The old message is deleted even after a restart.
        """
        old, handles = slot.handle, [handle]
        slots.slots[slot.name] = slot  # it may have been forgotten while the message was sent
        slot.handle, slot.recorded_at, slot.deleted = handle, handle.token_at, 0
        if old is not None and old.message != handle.message and (instead or is_hand_slot(slot.name)):
            handles += self._schedule_deletion(slots, old)
        self.update_dm_hand(slots, slot)
        await self._store.save_handles(slots.table.id, handles)

    async def delete_soon(self, slots: TableSlots, handle: Handle) -> None:
        """Delete the message at *handle* in a second. The plan is stored, so a restart does not lose it."""
        await self._store.save_handles(slots.table.id, self._schedule_deletion(slots, handle))

    async def cancel_old_message_deletion(self, slots: TableSlots, old: Handle) -> None:
        """Cancel the planned deletion of the replaced table message at *old*, if it has not begun: it says where the
        new one is."""
        obsolete = slots.slots.get(superseded_table_slot(old.message))
        if obsolete is not None and not obsolete.is_busy:
            obsolete.cancel_alarms()
            await self.forget_message(slots, obsolete)

    def _schedule_deletion(self, slots: TableSlots, old: Handle) -> list[Handle]:
        """Plan to delete the replaced message at *old* in a second; return the handle to store for that, in a list that
        is empty if the message is ephemeral and no token is left to delete it with.

        It is not deleted at once, as Discord takes no answer to a click on a deleted message.
        """
        if is_ephemeral_hand_slot(old.slot) and not self._tokens.has_valid_token(old):
            return []
        seat = slot_seat(old.slot)
        name = superseded_table_slot(old.message) if seat is None else superseded_hand_slot(old.message, seat)
        obsolete = slots.slot(name)
        obsolete.handle = old._replace(slot=name)
        self._request_update_at(slots, obsolete, self._clock.now() + DELETE_DELAY_MS)
        return [obsolete.handle]

    def update_dm_hand(self, slots: TableSlots, slot: Slot) -> None:
        """If *slot* is a hand in the channel, request an update of the same person's hand by direct message, which
        rests while the other one is live."""
        if (direct := slots.dm_hand_of_same_person(slot)) is not None:
            self._request_update(slots, direct)

    async def forget_message(self, slots: TableSlots, slot: Slot, *, keep: bool = False) -> None:
        """Remove the place of the message of *slot* from memory and store, and the slot too unless *keep*; the message
        itself stays on Discord."""
        slot.handle, slot.shown = None, None
        if not keep:
            slots.slots.pop(slot.name, None)
        self.update_dm_hand(slots, slot)
        await self._store.delete_handle(slots.table.id, slot.name)


def first_message_occasion(slots: TableSlots, slot: Slot) -> int:
    """Return the occasion (``Messages.send``) of a message for *slot*, in the channel, that takes the place of none
    that is there: the id of the one that somebody has deleted, or when *Start* was pressed; 0 for the lobby's."""
    return slot.deleted or _start_pressed_at_if_undealt(slots)


def _start_pressed_at_if_undealt(slots: TableSlots) -> int:
    """Return when *Start* was pressed (ms since 1970), if the cards are not dealt yet; otherwise 0.

    A message sent for another *Start* is another message.
    """
    return slots.table.turn_began if slots.table.starting else 0
