"""What tables need of a store, and what it answers when somebody else was first."""

from typing import Any, Protocol

from bot.tables.model import Table, TableId
from bot.tables.uptime import OutageStore


class Conflict(Exception):
    """Somebody else changed the table first."""


class ChannelTaken(Exception):
    """There is a live table in the channel already."""


class TableStore(OutageStore, Protocol):
    """What the service needs of a store."""

    async def create(self, table: Table, what: dict[str, Any], at: int) -> None:
        """Raises ChannelTaken if its channel has a live table."""

    async def change(self, table: Table, what: dict[str, Any], at: int) -> None:
        """Raises Conflict if the stored version is not the one before."""

    async def load(self, table: TableId) -> Table | None:
        """The newest version; ``None``: there is no such table."""

    async def live(self) -> list[Table]:
        """Every table that is not over."""

    async def newest_in(self, channel: int) -> Table | None:
        """The last table that *channel* had."""

    async def undelivered(self) -> list[Table]:
        """Every table that is over while its messages may not show it."""
