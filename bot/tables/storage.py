"""What tables need of a store, and the errors with which it says that somebody else was first, or that a table cannot
go on."""

import traceback
from pathlib import Path
from typing import NamedTuple

from bot.refusals import Refusal
from bot.tables.model import Table, TableId


class NotWritten(Exception):
    """What was to be written does not go with what is in the store: nothing was written."""


class Conflict(NotWritten):
    """Somebody else has changed the table meanwhile."""


class ChannelTaken(NotWritten):
    """The channel already has a live table."""


class AlreadyCounted(NotWritten):
    """The interaction has changed a table already."""


class TooMany(NotWritten):
    """What is open is as much as is allowed; ``refusal`` says what."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


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


class Opened(NamedTuple):
    """What is open when somebody opens one more table."""

    by_person: int
    """Live tables that they have opened."""
    in_server: int
    """Live tables in their server."""
    at: tuple[int, ...]
    """When they opened tables lately, ms, oldest first."""


class TakenOver(NamedTuple):
    """What a new process finds in the store."""

    live: list[Table]
    """Every table that is not over."""
    undelivered: list[Table]
    """Every table that is over, but whose messages may not show that yet."""
    unusable: list[TableId]
    """Every table that was set aside now."""
