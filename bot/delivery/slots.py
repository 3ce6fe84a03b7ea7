"""The messages of a table: the *slots* that there can be, and what is known of the message in each."""

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from sys import intern
from typing import Any, Final, NamedTuple

import discord
from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Alarm, Clock
from bot.log import fields
from bot.store.messages import ShownMessage
from bot.store.store import Handle, Store
from bot.tables.model import Phase, Table
from engine.game import Seat

TABLE: Final = "table"
"""The slot of the table message: in the channel, for everybody."""
_SLOT: Final = re.compile(
    "table|deal|reply|(hand|here|ping):(?P<seat>[0-9]{1,3})|gone:[0-9]{1,20}|old:(?P<of>[0-9]{1,3}):[0-9]{1,20}"
)
DEAL: Final = "deal"
"""The slot of the message that publishes what the cards are dealt from. It is sent before the table message, and never
edited. Its handle's ``told`` is when *Start* was pressed (``Table.turn_began``)."""
REPLY: Final = "reply"
"""Not a message, but an interaction that is answered with a new table message. It is recorded before the answer, so
the message is found even if the process is killed before its id is known. The id of the handle is that of the
interaction."""
FIRST_RETRY_MS: Final = 1_000
UNREACHED_MS: Final = 15_000
"""If Discord has not taken a hand for this long, its person is mentioned in the channel on their turn."""

Click = discord.Interaction[Any]


def dm_hand_slot(seat: Seat) -> str:
    """Return the name of the slot for the hand of *seat* as a direct message."""
    return intern(f"hand:{seat}")  # every table has it


def ephemeral_hand_slot(seat: Seat) -> str:
    """Return the name of the slot for the hand of *seat* as an ephemeral message in the channel."""
    return intern(f"here:{seat}")


def is_dm_hand_slot(slot: str) -> bool:
    """Whether *slot* (a name) is that of a hand sent by direct message, not one that was replaced."""
    return slot.startswith("hand:")


def is_hand_slot(slot: str) -> bool:
    """Whether *slot* (a name) is that of a hand: by direct message, ephemeral, or replaced and to be deleted."""
    return slot.startswith(("hand:", "here:", "old:"))


def mention_slot(seat: Seat) -> str:
    """Return the name of the slot for the public mention of the person in *seat*, who gets no direct messages."""
    return f"ping:{seat}"


def superseded_table_slot(message: int) -> str:
    """Return the name of the slot for the table message *message* (an id), which was replaced and is to be deleted."""
    return f"gone:{message}"


def superseded_hand_slot(message: int, seat: Seat) -> str:
    """Return the name of the slot for *message* (an id), an old hand of *seat* that was replaced and is to be deleted.

    Until then a click on it is answered.
    """
    return f"old:{seat}:{message}"


def is_superseded_table_slot(slot: str) -> bool:
    """Whether *slot* (a name) is that of a replaced table message, which is to be deleted."""
    return slot.startswith("gone:")


def is_superseded_hand_slot(slot: str) -> bool:
    """Whether *slot* (a name) is that of a replaced hand, which is to be deleted."""
    return slot.startswith("old:")


def is_superseded_slot(slot: str) -> bool:
    """Whether *slot* (a name) is that of a message that was replaced by another one and is to be deleted."""
    return is_superseded_table_slot(slot) or is_superseded_hand_slot(slot)


def is_ephemeral_hand_slot(slot: str) -> bool:
    """Whether *slot* (a name) is that of an ephemeral hand, which only an interaction's token can edit."""
    return slot.startswith("here:")


def slot_seat(slot: str) -> Seat | None:
    """Return the seat in the name of *slot*, a hand or a mention; ``None`` for table messages, deal code and reply."""
    _, colon, rest = slot.partition(":")
    return Seat(int(rest.partition(":")[0])) if colon and not is_superseded_table_slot(slot) else None


def is_seat_slot(slot: str) -> bool:
    """Whether *slot* (a name) is that of a hand or mention of one seat."""
    return slot_seat(slot) is not None


def is_valid_slot_name(name: str, seats: int) -> bool:
    """Whether *name*, from the store, is the name of a slot that a table with so many *seats* can have."""
    found = _SLOT.fullmatch(name)
    return found is not None and int(found["seat"] or found["of"] or 0) < seats


class PendingClick:
    """A click that waits for its answer, perhaps until the game has passed a ply or an alarm rings."""

    def __init__(self, click: Click, notice: str) -> None:
        self.click = click
        self.notice = notice
        """The text above the hand in the answer; empty for none."""
        self.past: int | None = None
        """The ply that the game must have passed before the answer; ``None``: answer as soon as possible."""
        self.alarm: Alarm | None = None
        """Rings when the click has waited long enough."""

    def cancel_alarm_if_answerable(self, table: Table) -> bool:
        """Return whether the click can be answered now, as *table* has moved past its ply or it waits for nothing; if
        so, cancel its alarm."""
        if self.past is not None and table.phase is Phase.PLAYING and table.state.ply == self.past:
            return False
        self.stop_waiting()
        return True

    def stop_waiting(self) -> None:
        """Let the click be answered even if the game has not moved on, and cancel its alarm."""
        self.past = None
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None


