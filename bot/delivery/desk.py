"""What is known of a table's messages: where each is, what it shows, which clicks wait for an answer."""

import asyncio
from typing import Any, Final

import discord

from bot.clock import Alarm
from bot.delivery.slots import TABLE
from bot.store.store import Handle
from bot.tables.model import Table

FIRST_RETRY_MS: Final = 1_000

Click = discord.Interaction[Any]


class Slot:
    """One message of a table: where it is, what it shows, what waits for it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.handle: Handle | None = None
        self.shown: str | None = None
        self.clicks: list[Click] = []
        self.patience: tuple[int, Alarm] | None = None
        """Clicks wait for the game to get past this ply, at most until the alarm."""
        self.answering: asyncio.Task[None] | None = None
        """Answers the clicks: never behind an edit, which may be slow."""
        self.answered = 0
        """How many answers have been sent: an edit that was under way meanwhile may have come too late."""
        self.notice_at = 0
        """The table's version at which a notice was shown: it stands until the next one."""
        self.dirty = False
        self.task: asyncio.Task[None] | None = None
        self.retry: Alarm | None = None
        self.retry_ms = FIRST_RETRY_MS
        self.quiet_until = 0
        self.lock = asyncio.Lock()
        """One new message for this slot at a time."""


class Desk:
    """The slots of one table, and its newest version."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.slots: dict[str, Slot] = {}
        self.loading = asyncio.Lock()
        self.loaded = False

    def slot(self, name: str) -> Slot:
        return self.slots.setdefault(name, Slot(name))

    @property
    def message(self) -> int | None:
        """The table message's id."""
        handle = self.slot(TABLE).handle
        return handle.message if handle else None
