"""What tables need of a store, and the errors with which it says that somebody else was first, or that a table cannot
go on."""

import traceback
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from bot.refusals import Refusal
from bot.tables.model import Table, TableId
from bot.tables.uptime import OutageStore
from engine.game import Json


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


class TableStore(OutageStore, Protocol):
    """A database of tables, as the service uses it. Every method has committed when it returns."""

    async def create(
        self,
        table: Table,
        what: dict[str, Any],
        at: int,
        check: Callable[[Opened], None] | None = None,
        *,
        announce: bool = False,
    ) -> None:
        """Store the new *table*, at the time *at* (ms); *what* is noted as what was done. *check* is given what is open
        already, and raises Refusal if that is enough.

        Raises:
            ChannelTaken: its channel has a live table.
            TooMany: *check* refuses it.
        """

    async def opened(self, guild: int, person: int, at: int) -> Opened:
        """What is open when *person* opens one more table in *guild* at the time *at* (ms)."""

    async def change(
        self,
        table: Table,
        what: dict[str, Any],
        at: int,
        entries: Sequence[Json] = (),
        asked: Sequence[int] = (),
        *,
        announce: bool = False,
    ) -> None:
        """Store *table* as its next version, at the time *at* (ms); *what* is noted as what was done. *entries* are
        what this adds to the record of its game, which is written once that is over. *asked* are the
        interactions that have asked for it: the first one counts once. With *announce* other processes are told.

        Raises:
            Conflict: the stored version is not the one before.
            AlreadyCounted: the first of those that have *asked* has changed a table already.
        """

    async def has_counted(self, interaction: int) -> bool:
        """Whether *interaction* has changed a table, as far as that is recorded."""

    async def to_take_over(self, shards: Collection[int] | None = None, count: int = 1) -> list[TableId]:
        """Every table of *shards*, of so many in all (``None``: of all shards), that this process has to serve from now
        on, those that changed last first; for ``take_over_some``. Those set aside that can be read again come back,
        where their channel is free."""

    async def take_over_some(self, which: Collection[TableId], at: int) -> TakenOver:
        """The tables *which*, of those that are ``to_take_over``, at the time *at* (ms). Those that cannot be read are
        set aside."""

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
