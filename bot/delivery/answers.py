"""Answers clicks: with the newest view of the message that was clicked, or with a new message.

A click on a slot's message is answered by a task of its own, never behind an edit. What cannot be answered (Discord
does not take it, or it is too late) is logged, and the message is brought up to date by an edit instead.
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
from bot.delivery.discord_api import Courier, answered
from bot.delivery.errors import Busy, Dropped, Fault, Gone
from bot.delivery.limits import ShardLost
from bot.delivery.messages import Messages
from bot.delivery.plan import sheet_for
from bot.delivery.registry import Registry
from bot.delivery.slots import TABLE, Click, Slot, TableSlots, Waiting, check_readers, is_hand, seat_of, shows_hand
from bot.delivery.tokens import TOKEN_LIFE_MS, Tokens, is_on
from bot.i18n import Words, supported, words
from bot.log import fields, fresh_reference
from bot.store.store import Handle
from bot.tables.errors import Refusal, Why
from bot.tables.model import Phase, Table, TableId
from bot.ui.components import Sheet
from bot.ui.replies import bug_apology_sheet, try_again_sheet

log = logging.getLogger(__name__)


class Answers:
    """Answers clicks. ``refresh_all`` has every message of a table brought up to date."""

    def __init__(
        self,
        registry: Registry,
        messages: Messages,
        tokens: Tokens,
        courier: Courier,
        clock: Clock,
        people: People,
        refresh_all: Callable[[Table], None],
    ) -> None:
        self._registry = registry
        self._messages = messages
        self._tokens = tokens
        self._courier = courier
        self._clock = clock
        self._people = people
        self._refresh_all = refresh_all

    # On the message that was clicked

    async def slot_of(self, table: Table, click: Click) -> str | None:
        """The name of the slot whose message was clicked; ``None``: it is an old message that no slot has any more, or
        that only waits to be deleted, or a mention (a forged click)."""
        assert click.message is not None
        slots = await self._registry.loaded(table)
        for slot in slots.all():
            shows_view = slot.name == TABLE or is_hand(slot.name)
            if slot.handle is not None and slot.handle.message == click.message.id and shows_view:
                return slot.name
        return None

    async def make_current(self, table: Table, name: str, click: Click) -> None:
        """Make the clicked message the one of the slot *name*, as its owner uses it. A hand that it replaces is
        deleted, and a slot of another table that has it (a forged click) loses it.

        Raises:
            ValueError: others can read the message, and the slot is somebody's hand.
        """
        assert click.message is not None and click.channel_id is not None
        check_readers(name, click)
        slots = await self._registry.loaded(table)
        slot = slots.slot(name)
        slot.shown, slot.declined = None, False
        # Once the click is answered its token reaches the message, which may be the only way there is.
        handle = Handle(name, click.channel_id, click.message.id, click.token, self._clock.now())
        # Before anything waits: of two clicks at once on one message, the later one must find what the first has done.
        others = self._registry.others_with(handle.message, slots)
        for other, loser in others:
            self._messages.lose(other, loser)
        await self._messages.put(slots, slot, handle)
        for other, loser in others:
            await self._messages.forget_lost(other, loser)

    def answer(
        self,
        table: Table,
        name: str,
        click: Click,
        *,
        after: int | None = None,
        picked: str | None = None,
        notice: str = "",
    ) -> None:
        """Answer *click* with the newest view of the slot *name*, on whose message it was made.

        It returns at once, and a task answers. Call it right after the change. With *after* the answer waits until the
        game has moved on, but not longer than until then (ms since 1970). *picked* becomes what the hand's owner has
        picked on the way to a move. *notice* stands above the hand in this answer, and until the next version of the
        table.

        Raises:
            ValueError: others can read the message, and the slot is somebody's hand.
        """
        check_readers(name, click)
        slots = self._registry.get_or_add(table)
        slot = slots.slot(name)
        waiting = Waiting(click, notice)
        if picked is not None:
            slot.picked = (table.state.ply, picked)
        if after is not None:

            def enough() -> None:
                waiting.stop_waiting()
                self.answer_ready(slots, slot)

            waiting.past = table.state.ply
            waiting.alarm = self._clock.call_at(after, enough)
        slot.clicks.append(waiting)
        self.answer_ready(slots, slot)

    async def acknowledge(self, table: Table, name: str, click: Click) -> None:
        """Acknowledge *click* on the message of the slot *name*, which stays as it is; its token serves the message
        from now on.

        Raises:
            Fault: Discord did not take it.
        """
        slots = self._registry.get_or_add(table)
        await self._courier.acknowledge(click)
        self._tokens.keep(slots, slots.slot(name), click)

    async def serve_table(self, table: Table, click: Click) -> None:
        """As ``Tokens.serve_table``, if the messages of *table* are kept up to date."""
        if (slots := self._registry.find(table.id)) is not None:
            await self._tokens.serve_table(slots, click)

    async def show_again(self, table: Table, click: Click) -> None:
        """Answer *click*, if it was made in a select on one of *table*'s messages, with that message as it is:
        otherwise the select keeps showing a choice that was refused.

        Raises:
            Fault: Discord did not take it.
            ShardLost: another process serves *table* now, which may have made another message of it.
        """
        name = await self.slot_of(table, click) if _is_select(click) else None
        if name is not None:
            check_readers(name, click)
            slots = await self._registry.loaded(table)
            await self._registry.memory.doubt(slots)
            slot = slots.slot(name)
            sheet = sheet_for(slots.table, name, slots.message, picked=slots.picked(slot), live=shows_hand(name))
            limits.enter(table.guild)
            try:
                with slot.writing() as writing:
                    await self._courier.update(click, sheet)
            finally:
                limits.enter(None)  # what else the click is told is about no table
            slot.shown = sheet.fingerprint() if writing.alone else None
            if not writing.alone:
                self._registry.touch(slots, slot)

    def answer_ready(self, slots: TableSlots, slot: Slot) -> None:
        """Start to answer those clicks on *slot* that need not wait any longer."""
        if slot.answering is None and any(waiting.ready(slots.table) for waiting in slot.clicks):
            slot.answering = self._registry.spawn(self._answer_all(slots, slot))

    def answer_all_now(self, slots: TableSlots, slot: Slot) -> None:
        """Start to answer all clicks on *slot*, also those that could still wait."""
        for waiting in slot.clicks:
            waiting.stop_waiting()
        self.answer_ready(slots, slot)

    async def _answer_all(self, slots: TableSlots, slot: Slot) -> None:
        """Answer the clicks that need not wait, one after the other, then have *slot* brought up to date."""
        limits.enter(slots.table.guild)
        try:
            await self._registry.load(slots)
            while waiting := next((it for it in slot.clicks if it.ready(slots.table)), None):
                slot.clicks.remove(waiting)
                try:
                    await self._answer(slots, slot, waiting)
                except ShardLost:  # whoever serves the table brings the message up to date
                    await self._part_with(waiting.click)
                except (OperationalError, OSError) as error:  # the store does not take what must be recorded first
                    said = fields(table=slots.table.id, slot=slot.name, fault=type(error).__name__)
                    log.warning("try again", extra=said)
                    await self._say_instead(waiting.click, slots.table.locale, try_again_sheet)
                except Exception:  # the boundary of an answer: the next click must be answered all the same
                    reference = fresh_reference()
                    log.exception("bug", extra=fields(table=slots.table.id, slot=slot.name, reference=reference))
                    await self._say_instead(waiting.click, slots.table.locale, partial(bug_apology_sheet, reference))
        except Exception:  # the boundary of this task: the store does not say where the messages are
            log.exception("answering failed", extra=fields(table=slots.table.id, slot=slot.name))
        finally:
            slot.answering = None
        self._registry.touch(slots, slot)

    async def _answer(self, slots: TableSlots, slot: Slot, waiting: Waiting) -> None:
        """Answer one click with the slot's newest view, or with nothing visible if the message already shows it.

        Then record what it shows, and the click's token. If Discord does not take the answer, that is only logged.
        """
        click, version = waiting.click, slots.table.version
        if (seat := seat_of(slot.name)) is not None and slots.table.seat_of(click.user.id) != seat:
            await self._part_with(click)  # they have been erased while the click waited
            return
        # The answer to a click on a hand makes it live: from now on it is kept up to date with the click's token.
        live = shows_hand(slot.name)
        sheet = sheet_for(slots.table, slot.name, slots.message, waiting.notice, slots.picked(slot), live=live)
        fingerprint = sheet.fingerprint()
        await self._registry.memory.doubt(slots)
        try:
            with slot.writing() as writing:
                if fingerprint == slot.shown and slot.task is None and not _is_select(click):
                    await self._courier.acknowledge(click)
                else:
                    await self._courier.update(click, sheet)
        except Fault as fault:
            log.info("click not answered", extra=fields(slot=slot.name, fault=type(fault).__name__))
            if isinstance(fault, Busy):  # perhaps only the response was lost
                slot.shown = None
                if slot.handle is not None and not self._tokens.reaches(slot.handle):
                    # Then the click's token is all that reaches an ephemeral message.
                    self._tokens.keep(slots, slot, click)
            return
        if not is_on(slot, click):  # another message has taken its place meanwhile
            return
        slot.shown = fingerprint if writing.alone else None
        if waiting.notice:
            slot.notice_at, slot.notice = version, waiting.notice
        self._tokens.keep(slots, slot, click)

    async def _part_with(self, click: Click) -> None:
        """Acknowledge *click* on a message that this answer leaves as it is; if Discord does not take that, it is
        only logged."""
        limits.enter(None)
        try:
            await self._courier.acknowledge(click)
        except Fault as fault:
            log.info("click not acknowledged", extra=fields(fault=type(fault).__name__))

    async def _say_instead(self, click: Click, locale: str, sheet: Callable[[Words], Sheet]) -> None:
        """Answer *click* with a *sheet* instead, in the person's language, else in *locale*; if Discord does not take
        that, it is only logged."""
        chosen = self._people.preferences(click.user.id).locale
        t = words(chosen or supported(click.locale.value, locale))
        try:
            await self._courier.tell(click, sheet(t))
        except Fault as fault:
            log.warning("answer lost", extra=fields(fault=type(fault).__name__))

    # By a new message

    async def answer_with_new_message(self, table: Table, name: str, click: Click, *, private: bool) -> None:
        """Answer *click* with a new message, which becomes the one of the slot *name*.

        If it is *private*, the slot's old message is deleted where that is still possible, and a click on the table
        message makes that one's edits free (``serve_table``).

        Raises:
            Fault: Discord did not take it. A message that is not private is then sent without the click.
            ShardLost: another process serves *table* by now. A message that was private is deleted again.
            Refusal: it would be a hand, and the person has lost their seat meanwhile.
        """
        limits.enter(table.guild)
        slots = await self._registry.loaded(table)
        if private:
            await self._tokens.serve_table(slots, click)
        if answered(click):
            await self._registry.calm.wait()
        _check_seat(slots.table, name, click)
        slot = slots.slot(name)
        sheet = sheet_for(slots.table, name, slots.message, picked=slots.picked(slot), live=shows_hand(name))
        assert click.channel_id is not None
        told = slot.handle.told if slot.handle else 0
        alone = nullcontext() if private else slot.lock  # a click may come before the response: no second table message
        async with alone, self._messages.on_record(slots, click, private=private):
            try:
                message = await self._courier.reply(click, sheet, private=private)
            except Fault:
                if not private:
                    self._refresh_all(slots.table)
                raise
            slot.shown = sheet.fingerprint()
            new = Handle(name, click.channel_id, message, click.token, self._clock.now(), told)
            try:
                _check_seat(slots.table, name, click)
                if self._registry.is_lost(slots):
                    raise ShardLost
                await self._messages.put(slots, slot, new)
            except (ShardLost, Refusal):
                if private:
                    await self._take_back(new)
                raise
        self._registry.touch(slots, slot)

    async def _take_back(self, new: Handle) -> None:
        """Delete the ephemeral message at *new*, whose place could not be recorded, or which is the hand of somebody
        else by now: nobody else would. If Discord does not do that, it is only logged."""
        limits.enter(None)  # the message is about no table that is served here
        try:
            await self._tokens.delete(new)
        except Fault as fault:
            log.warning("hand stays", extra=fields(slot=new.slot, fault=type(fault).__name__))

    async def move_table_message(self, table: Table, click: Click | None, moved: Callable[[int], Sheet]) -> None:
        """Send the table message anew at the bottom of the channel, as the answer to *click* if there is one.

        The old one is changed to ``moved(id of the new message)``, or deleted, if that cannot be. If there is no click,
        and Discord does not say whether it has taken the new message, that is tried again until it does.

        Raises:
            Fault: Discord did not take the new message; the old one stays.
        """
        limits.enter(table.guild)
        slots = await self._registry.loaded(table)
        slot = slots.slot(TABLE)
        try:
            await self._move_table_message(slots, slot, click, moved)
        except Busy:
            if click is not None:
                raise
            slot.moving = slot.handle is not None  # sent again with the same nonce it makes no second one
        except Dropped:  # the game has ended meanwhile: the old message says so
            log.info("table message not moved", extra=fields(table=table.id))
        self._refresh_all(slots.table)

    async def _move_table_message(
        self, slots: TableSlots, slot: Slot, click: Click | None, moved: Callable[[int], Sheet]
    ) -> None:
        """As ``move_table_message``, once."""
        async with slot.lock:
            table, old = slots.table, slot.handle
            sheet = sheet_for(table, TABLE, None)
            async with self._messages.on_record(slots, click, private=False):
                if click is not None:
                    message = await self._courier.reply(click, sheet, private=False)
                    handle = Handle(TABLE, table.channel, message, click.token, self._clock.now())
                else:
                    message = await self._messages.send(slots, slot, table.channel, sheet, old.message if old else 0)
                    handle = Handle(TABLE, table.channel, message)
                slot.shown = sheet.fingerprint()
                await self._messages.put(slots, slot, handle)
        if old is not None and old.message != handle.message:
            try:
                await self._messages.edit_at(old, moved(handle.message))
            except Gone:
                log.debug("old table message was gone", extra=fields(table=table.id))
            except Fault as error:  # it must not look like a second table: it is deleted as soon as that is possible
                log.info("old table message withdrawn", extra=fields(table=table.id, fault=type(error).__name__))
                await self._messages.withdraw(slots, old)


def _check_seat(table: Table, name: str, click: Click) -> None:
    """Make sure that the slot *name* of *table*, if it is a hand, is that of whoever has clicked.

    Raises:
        Refusal: it is not, or not any more: they have been erased.
    """
    seat = seat_of(name)
    if seat is not None and table.seat_of(click.user.id) != seat:
        raise Refusal(Why.NOT_AT_TABLE)


def _is_select(click: Click) -> bool:
    """Whether *click* was made in a select: it keeps showing the choice until its message is changed."""
    data: Any = click.data or {}
    return bool(data.get("component_type") == ComponentType.select.value)


# Private notes: refusals and other sentences that come as a private message of their own. A person has at most one at
# a table, so that none contradicts what has become of it: the next note, or their next click there, deletes it.
#
# A process that starts anew does not know of them: then they stay.


STAYS_MS: Final = 4_000
"""How long the note of a call stays after the decision: less than the rest before the next card lands."""


class _Note(NamedTuple):
    """A note that is there."""

    token: str
    message: int
    ply: int | None
    """What it says is decided once the game has gone past this ply; ``None``: it is not about that."""


class Notes:
    """Deletes private notes with interaction tokens, so it does not count.

    What deletes a note is its own person's click, whatever the game is about to decide, or, for the notes of calls, a
    moment after everybody knows the decision, all those of a table at the same time: so it tells nobody anything (D9).
    """

    def __init__(self, courier: Courier, clock: Clock, registry: Registry) -> None:
        self._courier = courier
        self._clock = clock
        self._registry = registry
        self._notes: dict[TableId, dict[int, _Note]] = {}
        """By table and person."""

    def add(self, table: TableId, user: int, token: str, message: int, ply: int | None = None) -> None:
        """Have *message*, a note at *table* that *token*'s interaction has brought *user*, deleted with their next note
        or click there; with *ply* some seconds after the game has gone past it, as it may have by now.

        Their note from before is deleted now.
        """
        self.part_with(table, user, but=(message,))
        note = _Note(token, message, ply)
        self._notes.setdefault(table, {})[user] = note
        self._clock.call_at(self._clock.now() + TOKEN_LIFE_MS, lambda: self.release(table, user, message))
        if ply is None:
            return
        newest = self._registry.find(table)
        if newest is None:  # it is over, and all its messages show that
            self._part_with_soon(table, {user: note})
        else:
            self.look_at(newest.table)

    def release(self, table: TableId, user: int, message: int) -> None:
        """Leave *message* where it is, if it is the note of *user* at *table*: it is none any more."""
        note = self._notes.get(table, {}).get(user)
        if note is not None and note.message == message:
            self._drop(table, user)

    def forget(self, user: int) -> None:
        """Delete all notes of *user*, who is erased."""
        for table in [table for table, notes in self._notes.items() if user in notes]:
            self.part_with(table, user)

    def drop(self, table: TableId) -> None:
        """Leave all notes at *table* where they are: another process serves it."""
        self._notes.pop(table, None)

    def look_at(self, table: Table) -> None:
        """Have those notes of calls deleted, some seconds from now, whose ply the game at *table* has left behind; all
        of them if it is over."""
        found = self._notes.get(table.id)
        if found:
            over = table.phase is not Phase.PLAYING
            ply = 0 if over else table.state.ply
            decided = {u: it for u, it in found.items() if it.ply is not None and (over or it.ply < ply)}
            self._part_with_soon(table.id, decided)

    def _part_with_soon(self, table: TableId, notes: dict[int, _Note]) -> None:
        """Have *notes* of *table*, by person, deleted some seconds from now."""
        for user, note in notes.items():
            self._notes[table][user] = note._replace(ply=None)

        def delete() -> None:
            for user, note in notes.items():
                now = self._notes.get(table, {}).get(user)
                if now is not None and now.message == note.message:
                    self.part_with(table, user)

        if notes:
            self._clock.call_at(self._clock.now() + STAYS_MS, delete)

    def part_with(self, table: TableId, user: int, but: tuple[int | None, ...] = ()) -> None:
        """Delete the note of *user* at *table*, if there is one and it is none of the messages *but*, such as the
        one on which they clicked."""
        note = self._notes.get(table, {}).get(user)
        if note is None or note.message in but:
            return
        self._drop(table, user)
        if not self._registry.stopped:
            self._registry.spawn(self._delete(table, note))

    def _drop(self, table: TableId, user: int) -> None:
        """Know of no note of *user* at *table* any more."""
        del self._notes[table][user]
        if not self._notes[table]:
            del self._notes[table]

    async def _delete(self, table: TableId, note: _Note) -> None:
        """Delete *note* of *table*; if Discord does not take that, it is only logged."""
        try:
            await self._courier.delete_by_token(note.token, note.message)
        except Fault as fault:
            log.debug("note stays", extra=fields(table=table, fault=type(fault).__name__))
