"""The live tables of this process as they are now: their times are right, and their alarms are set."""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterator
from itertools import islice
from typing import Any, NamedTuple

from bot.clock import Clock
from bot.log import fields
from bot.tables.alarms import Alarms
from bot.tables.model import Table, TableId
from bot.tables.outages import Outage
from bot.tables.taking import AT_ONCE
from bot.tables.timers import not_ahead
from bot.tables.uptime import Uptime

log = logging.getLogger(__name__)


class Move(NamedTuple):
    """A move that is held for a moment."""

    make: Callable[[Table], Table]
    """Makes it once more, if another process has changed the table meanwhile."""
    interaction: int | None
    """The one that has asked for it."""


class Live:
    """The newest version of every live table, in memory.

    What is kept has all known outages credited to its turn, and no time that lies ahead; if either changes, every table
    is kept once more. *on_change* is called with a table that looks different then; *spawn* runs a coroutine in the
    background.
    """

    def __init__(
        self,
        clock: Clock,
        alarms: Alarms,
        uptime: Uptime,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        on_change: Callable[[Table], None],
    ) -> None:
        self._clock = clock
        self._alarms = alarms
        self._uptime = uptime
        self._spawn = spawn
        self._on_change = on_change
        self._tables: dict[TableId, Table] = {}
        self._brief: dict[TableId, Table] = {}
        """Those of them at which a move is held for a moment, with that move: it is stored with what comes of it, and
        nobody sees it before."""
        self._moves: dict[TableId, Move] = {}
        self._stale = dict[TableId, None]()
        """Tables of which has still to be found out what a new outage, or the clock, makes of their times, in order."""

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[Table]:
        return iter(self._tables.values())

    def __contains__(self, table: object) -> bool:
        return table in self._tables

    def get(self, table: TableId) -> Table | None:
        """The newest version of *table*; ``None``: it is not kept."""
        self._keep_again([table])
        return self._tables.get(table)

    def with_move(self, table: TableId) -> Table | None:
        """*table* with the move that is held at it for a moment, if one is; ``None``: it is not kept."""
        self._keep_again([table])
        return self._brief.get(table) or self._tables.get(table)

    def move_of(self, table: TableId) -> Move | None:
        """The move that is held at *table*; ``None``: none is."""
        return self._moves.get(table)

    def asked(self, table: TableId) -> int | None:
        """The interaction that has asked for that move."""
        move = self._moves.get(table)
        return None if move is None else move.interaction

    @property
    def held(self) -> list[TableId]:
        """The tables at which a move is held for a moment."""
        return list(self._brief)

    # Keeping

    def keep(self, table: Table) -> Table:
        """Keep *table* as the newest version, if it is live, and set its alarm; return it with all known outages
        credited to its turn, and no time that lies ahead. No move is held at it any more."""
        self.let_go(table.id)
        if table.live:
            table = self._tables[table.id] = self._timed(table)
        else:
            self._tables.pop(table.id, None)
        self.arm(table)
        return table

    def _timed(self, table: Table) -> Table:
        """*table* as it is kept, with the right times."""
        return self._uptime.credited(self.timely(table))

    def hold(self, table: Table, move: Move) -> None:
        """Hold the *move* that makes *table* of the version that is kept, for a moment."""
        self._brief[table.id], self._moves[table.id] = table, move
        self.arm(table)

    def let_go(self, table: TableId) -> None:
        """Hold no move at *table* any more."""
        self._brief.pop(table, None)
        self._moves.pop(table, None)

    def arm(self, table: Table) -> None:
        """Set the alarm of *table* to its first timer, be it that of a move that is held for a moment."""
        self._alarms.arm(self._brief.get(table.id, table))

    def drop(self, table: TableId) -> Table | None:
        """Keep *table* no longer; return what was kept."""
        self.let_go(table)
        return self._tables.pop(table, None)

    def forget(self, table: TableId) -> None:
        """Know nothing of *table* any more."""
        self.drop(table)
        self._alarms.cancel(table)

    def timely(self, table: Table) -> Table:
        """*table* with times that lie ahead set back, which a wrong clock has set; that is logged."""
        right = not_ahead(table, self._clock.now())
        if right is not table:
            log.warning("times that lay ahead are set back", extra=fields(table=table.id, version=table.version))
        return right

    # Outages, and the clock

    def add_outage(self, outage: Outage, *, refused: bool = False) -> None:
        """Record *outage*, and credit it to every running turn, unless it is known; *refused* as for ``Uptime.add``."""
        if self._uptime.add(outage, refused=refused):
            self.keep_all()

    def keep_all(self) -> None:
        """Keep every table once more, since what outages or the clock say about its times has changed: a few at once,
        the others in the background, or as soon as they are needed. With all of them at once a process with many would
        stand still, which is an outage again.
        """
        if not self._stale:
            self._spawn(self._keep_stale())
        self._stale.update(dict.fromkeys(self._tables))
        self._keep_again(list(self._tables)[:AT_ONCE])

    def stop(self) -> None:
        """Leave those that still wait to be kept once more as they are: the process ends."""
        self._stale.clear()

    async def _keep_stale(self) -> None:
        """Keep those tables once more that wait for it, a few at a time, and do nothing between for as long as that
        took."""
        loop = asyncio.get_running_loop()
        while self._stale:
            began = loop.time()
            self._keep_again(list(islice(self._stale, AT_ONCE)))
            await asyncio.sleep(loop.time() - began)

    def _keep_again(self, which: Collection[TableId]) -> None:
        """Keep those of the tables *which* once more that wait for it."""
        for table in [it for it in which if it in self._stale]:
            del self._stale[table]
            if table in self._brief:  # it is armed below, with what is held
                self._brief[table] = self.timely(self._brief[table])
            if (before := self._tables.get(table)) is not None and (kept := self._timed(before)) != before:
                self._tables[table] = kept
                self.arm(kept)
                timed = kept.turn_ms or kept.starting
                if timed or kept._replace(turn_credit=before.turn_credit) != before:  # else it looks the same
                    self._on_change(kept)
