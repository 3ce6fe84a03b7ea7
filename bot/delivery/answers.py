"""Answers clicks with the newest view of the clicked message, or with a new message.

A click on a slot's message is answered by a task of its own, never behind an edit. If it cannot be answered (Discord
does not take it, or it is too late), that is logged, and an edit updates the message instead.
"""

import logging
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any, Final, NamedTuple

from discord import ComponentType
from sqlalchemy.exc import OperationalError

from bot.choices import People
from bot.clock import Clock
from bot.delivery import limits
from bot.delivery.discord_api import DiscordApi, is_interaction_answered
from bot.delivery.errors import Busy, Dropped, Fault, Gone
from bot.delivery.limits import ShardLost
from bot.delivery.messages import Messages, first_message_occasion
from bot.delivery.plan import render_slot
from bot.delivery.registry import Registry
from bot.delivery.slots import (
    TABLE,
    Click,
    PendingClick,
    Slot,
    TableSlots,
    check_hand_click_is_private,
    is_hand_slot,
    is_seat_slot,
    slot_seat,
)
from bot.delivery.tokens import TOKEN_LIFE_MS, Tokens, is_click_on_slot_message
from bot.i18n import Words, supported_locale, words
from bot.log import fields, new_error_reference
from bot.store.store import Handle
from bot.tables.errors import Refusal, Why
from bot.tables.model import Phase, Table, TableId
from bot.ui.components import Sheet
from bot.ui.replies import bug_apology_sheet, try_again_sheet

log = logging.getLogger(__name__)


