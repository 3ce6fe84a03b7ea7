"""What tables need of a store, and the errors with which it says that somebody else was first."""

from typing import Any, Protocol

from bot.tables.model import Table, TableId
from bot.tables.uptime import OutageStore


class Conflict(Exception):
    """Somebody else has changed the table meanwhile."""


class ChannelTaken(Exception):
    """The channel already has a live table."""


class TableStore(OutageStore, Protocol):
    """A database of tables, as the service uses it. Every method has committed when it returns."""

    async def create(self, table: Table, what: dict[str, Any], at: int) -> None:
        """Store the new *table*, with the event *what* for its history, at the time *at* (ms).

        Raises:
            ChannelTaken: its channel has a live table.
        """

    async def change(self, table: Table, what: dict[str, Any], at: int) -> None:
        """Store *table* as its next version, with the event *what* for its history, at the time *at* (ms).

        Raises:
            Conflict: the stored version is not the one before.
        """

    async def load(self, table: TableId) -> Table | None:
        """The newest version of *table*; ``None``: there is no such table."""

    async def live(self) -> list[Table]:
        """Every table that is not over."""

    async def newest_in(self, channel: int) -> Table | None:
        """The table that was changed last among those that *channel* has or had; ``None``: it never had one."""

    async def undelivered(self) -> list[Table]:
        """Every table that is over, but whose messages may not show that yet."""
