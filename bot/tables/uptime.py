"""Notes that this process is alive, so that the time in which none was can be credited to everybody's turn."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from bot.clock import Alarm, Clock
from bot.tables.model import Table
from bot.tables.outages import PULSE_MS, Outage, credit

log = logging.getLogger(__name__)


class OutageStore(Protocol):
    """Where outages and the last sign of life are kept."""

    async def pulse(self, at: int) -> None:
        """This process is alive at *at* (ms)."""

    async def wake(self, at: int) -> list[Outage]:
        """This process starts at *at* (ms): every outage on record, the one that has just ended included."""

    async def outage(self, outage: Outage) -> None:
        """Put *outage* on record."""


class Uptime:
    """When this process, and Discord's connection to it, was alive. *spawn* runs what may take a while."""

    def __init__(self, store: OutageStore, clock: Clock, spawn: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._store = store
        self._clock = clock
        self._spawn = spawn
        self._outages: list[Outage] = []
        self._next: Alarm | None = None

    async def begin(self) -> None:
        """The process starts: what came before its last sign of life was an outage."""
        self._outages = await self._store.wake(self._clock.now())
        self._arm()

    async def end(self) -> None:
        """The process stops now."""
        if self._next is not None:
            self._next.cancel()
            await self._store.pulse(self._clock.now())

    async def add_outage(self, since: int) -> None:
        """Nobody could be served from *since* (ms) until now."""
        outage = Outage(since, self._clock.now())
        self._outages.append(outage)
        await self._store.outage(outage)

    def credited(self, table: Table) -> Table:
        """*table* with the time in which nobody could be served taken off its clock. It follows from the outages on
        record, so it need not be committed."""
        return table._replace(turn_credit=credit(self._outages, table.turn_began)) if table.turn_began else table

    def _arm(self) -> None:
        self._next = self._clock.call_at(self._clock.now() + PULSE_MS, lambda: self._spawn(self._pulse()))

    async def _pulse(self) -> None:
        try:
            await self._store.pulse(self._clock.now())
        except Exception:  # the boundary of this task: the next pulse may come through
            log.exception("no pulse")
        self._arm()