class Answers:
    """Answers clicks: by editing the clicked message to its newest view, or with a new message. ``update_all`` updates
    every message of a table."""

    def __init__(
        self,
        registry: Registry,
        messages: Messages,
        tokens: Tokens,
        api: DiscordApi,
        clock: Clock,
        people: People,
        update_all: Callable[[Table], None],
    ) -> None:
        self._registry = registry
        self._messages = messages
        self._tokens = tokens
        self._api = api
        self._clock = clock
        self._people = people
        self._update_all = update_all

    # Answers on the clicked message

    async def clicked_slot_name(self, table: Table, click: Click) -> str | None:
        """Return the name of the slot (table message or a hand of *table*) whose message was clicked; ``None`` if that
        message is not kept up to date.

        That is an old message that no slot has any more, one that only waits to be deleted, or a mention (a forged
        click).
        """
        assert click.message is not None
        slots = await self._registry.get_loaded_slots(table)
        for slot in slots.all():
            shows_view = slot.name == TABLE or is_hand_slot(slot.name)
            if slot.handle is not None and slot.handle.message == click.message.id and shows_view:
                return slot.name
        return None

    async def adopt_clicked_message(self, table: Table, name: str, click: Click) -> None:
        """Store the clicked message, with the click's token, as the message of the slot *name*; a hand that it replaces
        is deleted. Raises ValueError.

        A slot of another table with this message (a forged click) loses it.

        Raises:
            ValueError: others can read the message, and the slot is somebody's hand.
        """
        assert click.message is not None and click.channel_id is not None
        check_hand_click_is_private(name, table, click)
        slots = await self._registry.get_loaded_slots(table)
        slot = slots.slot(name)
        slot.shown, slot.declined = None, False
        # Once the click is answered its token reaches the message, which may be the only way there is.
        handle = Handle(name, click.channel_id, click.message.id, click.token, self._clock.now())
        # Before anything waits: of two clicks at once on one message, the later one must find what the first has done.
        others = self._registry.other_slots_with_message(handle.message, slots)
        for other, loser in others:
            self._messages.detach_message(other, loser)
        await self._messages.record_message(slots, slot, handle)
        for other, loser in others:
            await self._messages.forget_detached_message(other, loser)

    def queue_answer(
        self,
        table: Table,
        name: str,
        click: Click,
        *,
        after: int | None = None,
        picked: str | None = None,
        notice: str = "",
    ) -> None:
        """Queue an answer to *click*: a task edits the clicked message to the newest view of the slot *name*, at once,
        or once the game has moved on.

        Call it right after the change. With *after* the answer waits until the game has moved on, but not longer than
        until that time (ms since 1970). *picked* becomes what the hand's owner has picked on the way to a move.
        *notice* stands above the hand in this answer, and until the next version of the table.

        Raises:
            ValueError: others can read the message, and the slot is somebody's hand.
        """
        check_hand_click_is_private(name, table, click)
        slots = self._registry.get_or_add_slots(table)
        slot = slots.slot(name)
        waiting = PendingClick(click, notice)
        if picked is not None:
            slot.picked = (table.state.ply, picked)
        if after is not None:

            def enough() -> None:
                waiting.stop_waiting()
                self.answer_ready_clicks(slots, slot)

            waiting.past = table.state.ply
            waiting.alarm = self._clock.call_at(after, enough)
        slot.clicks.append(waiting)
        self.answer_ready_clicks(slots, slot)

    async def acknowledge(self, table: Table, name: str, click: Click) -> None:
        """Acknowledge *click*, leaving the message of the slot *name* as it is, and keep the click's token for later
        edits of it; or raise a ``Fault``."""
        slots = self._registry.get_or_add_slots(table)
        await self._api.acknowledge(click)
        self._tokens.keep_token(slots, slots.slot(name), click)

    async def refresh_table_token(self, table: Table, click: Click) -> None:
        """Acknowledge *click* and keep its token for edits, if it was made on the table message and the message's own
        token is older than five minutes."""
        if (slots := self._registry.find(table.id)) is not None:
            await self._tokens.refresh_table_token(slots, click)

    def answer_ready_clicks(self, slots: TableSlots, slot: Slot) -> None:
        """Start a task that answers the clicks on *slot* that need not wait any longer; do nothing if there are none or
        such a task runs."""
        if slot.answering is None and any(waiting.cancel_alarm_if_answerable(slots.table) for waiting in slot.clicks):
            slot.answering = self._registry.spawn(self._answer_queued_clicks(slots, slot))

    def answer_all_clicks_now(self, slots: TableSlots, slot: Slot) -> None:
        """Start a task that answers all clicks on *slot*, including those that still wait for the game to move on."""
        for waiting in slot.clicks:
            waiting.stop_waiting()
        self.answer_ready_clicks(slots, slot)

    async def _answer_queued_clicks(self, slots: TableSlots, slot: Slot) -> None:
        """Answer the queued clicks on *slot* that need not wait, one after the other, then request an update of *slot*.
        Errors become a private answer."""
        limits.set_request_guild(slots.table.guild, slots)
        try:
            await self._registry.load_handles(slots)
            while waiting := next((it for it in slot.clicks if it.cancel_alarm_if_answerable(slots.table)), None):
                slot.clicks.remove(waiting)
                try:
                    await self._answer_click(slots, slot, waiting)
                except ShardLost:  # whoever serves the table brings the message up to date
                    await self._acknowledge_unchanged(waiting.click)
                except (OperationalError, OSError) as error:  # the store does not take what must be recorded first
                    said = fields(table=slots.table.id, slot=slot.name, fault=type(error).__name__)
                    log.warning("try again", extra=said)
                    await self._answer_with_error(waiting.click, slots.table.locale, try_again_sheet)
                except Exception:  # the boundary of an answer: the next click must be answered all the same
                    reference = new_error_reference()
                    log.exception("bug", extra=fields(table=slots.table.id, slot=slot.name, reference=reference))
                    await self._answer_with_error(
                        waiting.click, slots.table.locale, partial(bug_apology_sheet, reference)
                    )
        except Exception:  # the boundary of this task: the store does not say where the messages are
            log.exception("answering failed", extra=fields(table=slots.table.id, slot=slot.name))
        finally:
            slot.answering = None
        self._registry.request_update(slots, slot)

    async def _answer_click(self, slots: TableSlots, slot: Slot, waiting: PendingClick) -> None:
        """Answer one click by editing its message to the slot's newest view (only acknowledge it if it shows that
        already), and keep the click's token.

        If Discord does not take the answer, that is only logged.
        """
        click, version = waiting.click, slots.table.version
        if (seat := slot_seat(slot.name)) is not None and slots.table.seat_of(click.user.id) != seat:
            await self._acknowledge_unchanged(click)  # they have been erased while the click waited
            return
        # The answer to a click on a hand makes it live: from now on it is kept up to date with the click's token.
        live = is_seat_slot(slot.name)
        sheet = render_slot(
            slots.table, slot.name, slots.table_message, waiting.notice, slots.unfinished_choice(slot), live=live
        )
        fingerprint = sheet.fingerprint()
        await self._registry.fingerprints.forget_in_store_before_edit(slots)
        if slot.name == TABLE and slot.handle is not None and not is_click_on_slot_message(slot, click):
            await self._acknowledge_unchanged(click)  # an old table message only says where the new one is
            limits.set_request_guild(slots.table.guild, slots)
            return
        try:
            with slot.changing_message() as writing:
                shows_it = fingerprint == slot.shown and is_click_on_slot_message(slot, click)
                if shows_it and slot.task is None and not _is_select_menu_click(click):
                    await self._api.acknowledge(click)
                else:
                    await self._api.edit_clicked_message(click, sheet)
        except Fault as fault:
            log.info("click not answered", extra=fields(slot=slot.name, fault=type(fault).__name__))
            if isinstance(fault, Busy):  # perhaps only the response was lost
                slot.shown = None
                if slot.handle is not None and not self._tokens.has_valid_token(slot.handle):
                    # Then the click's token is all that reaches an ephemeral message.
                    self._tokens.keep_token(slots, slot, click)
            return
        if not is_click_on_slot_message(slot, click):  # another message has taken its place meanwhile
            return
        slot.shown = fingerprint if writing.alone else None
        if waiting.notice:
            slot.notice_at, slot.notice = version, waiting.notice
        self._tokens.keep_token(slots, slot, click)

    async def _acknowledge_unchanged(self, click: Click) -> None:
        """Acknowledge *click*, so that Discord shows no failure, and leave its message as it is; a failure is only
        logged."""
        limits.set_request_guild(None)
        try:
            await self._api.acknowledge(click)
        except Fault as fault:
            log.info("click not acknowledged", extra=fields(fault=type(fault).__name__))

    async def _answer_with_error(self, click: Click, locale: str, sheet: Callable[[Words], Sheet]) -> None:
        """Answer *click* privately with *sheet* about an error, in the person's language, else in *locale*; a failure
        is only logged."""
        chosen = self._people.preferences(click.user.id).locale
        t = words(chosen or supported_locale(click.locale.value, locale))
        try:
            await self._api.reply_privately(click, sheet(t))
        except Fault as fault:
            log.warning("answer lost", extra=fields(fault=type(fault).__name__))

    # Answers by a new message

    async def answer_with_new_message(self, table: Table, name: str, click: Click, *, private: bool) -> None:
        """Answer *click* with a new message that shows the slot *name* and becomes its message; or raise Fault,
        ShardLost or Refusal.

        If it is *private*, the slot's old message is deleted where that is still possible, and a click on the table
        message makes edits of that message free (``refresh_table_token``).

        Raises:
            Fault: Discord did not take it. A message that is not private is then sent without the click.
            ShardLost: another process serves *table* by now. A message that was private is deleted again.
            Refusal: it would be a hand, and the person has lost their seat meanwhile.
        """
        slots = await self._registry.get_loaded_slots(table)
        limits.set_request_guild(table.guild, slots)
        if private:
            await self._tokens.refresh_table_token(slots, click)
        if is_interaction_answered(click):
            await self._registry.busy_loop_gate.wait_while_busy()
        _check_clicker_has_seat(slots.table, name, click)
        slot = slots.slot(name)
        sheet = render_slot(
            slots.table, name, slots.table_message, picked=slots.unfinished_choice(slot), live=is_seat_slot(name)
        )
        assert click.channel_id is not None
        told = slot.handle.told if slot.handle else 0
        alone = nullcontext() if private else slot.lock  # a click may come before the response: no second table message
        async with alone, self._messages.recording_reply(slots, click, private=private):
            try:
                message = await self._api.reply(click, sheet, private=private)
            except Fault:
                if not private:
                    self._update_all(slots.table)
                raise
            slot.shown = sheet.fingerprint()
            new = Handle(name, click.channel_id, message, click.token, self._clock.now(), told)
            try:
                _check_clicker_has_seat(slots.table, name, click)
                if self._registry.is_served_elsewhere(slots):
                    raise ShardLost
                await self._messages.record_message(slots, slot, new)
            except (ShardLost, Refusal):
                if private:
                    await self._delete_unrecorded_message(new)
                raise
        self._registry.request_update(slots, slot)

    async def _delete_unrecorded_message(self, new: Handle) -> None:
        """Delete the new ephemeral message at *new*, which was not stored, because nothing else would; a failure is
        only logged."""
        limits.set_request_guild(None)  # the message is about no table that is served here
        try:
            await self._tokens.delete_message(new)
        except Fault as fault:
            log.warning("hand stays", extra=fields(slot=new.slot, fault=type(fault).__name__))

    async def resend_table_message_at_bottom(
        self, table: Table, click: Click | None, moved: Callable[[int], Sheet]
    ) -> None:
        """Send the table message again at the bottom of the channel, and edit the old one to ``moved(id of the new
        one)``, or delete it; or raise Fault.

        The new one is the answer to *click*, if there is one. If there is none, and Discord does not say whether it has
        taken the new message, that is tried again until it does.

        Raises:
            Fault: Discord did not take the new message; the old one stays.
        """
        slots = await self._registry.get_loaded_slots(table)
        limits.set_request_guild(table.guild, slots)
        slot = slots.slot(TABLE)
        try:
            await self._try_to_resend_table_message(slots, slot, click, moved)
        except Busy:
            if click is not None:
                raise
            slot.moving = slot.handle is not None  # sent again with the same nonce it makes no second one
        except Dropped:  # the game has ended meanwhile: the old message says so
            log.info("table message not moved", extra=fields(table=table.id))
        self._update_all(slots.table)

    async def _try_to_resend_table_message(
        self, slots: TableSlots, slot: Slot, click: Click | None, moved: Callable[[int], Sheet]
    ) -> None:
        """Try once to send the table message again at the bottom, and to edit the old one to ``moved(id of the new
        one)`` or delete it; or raise Fault."""
        async with slot.lock:
            table, old = slots.table, slot.handle
            sheet = render_slot(table, TABLE, None)
            async with self._messages.recording_reply(slots, click, private=False):
                if click is not None:
                    message = await self._api.reply(click, sheet, private=False)
                    handle = Handle(TABLE, table.channel, message, click.token, self._clock.now())
                else:
                    occasion = old.message if old else first_message_occasion(slots, slot)
                    message = await self._messages.send(slots, slot, table.channel, sheet, occasion)
                    handle = Handle(TABLE, table.channel, message)
                slot.shown = sheet.fingerprint()
                changing = slot.is_changing
                # The old one must not look like a second table: it is deleted, unless it can say where the new one is.
                await self._messages.record_message(slots, slot, handle, instead=True)
        if old is not None and old.message != handle.message and not changing:  # else an edit may overtake this one
            try:
                await self._messages.edit_old_message(old, moved(handle.message))
                await self._messages.cancel_old_message_deletion(slots, old)
            except Gone:
                log.debug("old table message was gone", extra=fields(table=table.id))
            except Fault as error:
                log.info("old table message withdrawn", extra=fields(table=table.id, fault=type(error).__name__))