class ChannelClick(NamedTuple):
    """The token and time of a person's last click or command in the channel of a table.

    For 15 minutes its token can send them a private message there.
    """

    token: str
    at: int
    """ms since 1970."""


class MessageChange:
    """One edit or answer under way that changes a message; *alone* says whether no other change overlaps with it."""

    def __init__(self, *, alone: bool) -> None:
        self.alone = alone
        """Whether no other change was under way at the same time: else nobody knows which one Discord made last."""


@dataclass(slots=True, eq=False)
class Slot:
    """One message of a table, such as the table message or a hand: where it is, what it shows, its waiting clicks, and
    how its updates go."""

    name: str
    handle: Handle | None = None
    shown: bytes | None = None
    """The fingerprint of what it shows; ``None``: unknown."""
    unseen: bool = False
    """Whether what it shows is known from an earlier process alone: somebody may have deleted it since."""
    clicks: list[PendingClick] = field(default_factory=list)
    answering: asyncio.Task[None] | None = None
    """The task that answers the clicks: never behind an edit, which may be slow."""
    _writings: tuple[MessageChange, ...] = ()
    notice_at: int = 0
    notice: str = ""
    """The version of the table at which a notice was shown, and its text. It stays until the next version."""
    picked: tuple[int, str] = (0, "")
    """(ply, what the hand's owner had picked then on the way to a move). A restart loses it, unlike moves."""
    deleted: int = 0
    """The message that somebody has deleted, until another one takes its place; 0: there is none."""
    moving: bool = False
    """For the table message: it was to be sent anew, and Discord has not said whether that was done."""
    nonce: str = ""
    """The nonce with which the last new message was sent."""
    sending: tuple[int, int] | None = None
    """(what it is for, since when, ms) of a new message to which Discord has not answered yet."""
    awaits_room: bool = False
    """For a hand as a direct message: no conversation could be opened for it, because there were too many."""
    declined: bool = False
    """For a hand as a direct message: its person has chosen the hand in the channel, and has not clicked on this one
    since."""
    dirty: bool = False
    """Whether the message may be out of date."""
    failed_at: int = 0
    """The table's version at which it could not be made."""
    task: asyncio.Task[None] | None = None
    """The task that brings it up to date."""
    retry: Alarm | None = None
    retry_ms: int = FIRST_RETRY_MS
    urgent: bool = False
    """Whether something has changed for which the update cannot wait; not merely a move within a round."""
    behind_since: int = 0
    """When the first move was made that the message does not show, ms since 1970; 0: there is none."""
    waiting: Alarm | None = None
    """Rings when an update that waits is due (``plan.edit_may_wait_until``)."""
    tried_at: int = 0
    """When Discord last did not answer, ms since 1970."""
    failing_since: int = 0
    """Since when Discord has not taken what the message should show, ms since 1970; 0: it has taken it."""
    refusals: int = 0
    """How many times in a row Discord has refused the message."""
    refused_at: int = 0
    """When Discord last refused it, ms since 1970."""
    refused_since: int = 0
    """When Discord first refused it in this row, ms since 1970."""
    quiet_until: int = 0
    """No request is made before this time, ms since 1970, because Discord has refused the message."""
    edited_at: int = 0
    """When it was last edited with the bot's own token, ms since 1970."""
    renewed_at: int = 0
    """When a new message last took the place of one that took no more edits, ms since 1970."""
    recorded_at: int = 0
    """When the token in the store was received, ms since 1970."""
    last_word: Alarm | None = None
    """Rings when an ephemeral message can be edited for the last time."""
    _lock: asyncio.Lock | None = None

    @property
    def lock(self) -> asyncio.Lock:
        """The lock held while a new message is sent for this slot; made when first used."""
        if self._lock is None:
            self._lock = asyncio.Lock()
        return self._lock

    @contextmanager
    def changing_message(self) -> Iterator[MessageChange]:
        """Context manager for an edit or answer that changes the message; the yielded ``alone`` becomes False if
        another one overlaps."""
        writing = MessageChange(alone=not self._writings)
        for other in self._writings:
            other.alone = False
        self._writings += (writing,)
        try:
            yield writing
        finally:
            self._writings = tuple(it for it in self._writings if it is not writing)

    def cancel_alarms(self) -> None:
        """Cancel the alarms for the next update and for the last edit."""
        for alarm in (self.retry, self.waiting, self.last_word):
            if alarm is not None:
                alarm.cancel()
        self.retry = self.waiting = self.last_word = None

    @property
    def has_work(self) -> bool:
        """Whether the message is being updated, or may be out of date, or a click on it is still to be answered."""
        return self.is_busy or self.dirty

    @property
    def is_busy(self) -> bool:
        """Whether an update of the message runs, or a click on it is being or must be answered."""
        return bool(self.task or self.answering or self.clicks)

    @property
    def is_changing(self) -> bool:
        """Whether an edit or answer that changes the message is under way at Discord."""
        return bool(self._writings)


