"""The messages of a table: the *slots* there can be, and what is known of each."""

import asyncio
from typing import Any, Final

import discord

from bot.clock import Alarm
from bot.store.store import Handle
from bot.tables.model import Phase, Table
from engine.game import Seat

TABLE: Final = "table"
"""In the channel, for everybody."""
FIRST_RETRY_MS: Final = 1_000

Click = discord.Interaction[Any]


def hand_slot(seat: Seat) -> str:
    """The hand as a direct message."""
    return f"hand:{seat}"


def here_slot(seat: Seat) -> str:
    """The hand as an ephemeral message in the channel."""
    return f"here:{seat}"


def ping_slot(seat: Seat) -> str:
    """The mention in the channel for somebody on turn who gets no direct messages."""
    return f"ping:{seat}"


def gone_slot(message: int) -> str:
    """A message that has been replaced and must go."""
    return f"gone:{message}"


def is_gone(slot: str) -> bool:
    """Whether *slot* is only to be deleted."""
    return slot.startswith("gone:")


def is_ephemeral(slot: str) -> bool:
    """Whether *slot* can be reached by an interaction's token alone."""
    return slot.startswith("here:")


def seat_of(slot: str) -> Seat | None:
    """Whose slot it is; ``None``: everybody's."""
    _, colon, seat = slot.partition(":")
    return Seat(int(seat)) if colon else None


class Waiting:
    """A click that waits for its answer."""

    def __init__(self, click: Click, notice: str) -> None:
        self.click = click
        self.notice = notice
        """What stands above the hand in the answer; empty for nothing."""
        self.past: int | None = None
        """It waits until the game has got past this ply; ``None``: it is answered as soon as possible."""
        self.alarm: Alarm | None = None
        """Rings when it has waited long enough."""

    def ready(self, table: Table) -> bool:
        """Whether *table* has gone on, or there was nothing to wait for."""
        if self.past is not None and table.phase is Phase.PLAYING and table.rules.ply(table.state) == self.past:
            return False
        self.hurry()
        return True

    def hurry(self) -> None:
        """It waits no longer."""
        self.past = None
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None


class Slot:
    """One message of a table: where it is, what it shows, which clicks wait for it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.handle: Handle | None = None
        self.shown: bytes | None = None
        """The fingerprint of what it shows; ``None``: unknown."""
        self.clicks: list[Waiting] = []
        self.answering: asyncio.Task[None] | None = None
        """Answers the clicks: never behind an edit, which may be slow."""
        self.answered = 0
        """How many answers have been sent: an edit that was under way meanwhile may have come too late."""
        self.notice_at = 0
        """The table's version at which a notice was shown: it stands until the next one."""
        self.picked: tuple[int, str] = (0, "")
        """What the hand's owner has picked on the way to a move, at which ply. Lost in a restart, as no move is."""
        self.nonce = ""
        """What the last new message was sent with."""
        self.dirty = False
        self.task: asyncio.Task[None] | None = None
        """Brings it up to date."""
        self.retry: Alarm | None = None
        self.retry_ms = FIRST_RETRY_MS
        self.quiet_until = 0
        self.lock = asyncio.Lock()
        """One new message for this slot at a time."""

    @property
    def busy(self) -> bool:
        """Whether anything is being done about it, or has still to be."""
        return bool(self.task or self.answering or self.dirty or self.clicks)


class TableSlots:
    """The slots of one table, and its newest version."""

    def __init__(self, table: Table, *, inherited: bool) -> None:
        self.table = table
        self.inherited = inherited
        """An earlier process may have sent messages that it could not put on record."""
        self.slots: dict[str, Slot] = {}
        self.loading = asyncio.Lock()
        self.loaded = False

    def slot(self, name: str) -> Slot:
        """The slot *name*; a new one that is nowhere yet, if need be."""
        return self.slots.setdefault(name, Slot(name))

    def all(self) -> list[Slot]:
        """Every slot there is at the moment."""
        return list(self.slots.values())

    def picked(self, slot: Slot) -> str:
        """What was picked in *slot*, as long as nothing has happened since."""
        ply, picked = slot.picked
        return picked if picked and self.table.rules.ply(self.table.state) == ply else ""

    @property
    def message(self) -> int | None:
        """The table message's id."""
        handle = self.slot(TABLE).handle
        return handle.message if handle else None


def check_readers(name: str, click: Click) -> None:
    """A hand is shown in direct messages and ephemeral ones alone.

    Raises:
        ValueError: *click* was made on a message that others can read, and *name* is somebody's hand.
    """
    assert click.message is not None
    if name != TABLE and click.guild_id is not None and not click.message.flags.ephemeral:
        raise ValueError(f"{name} must not be shown in a public message")
