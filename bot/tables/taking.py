"""Taking over tables of the store: in the background, a few at a time, as clicks come first."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from typing import Final

from bot.background import Background
from bot.clock import Clock
from bot.log import fields
from bot.tables.alarms import wait_after
from bot.tables.model import TableId

AT_ONCE: Final = 16
"""So many tables are read, or looked at, before others have their turn: it takes some milliseconds."""

HOPELESS: Final = 3
"""After so many failures in a row the others are not tried either for now."""

log = logging.getLogger(__name__)


class Taking:
    """The tables that are still to be taken over. *take* takes some of them over."""

    def __init__(self, clock: Clock, take: Callable[[Collection[TableId]], Awaitable[None]]) -> None:
        self._clock = clock
        self._take = take
        self._left: dict[TableId, Collection[int] | None] = {}
        """With the shards that they are of; ``None``: of any."""
        self._background = Background(log, "taking tables over failed")

    def __len__(self) -> int:
        return len(self._left)

    def __contains__(self, table: object) -> bool:
        return table in self._left

    def remove(self, which: Collection[TableId]) -> set[TableId]:
        """Take *which* off the list, and return those of them that were on it."""
        found = self._left.keys() & set(which)
        for table in found:
            del self._left[table]
        return found

    def leave(self, shards: Collection[int]) -> None:
        """Take the tables of *shards* off the list."""
        of = [table for table, theirs in self._left.items() if theirs is None or not set(shards).isdisjoint(theirs)]
        self.remove(of)

    def begin(self, which: Sequence[TableId], shards: Collection[int] | None = None) -> None:
        """Begin to take over the tables *which*, of *shards* (``None``: of any), in this order."""
        self._left.update(dict.fromkeys(which, shards))
        self._background.spawn(self._take_all(which), name="taking tables over")

    async def done(self) -> None:
        """Wait until all are taken over."""
        await self._background.done()

    async def stop(self) -> None:
        """Leave the others."""
        self._background.cancel()
        await self._background.done()

    async def _take_all(self, which: Sequence[TableId]) -> None:
        """Take over *which*, and do nothing between for as long as that took. If some fail, what is left is tried again
        one by one, later each time."""
        loop, failures = asyncio.get_running_loop(), 0
        while self._left.keys() & set(which):
            error: Exception | None = None
            in_a_row = 0
            for few in self._parts(which, 1 if failures else AT_ONCE):
                began = loop.time()
                try:
                    await self._take(few)
                    in_a_row = 0
                except Exception as failed:  # noqa: BLE001 - the boundary of this task: others are served; logged below
                    error = failed
                    in_a_row += 1
                if in_a_row == HOPELESS:
                    break
                await asyncio.sleep(loop.time() - began)
            if error is not None:
                failures += 1
                wait = wait_after(failures)
                said = fields(tables=len(self._left.keys() & set(which)), failures=failures, again_in_s=wait // 1000)
                known = failures > 1
                log.error("tables are not taken over yet", exc_info=None if known else error, extra=said)
                await self._pause(wait)
        if failures:
            log.warning("all tables are taken over now", extra=fields(failures=failures))

    def _parts(self, which: Sequence[TableId], size: int) -> Iterator[list[TableId]]:
        """Those of *which* that are left, *size* at a time, without those that somebody has asked for meanwhile."""
        left = [table for table in which if table in self._left]
        for start in range(0, len(left), size):
            if few := [table for table in left[start : start + size] if table in self._left]:
                yield few

    async def _pause(self, ms: int) -> None:
        """Wait for so long."""
        over = asyncio.Event()
        alarm = self._clock.call_at(self._clock.now() + ms, over.set)
        try:
            await over.wait()
        finally:
            alarm.cancel()