@dataclass(slots=True, eq=False)
class TableSlots:
    """All messages of one table (its slots), and the newest version of the table."""

    table: Table
    inherited: bool = field(kw_only=True)
    """Whether an earlier process served this table: it may have sent messages that it did not get to record."""
    left: bool = False
    """Whether another process keeps them up to date from now on."""
    given_away: bool = False
    """Whether that process may have begun, so that this one must not change them any more."""
    remembered: bool = True
    """Whether the store may know what the messages show."""
    slots: dict[str, Slot] = field(default_factory=dict)
    channel_clicks: dict[int, ChannelClick] = field(default_factory=dict)
    """By person: their last click or command in the table's channel, as far as this process knows."""
    _loading: asyncio.Lock | None = None
    forgetting: asyncio.Task[None] | None = None
    """The task that makes the store forget what the messages show; ``None`` if there is none."""
    loaded: bool = False
    offered: tuple[int, int] | None = None
    """The last turn (``turn_key``) for which Discord has taken a message that offers it to its person; ``None`` if none
    is known."""

    @property
    def loading(self) -> asyncio.Lock:
        """The lock held while the places of the messages are loaded; made when first used."""
        if self._loading is None:
            self._loading = asyncio.Lock()
        return self._loading

    def slot(self, name: str) -> Slot:
        """Return the slot with this *name*; add it, without a message, if there is none yet."""
        found = self.slots.get(name)
        if found is None:
            found = self.slots[name] = Slot(name)
        return found

    def all(self) -> list[Slot]:
        """Return all slots of the table in a new list."""
        return list(self.slots.values())

    def dm_hand_of_same_person(self, slot: Slot) -> Slot | None:
        """Return the slot of the hand by direct message of the person whose ephemeral hand *slot* is; ``None`` for
        other slots, or without such a hand."""
        seat = slot_seat(slot.name) if is_ephemeral_hand_slot(slot.name) else None
        return self.slots.get(dm_hand_slot(seat)) if seat is not None else None

    def unfinished_choice(self, slot: Slot) -> str:
        """Return the part of a move that the owner of the hand in *slot* has chosen so far, as it stands in a
        custom_id; empty if nothing, or the game has moved on since."""
        ply, picked = slot.picked
        return picked if picked and self.table.state.ply == ply else ""

    def clicked_at(self, seat: Seat) -> int:
        """Return when (ms since 1970) the person in *seat* last clicked on one of their hands, from the tokens kept; 0
        if never."""
        own = (dm_hand_slot(seat), ephemeral_hand_slot(seat))
        return max((slot.handle.token_at for name in own if (slot := self.slots.get(name)) and slot.handle), default=0)

    def dms_failing(self, seat: Seat, now: int) -> bool:
        """Whether Discord has not taken the hand by direct message of *seat* for at least 15 s at *now* (ms)."""
        slot = self.slots.get(dm_hand_slot(seat))
        return slot is not None and 0 < slot.failing_since <= now - UNREACHED_MS

    @property
    def table_message(self) -> int | None:
        """The id of the table message; ``None`` if there is none, or it is not known yet."""
        handle = self.slot(TABLE).handle
        return handle.message if handle else None


def turn_key(table: Table) -> tuple[int, int]:
    """Return what identifies the running turn of *table*: (when it began in ms, the number of actions so far; 0 outside
    a game)."""
    return table.turn_began, table.state.ply if table.phase is Phase.PLAYING else 0


def check_hand_not_in_table_channel(name: str, channel: int, table: Table) -> None:
    """Raise ValueError if *channel* is that of *table*, where everybody reads, and the slot *name* is not for
    everybody."""
    if name not in (TABLE, DEAL) and channel == table.channel:
        raise ValueError(f"{name} must not be sent where others read it")


def check_not_table_message(handle: Handle, slots: TableSlots) -> None:
    """Raise ValueError if *handle* is a hand's but names the table message, where others would read the hand."""
    if is_hand_slot(handle.slot) and handle.message == slots.table_message:
        raise ValueError(f"{handle.slot} must not take the place of the table message")


def check_hand_click_is_private(name: str, table: Table, click: Click) -> None:
    """Raise ValueError if the slot *name* of *table* shows a hand and *click* was made on a message that others can
    read."""
    assert click.message is not None
    if (name != TABLE or table.solo) and click.guild_id is not None and not click.message.flags.ephemeral:
        raise ValueError(f"{name} must not be shown in a public message")


