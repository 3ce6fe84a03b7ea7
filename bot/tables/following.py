"""A finished table follows its rematch: it learns what has become of it in the lobby (L5)."""

import logging
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from typing import Any, Final, Protocol

from bot.clock import Clock
from bot.log import fields
from bot.refusals import Refusal
from bot.tables import lobby
from bot.tables.alarms import Alarms
from bot.tables.model import Phase, Table, TableId

log = logging.getLogger(__name__)

WHAT: Final = "rematch"
"""What such a change is called in the log."""


class Tables(Protocol):
    """What is needed of the tables of this process."""

    async def get(self, table: TableId) -> Table:
        """As ``service.Tables.get``."""

    async def change(self, table_id: TableId, what: str, by: int | None, change: Callable[[Table], Table]) -> Table:
        """As ``service.Tables.change``."""


class Following:
    """Tells tables that are over what has become of their rematches, again and again until it is done: what leaves a
    lobby and what that changes at the old table are two changes, and the process may die between them."""

    def __init__(self, clock: Clock, spawn: Callable[[Coroutine[Any, Any, None]], None], tables: Tables) -> None:
        self._spawn = spawn
        self._tables = tables
        self._alarms = Alarms(clock, self.follow)

    def follow(self, table: TableId) -> None:
        """Have *table*, which is over, know soon what has become of its rematch."""
        self._spawn(self._follow(table))

    def follow_all(self, tables: Iterable[Table]) -> None:
        """The same of those of *tables*, just taken over, that do not know it."""
        for table in tables:
            if table.awaits_rematch:
                self.follow(table.id)

    def stop(self) -> None:
        """Leave what is not done to the next start."""
        self._alarms.cancel_all()

    async def _follow(self, old: TableId) -> None:
        """Do it now; if that fails, later."""
        with self._alarms.failing_goes_on(old):
            try:
                table = await self._tables.get(old)
                if table.rematch is None or not table.awaits_rematch:
                    return
                rematch = await self._found(table.rematch)
                if rematch is None or rematch.phase is not Phase.LOBBY:
                    known = partial(lobby.rematch_left_lobby, which=table.rematch, rematch=rematch)
                    await self._tables.change(old, WHAT, None, known)
            except Refusal as no:  # it was deleted or set aside
                log.info("table not told of its rematch", extra=fields(table=old, why=no))

    async def _found(self, rematch: TableId) -> Table | None:
        """The table *rematch*; ``None``: it is set aside, or there is none any more."""
        try:
            return await self._tables.get(rematch)
        except Refusal:
            return None
