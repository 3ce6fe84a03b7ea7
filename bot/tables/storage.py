"""What tables need of a store, and the errors with which it says that somebody else was first, or that a table cannot
go on."""

import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from bot.tables.model import Table, TableId
from bot.tables.uptime import OutageStore
from engine.game import Json


class Conflict(Exception):
    """Somebody else has changed the table meanwhile."""


class ChannelTaken(Exception):
    """The channel already has a live table."""


class Unusable(Exception):
    """The table ``table`` cannot go on: what the store has of it is damaged, or of a game or card that there is not; or
    a bug of its game does the same.

    ``error`` is the class of the error behind it, ``where`` the line of code that raised it. Its text is not kept: it
    may quote hidden cards.
    """

    def __init__(self, table: TableId, error: str, where: str = "") -> None:
        super().__init__(error)
        self.table = table
        self.error = error
        self.where = where

    @classmethod
    def because_of(cls, table: TableId, error: Exception) -> "Unusable":
        """*table* cannot go on because of *error*, which was raised and caught."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        return cls(table, type(error).__name__, f"{Path(last.filename).name}:{last.lineno}")


class TakenOver(NamedTuple):
    """What a new process finds in the store."""

    live: list[Table]
    """Every table that is not over."""
    undelivered: list[Table]
    """Every table that is over, but whose messages may not show that yet."""


class TableStore(OutageStore, Protocol):
    """A database of tables, as the service uses it. Every method has committed when it returns."""

    async def create(self, table: Table, what: dict[str, Any], at: int) -> None:
        """Store the new *table*, at the time *at* (ms); *what* is noted as what was done.

        Raises:
            ChannelTaken: its channel has a live table.
        """

    async def change(self, table: Table, what: dict[str, Any], at: int, entries: Sequence[Json] = ()) -> None:
        """Store *table* as its next version, at the time *at* (ms); *what* is noted as what was done. *entries* are
        what this adds to the record of its game, which is written once that is over.

        Raises:
            Conflict: the stored version is not the one before.
        """

    async def take_over(self, at: int) -> TakenOver:
        """Every table that a process which starts at the time *at* (ms) has to serve. Those that cannot be read are set
        aside; those set aside that can be read again come back, where their channel is free."""

    async def set_aside(self, found: Unusable, at: int) -> None:
        """Record at the time *at* (ms) that a table cannot go on: its channel is free from now on."""

    async def version(self, table: TableId) -> int | None:
        """The newest version of *table*, as a number; ``None``: there is no such table."""

    async def load(self, table: TableId) -> Table | None:
        """The newest version of *table*; ``None``: there is no such table.

        Raises:
            Unusable: it cannot be read, or is set aside.
        """

    async def live_in(self, channel: int) -> TableId | None:
        """The live table in *channel*; ``None``: it has none."""