# The record in the store of what messages show. After a restart only messages that differ are edited. The record is
# never wrong: before a change of a message the store forgets what it showed, and that costs an edit at most.


log = logging.getLogger(__name__)

RECORD_INTERVAL_MS: Final = 1_000
"""How often the store records what messages show."""


class FingerprintRecorder:
    """Stores what the messages of tables show, as fingerprints, so a restart edits only messages that differ.

    *spawn* runs a coroutine in the background.
    """

    def __init__(
        self, store: Store, clock: Clock, spawn: Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]]
    ) -> None:
        self._store = store
        self._clock = clock
        self._spawn = spawn
        self._waiting: dict[str, TableSlots] = {}
        self._alarm: Alarm | None = None

    def schedule_recording_after_save(self, slots: TableSlots, *, changed: bool) -> None:
        """Plan to store in a second what the messages of *slots* show; *changed*: a new version was saved, with which
        the store forgot what they showed."""
        if changed:
            slots.remembered = False
        self._schedule_recording(slots)

    async def forget_in_store_before_edit(self, slots: TableSlots) -> None:
        """Remove from the store what the messages of *slots* show, before one of them is changed, and wait for that;
        the store's errors are raised.

        The table itself does not change, so its commit does not do that. Nothing is done if the store does not know it
        anyway. If the store fails, it may still know it, so whoever changes a message next asks once more.
        """
        if slots.remembered:
            if slots.forgetting is None:  # whoever changes another message meanwhile waits, or fails, with this one
                slots.forgetting = self._spawn(self._forget_in_store(slots))
            await asyncio.shield(slots.forgetting)
        self._schedule_recording(slots)

    async def _forget_in_store(self, slots: TableSlots) -> None:
        """Remove from the store what the messages of *slots* show, and record that it knows nothing of them."""
        try:
            await self._store.forget_shown_content(slots.table.id)
            slots.remembered = False
        finally:
            slots.forgetting = None

    def _schedule_recording(self, slots: TableSlots) -> None:
        """Plan to store in a second what the messages of *slots* show; do nothing if another process serves their
        table."""
        if slots.left:
            return
        self._waiting[slots.table.id] = slots
        if self._alarm is None:

            def ring() -> None:
                self._spawn(self._record_due())

            self._alarm = self._clock.call_at(self._clock.now() + RECORD_INTERVAL_MS, ring)

    async def _record_due(self) -> None:
        """Store what the messages of the planned tables show, and plan again tables of which a message is being
        changed."""
        self._alarm = None
        await self.record()
        for slots in list(self._waiting.values()):
            self._schedule_recording(slots)

    async def record(self, only: Collection[str] | None = None) -> None:
        """Store what the messages of all planned tables show, except tables with a change under way; *only* limits it
        to tables with these ids.

        If the store fails, that is only logged: those messages will be edited after a restart.
        """
        recorded: list[Coroutine[Any, Any, None]] = []
        for key, slots in list(self._waiting.items()):
            at_rest = not (
                slots.forgetting is not None or any(slot.is_busy or slot.is_changing for slot in slots.all())
            )
            if not at_rest or (only is not None and key not in only):
                continue
            del self._waiting[key]
            shown = {
                slot.name: ShownMessage(slot.handle.message, slot.shown)
                for slot in slots.all()
                if slot.handle is not None and slot.shown is not None and not slot.dirty
            }
            if shown and slots.table.live:
                slots.remembered = True
                recorded.append(self._record_table(slots.table, shown))
        await asyncio.gather(*recorded)  # all in one transaction

    async def _record_table(self, table: Table, shown: dict[str, ShownMessage]) -> None:
        """Store *shown*, what the messages of *table* show, by slot; a failure is only logged."""
        try:
            await self._store.save_shown_content(table.id, table.version, shown)
        except (SQLAlchemyError, OSError) as error:
            log.warning("what messages show is not recorded", extra=fields(fault=type(error).__name__))

    def cancel_scheduled_recording(self, slots: TableSlots) -> None:
        """Do not store what the messages of *slots* show, as was planned."""
        if self._waiting.get(slots.table.id) is slots:
            del self._waiting[slots.table.id]

    async def load_fingerprints(self, slots: TableSlots) -> None:
        """Load from the store what the messages of *slots* show, as fingerprints, for messages of which that is not
        known yet."""
        known = await self._store.load_shown_content(slots.table.id)
        slots.remembered = bool(known)
        for name, it in known.items():
            slot = slots.slots.get(name)
            here = slot is not None and slot.handle is not None and slot.handle.message == it.message
            if slot is not None and here and slot.shown is None:
                slot.shown, slot.unseen = it.fingerprint, True
