"""Outages: the times in which the bot was away (a crash, a restart, a lost connection). They count against nobody."""

import logging
from collections.abc import Callable, Coroutine, Iterable
from itertools import takewhile
from typing import Any, Final, NamedTuple, Protocol

from bot.clock import Alarm, Clock
from bot.log import debug_level_if_already_logged, fields
from bot.tables.model import Table
from bot.tables.start import STARTING_MS

ALIVE_INTERVAL_MS: Final = 10_000
"""How often a running process records that it is alive. A crash is therefore credited with up to this much too much."""
OUTAGES_KEPT_MS: Final = 8 * 86_400_000
"""Outages older than this are deleted: no turn takes that long."""


class Outage(NamedTuple):
    """A time in which the bot could serve nobody, from *began* to *ended*, ms since 1970."""

    began: int
    ended: int


def clipped_outage(outage: Outage, now: int) -> Outage | None:
    """Return *outage*, from the store, cut off at *now* (ms); ``None`` if it lies in the future or its times are
    invalid.

    >>> clipped_outage(Outage(10, 90), 50), clipped_outage(Outage(60, 90), 50), clipped_outage(Outage(20, 10), 50)
    (Outage(began=10, ended=50), None, None)
    """
    if type(outage.began) is not int or type(outage.ended) is not int or not 0 <= outage.began < now:
        return None
    return outage._replace(ended=min(outage.ended, now)) if outage.ended >= outage.began else None


def outage_ms_since(outages: Iterable[Outage], since: int) -> int:
    """Return how many ms after the time *since* (ms) lie in any of *outages*; what lies in two of them counts once.

    >>> outage_ms_since([Outage(10, 20), Outage(40, 50)], 15)
    15
    """
    spans = sorted((max(since, began), ended) for began, ended in outages if ended > since)
    total, reached = 0, since
    for began, ended in spans:
        total += max(0, ended - max(began, reached))
        reached = max(reached, ended)
    return total


# Records that this process is alive, so that time without a process does not count against anybody's turn.


log = logging.getLogger(__name__)


class OutageStore(Protocol):
    """Where outages and the last sign of life are stored; times are in ms."""

    async def record_heartbeat(self, at: int) -> None:
        """Record that the process is alive at the time *at*."""

    async def record_startup_outage(self, at: int) -> list[Outage]:
        """Record an outage from the last sign of life to the start at *at* (ms), and return all outages, that one
        too."""

    async def load_outages(self, at: int) -> list[Outage]:
        """Read all outages before the time *at*, oldest first."""

    async def record_outage(self, outage: Outage) -> None:
        """Record *outage* in the store, for later starts."""


class Uptime:
    """Records every 10 s that this process is alive, keeps all outages, and credits them to turns.

    *spawn* runs a coroutine in the background.
    """

    def __init__(self, store: OutageStore, clock: Clock, spawn: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._store = store
        self._clock = clock
        self._spawn = spawn
        self._outages: list[Outage] = []
        """Those that ended first come first."""
        self._refused = set[Outage]()
        """Those of them, of the last minute, in which the bot was there, but Discord took no requests."""
        self._next: Alarm | None = None
        self.missed = 0
        """How many pulses in a row could not be recorded."""
        self._level = logging.INFO
        """At which level it is logged that they can be again."""

    async def start_recording_heartbeats(self, *, others: bool = False) -> None:
        """Load all outages, including the one that ends with this start, and begin to record every 10 s that this
        process is alive.

        If *others* are alive already, no outage ends now.
        """
        now = self._clock.now()
        found = await (self._store.load_outages(now) if others else self._store.record_startup_outage(now))
        self._outages = sorted(found, key=lambda it: it.ended)
        self._schedule_heartbeat()

    async def stop_recording_heartbeats(self) -> None:
        """Stop recording that this process is alive, after one last record of now; do nothing if it was never
        started."""
        if self._next is not None:
            self._next.cancel()
            await self._record_alive()

    def add_outage(self, outage: Outage, *, refused: bool = False) -> bool:
        """Keep *outage*, store it in the background, and return True; return False if it is known already.

        From now on ``with_turn_credit`` counts it. *refused*: the bot was there, but Discord took no requests. That
        counts for turns, not for a table that is starting: it gives up then.
        """
        if outage in self._outages:
            return False
        if refused:
            self._refused = {it for it in self._refused if it.ended >= outage.ended - STARTING_MS} | {outage}
        kept = [it for it in self._outages if it.ended >= outage.ended - OUTAGES_KEPT_MS]
        self._outages = sorted([*kept, outage], key=lambda it: it.ended)
        self._spawn(self._record_outage(outage))
        return True

    async def _record_outage(self, outage: Outage) -> None:
        """Store *outage* in the database; a failure is only logged: after a restart it is unknown."""
        try:
            await self._store.record_outage(outage)
        except Exception:  # the boundary of this task: the outage counts in this process all the same
            log.exception("outage not recorded")

    def with_turn_credit(self, table: Table) -> Table:
        """Return *table* with ``turn_credit`` set to the ms of the running turn in which the bot was away; the same
        object if that is right.

        It follows from the recorded outages, so it need not be committed.
        """
        if not table.turn_began:
            return table
        since = table.clock_began
        lately = takewhile(lambda it: it.ended > since, reversed(self._outages))  # there may be thousands
        refused = self._refused if table.starting else ()
        right = outage_ms_since([it for it in lately if it not in refused], since)
        return table if right == table.turn_credit else table._replace(turn_credit=right)

    def _schedule_heartbeat(self) -> None:
        """Set an alarm that records in 10 s that this process is alive, and then sets the next one."""
        self._next = self._clock.call_at(
            self._clock.now() + ALIVE_INTERVAL_MS, lambda: self._spawn(self._record_and_schedule_heartbeat())
        )

    async def _record_and_schedule_heartbeat(self) -> None:
        """Record that this process is alive, and set the alarm for the next record."""
        await self._record_alive()
        self._schedule_heartbeat()

    async def _record_alive(self) -> None:
        """Record in the store that this process is alive now; only log a failure.

        Of failures in a row the first, second, fourth, eighth ... is logged.
        """
        try:
            await self._store.record_heartbeat(self._clock.now())
        except Exception as error:  # the boundary of this task: the next pulse may come through
            self.missed += 1
            self._level = debug_level_if_already_logged(error, logging.INFO)
            if self.missed & (self.missed - 1) == 0:
                log.exception("no pulse", extra=fields(missed=self.missed))
        else:
            if self.missed:
                log.log(self._level, "pulse again", extra=fields(missed=self.missed))
            self.missed = 0