def _check_clicker_has_seat(table: Table, name: str, click: Click) -> None:
    """Raise Refusal if the slot *name* is the hand of a seat that the person of *click* does not have any more, as they
    were erased."""
    seat = slot_seat(name)
    if seat is not None and table.seat_of(click.user.id) != seat:
        raise Refusal(Why.NOT_AT_TABLE)


def _is_select_menu_click(click: Click) -> bool:
    """Whether *click* was made in a select, which keeps showing the choice until its message is changed."""
    data: Any = click.data or {}
    return bool(data.get("component_type") == ComponentType.select.value)


# Private notes: refusals and other sentences sent as private messages of their own. A person has at most one at a
# table, so no note contradicts the state of the table: the next note, or their next click there, deletes it.
#
# After a restart the process does not know of earlier notes: they stay.


CALL_NOTE_MS: Final = 4_000
"""How long the note of a call stays after the decision: less than the pause before the next card is placed."""


class _Note(NamedTuple):
    """A private note that exists now: its message id, the token that deletes it, and the ply it is about."""

    token: str
    message: int
    ply: int | None
    """The note is about something that is decided once the game has gone past this ply; ``None``: it is not."""


class Notes:
    """Keeps track of each person's private note at a table, at most one, and deletes it with its interaction token.

    A note is deleted by its own person's click, whatever the game is about to decide. Notes of calls are also deleted a
    moment after everybody knows the decision, all those of a table at the same time. So it tells nobody anything (D9).
    """

    def __init__(self, api: DiscordApi, clock: Clock, registry: Registry) -> None:
        self._api = api
        self._clock = clock
        self._registry = registry
        self._notes: dict[TableId, dict[int, _Note]] = {}
        """By table and person."""

    def replace_note(self, table: TableId, user: int, token: str, message: int, ply: int | None = None) -> None:
        """Keep *message* (an id) as the only private note of *user* at *table*, and delete their earlier note.

        With *ply* it is also deleted some seconds after the game is past that ply; it may be past it already. *token*
        is that of the interaction that the note answered. After 14 minutes nothing can delete the note, and it stays.
        """
        self.delete_note(table, user, but=(message,))
        note = _Note(token, message, ply)
        self._notes.setdefault(table, {})[user] = note
        self._clock.call_at(self._clock.now() + TOKEN_LIFE_MS, lambda: self.untrack_note(table, user, message))
        if ply is None:
            return
        newest = self._registry.find(table)
        if newest is None:  # it is over, and all its messages show that
            self._delete_soon(table, {user: note})
        else:
            self.delete_notes_on_decided_calls(newest.table)

    def untrack_note(self, table: TableId, user: int, message: int) -> None:
        """Stop tracking *message*, if it is the note of *user* at *table*, so that it is never deleted."""
        note = self._notes.get(table, {}).get(user)
        if note is not None and note.message == message:
            self._forget_note(table, user)

    def delete_notes_of(self, user: int) -> None:
        """Delete the notes of *user* at all tables, messages included, because the person is erased."""
        for table in [table for table, notes in self._notes.items() if user in notes]:
            self.delete_note(table, user)

    def forget_table(self, table: TableId) -> None:
        """Stop tracking all notes at *table*, because another process serves it; the messages stay."""
        self._notes.pop(table, None)

    def delete_notes_on_decided_calls(self, table: Table) -> None:
        """Delete, four seconds from now, the notes about calls at *table* that are decided by now; all of them if the
        game is over."""
        found = self._notes.get(table.id)
        if found:
            over = table.phase is not Phase.PLAYING
            ply = 0 if over else table.state.ply
            decided = {u: it for u, it in found.items() if it.ply is not None and (over or it.ply < ply)}
            self._delete_soon(table.id, decided)

    def _delete_soon(self, table: TableId, notes: dict[int, _Note]) -> None:
        """Delete *notes* (by person) of *table* four seconds from now, unless a newer note has replaced them."""
        for user, note in notes.items():
            self._notes[table][user] = note._replace(ply=None)

        def delete() -> None:
            for user, note in notes.items():
                now = self._notes.get(table, {}).get(user)
                if now is not None and now.message == note.message:
                    self.delete_note(table, user)

        if notes:
            self._clock.call_at(self._clock.now() + CALL_NOTE_MS, delete)

    def delete_note(self, table: TableId, user: int, but: tuple[int | None, ...] = ()) -> None:
        """Delete the note of *user* at *table*, if there is one, unless its message is one of the ids *but*, such as
        the clicked one."""
        note = self._notes.get(table, {}).get(user)
        if note is None or note.message in but:
            return
        self._forget_note(table, user)
        if not self._registry.stopped:
            self._registry.spawn(self._delete_message(table, note))

    def _forget_note(self, table: TableId, user: int) -> None:
        """Stop tracking the note of *user* at *table*; its message stays."""
        del self._notes[table][user]
        if not self._notes[table]:
            del self._notes[table]

    async def _delete_message(self, table: TableId, note: _Note) -> None:
        """Delete the message of *note* on Discord; a failure is only logged."""
        try:
            await self._api.delete_by_token(note.token, note.message)
        except Fault as fault:
            log.debug("note stays", extra=fields(table=table, fault=type(fault).__name__))
