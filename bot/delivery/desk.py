"""What is known of a table's messages: where each is, what it shows, which clicks wait for an answer."""

import asyncio
from typing import Any, Final

import discord

from bot.clock import Alarm
from bot.delivery.slots import TABLE, sheet_for
from bot.present.sheet import Sheet
from bot.store.store import Handle
from bot.tables.model import Table

FIRST_RETRY_MS: Final = 1_000

Click = discord.Interaction[Any]


class Slot:
    """One message of a table: where it is, what it shows, what waits for it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.handle: Handle | None = None
        self.shown: bytes | None = None
        self.clicks: list[Click] = []
        self.patience: tuple[int, Alarm] | None = None
        """Clicks wait for the game to get past this ply, at most until the alarm."""
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
        self.retry: Alarm | None = None
        self.retry_ms = FIRST_RETRY_MS
        self.quiet_until = 0
        self.lock = asyncio.Lock()
        """One new message for this slot at a time."""


class Desk:
    """The slots of one table, and its newest version."""

    def __init__(self, table: Table, *, inherited: bool) -> None:
        self.table = table
        self.inherited = inherited
        """An earlier process may have sent messages that it could not put on record."""
        self.slots: dict[str, Slot] = {}
        self.loading = asyncio.Lock()
        self.loaded = False

    def slot(self, name: str) -> Slot:
        return self.slots.setdefault(name, Slot(name))

    def sheet(self, slot: Slot, notice: str = "") -> Sheet:
        """What *slot* should show now; *notice* stands above a hand."""
        return sheet_for(self.table, slot.name, self.message, notice, self.picked(slot))

    def picked(self, slot: Slot) -> str:
        """What was picked in *slot*, as long as nothing has happened since."""
        ply, picked = slot.picked
        return picked if picked and self.table.rules.ply(self.table.state) == ply else ""

    @property
    def message(self) -> int | None:
        """The table message's id."""
        handle = self.slot(TABLE).handle
        return handle.message if handle else None
