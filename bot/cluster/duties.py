"""Has the program serve what this process has got, and stop to serve what it gives away or has lost.

Nothing here takes long for its caller: each is a task. Those about one kind of lease come one after the other, so that
the program hears of everything in the order in which it happened; those about shards, of each shard.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, Protocol

from bot.cluster.held import Held, Holding
from bot.cluster.leases import CHORES, PARTITION, SHARD, Key, Lease
from bot.cluster.news import News
from bot.log import fields
from bot.tables.storage import LeaseLost

log = logging.getLogger(__name__)

OVERLAP_SECONDS: Final = 1.0
"""How long the session of a shard stays open that somebody else has taken over: what it has got is forwarded."""


class Serving(Protocol):
    """What the program does as the member of a cluster."""

    async def take_partitions(self, which: frozenset[int]) -> None:
        """Serve the tables of the partitions *which* from now on: load them, start their timers."""

    async def leave_partitions(self, which: frozenset[int]) -> None:
        """Finish what is being done about the tables of the partitions *which*, and forget them. If they are still this
        process's, they are handed over when this returns; otherwise they are lost already."""

    async def open_shard(self, shard: int) -> None:
        """Connect *shard* to Discord; return when it is READY."""

    async def close_shard(self, shard: int) -> None:
        """End the connection of *shard*."""

    async def set_chores(self, mine: bool) -> None:
        """Do what only one process does from now on, or stop it."""

    async def hear(self, news: Sequence[News]) -> None:
        """Take note of *news*, the oldest first. The same may come again, and must change nothing then."""

    def share(self, members: int) -> None:
        """Take one of *members* shares of what all processes together may ask of Discord."""


class Duties:
    """Tells *serving* what to do about the leases of *holding*.

    ``give`` hands leases to their successors; ``claim`` takes one from its owner, and returns whether it was possible.
    ``taken`` is called before those are served that were taken from a dead process; ``loaded`` after partitions are.
    """

    def __init__(
        self,
        holding: Holding,
        serving: Serving,
        give: Callable[[Sequence[Held]], Awaitable[None]],
        claim: Callable[[Lease], Awaitable[Held | None]],
        taken: Callable[[Sequence[Held]], Awaitable[None]],
        loaded: Callable[[], Awaitable[None]],
    ) -> None:
        self._holding = holding
        self._serving = serving
        self._give = give
        self._claim = claim
        self._taken = taken
        self._loaded = loaded
        self._turns: defaultdict[object, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._overtaking: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def look(self) -> None:
        """Begin to serve what this process has and does not serve yet."""
        new = [it for it in self._holding.held.values() if not (it.ready or it.going or it.busy)]
        for kind in (PARTITION, CHORES):
            if some := [it for it in new if it.lease.kind == kind]:
                self._spawn(self._begin(kind, some), some)
        for it in new:
            if it.lease.kind == SHARD:
                self._spawn(self._open(it), [it])

    def lose(self, lost: Sequence[Held]) -> None:
        """Stop to serve what was *lost*: this process does not have it any more."""
        for kind in (PARTITION, CHORES):
            if some := [it for it in lost if it.lease.kind == kind]:
                self._spawn(self._end(kind, some))
        for it in lost:
            if it.lease.kind == SHARD:
                self._spawn(self._close(it.lease.number))

    def hand_over(self, which: Sequence[Held]) -> None:
        """Stop to serve *which*, then give it to those who wait for it. Of shards their successor takes care."""
        for kind in (PARTITION, CHORES):
            if some := [it for it in which if it.lease.kind == kind and not it.busy]:
                for it in some:
                    it.going = True
                self._spawn(self._part_with(kind, some), some)

    def overtake(self, lease: Lease) -> None:
        """Open the shard of *lease*, of which this process is the successor, then take it from its owner."""
        if lease.number not in self._overtaking:
            self._overtaking.add(lease.number)
            self._spawn(self._overtake(lease))

    async def finish(self) -> None:
        """Wait until nothing is being done."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    async def end_all(self) -> None:
        """Stop to serve everything that this process still has."""
        for kind in (PARTITION, CHORES):
            if some := self._holding.of_kind(kind):
                for it in some:
                    it.going = True
                await self._end(kind, some)

    def _spawn(self, work: Coroutine[Any, Any, None], about: Sequence[Held] = ()) -> None:
        """Run *work* as a task; those that it is *about* are busy until it ends. If it fails, that is logged: whatever
        it should have done is tried again when this process looks next."""
        for it in about:
            it.busy = True

        async def run() -> None:
            try:
                await work
            except LeaseLost:  # as when this process leaves meanwhile: whoever has it now serves it
                log.info("leases were lost while they were taken", extra=fields(leases=len(about)))
            except Exception:  # the boundary of this task: what is missing is tried again at the next look
                log.exception("a duty failed", extra=fields(leases=[it.lease.key for it in about][:8]))
            finally:
                for it in about:
                    it.busy = False

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _turn(self, key: Key | str) -> asyncio.Lock:
        """The lock of what comes one after the other."""
        return self._turns[key]

    async def _begin(self, kind: str, which: Sequence[Held]) -> None:
        """Serve *which*, partitions or chores."""
        async with self._turn(kind):
            mine = [it for it in which if self._holding.has(it)]
            if not mine:
                return
            if kind == CHORES:
                await self._serving.set_chores(True)
            else:
                await self._taken([it for it in mine if it.died is not None])
                await self._serving.take_partitions(frozenset(it.lease.number for it in mine))
                await self._loaded()
            for it in mine:
                it.ready = True

    async def _end(self, kind: str, which: Sequence[Held]) -> None:
        """Stop to serve *which*, partitions or chores."""
        async with self._turn(kind):
            if kind == CHORES:
                await self._serving.set_chores(False)
            else:
                await self._serving.leave_partitions(frozenset(it.lease.number for it in which))

    async def _part_with(self, kind: str, which: Sequence[Held]) -> None:
        """As ``hand_over``, for one *kind*."""
        await self._end(kind, which)
        for it in which:
            it.left = True
        await self._give(which)

    async def _open(self, held: Held) -> None:
        """Open the shard of *held*, which is this process's already."""
        async with self._turn(held.lease.key):
            if self._holding.has(held) and not held.ready:
                await self._serving.open_shard(held.lease.number)
                held.ready = True
                if held.died is not None:
                    await self._taken([held])

    async def _close(self, shard: int) -> None:
        """Close *shard* soon, unless it is this process's again."""
        await asyncio.sleep(OVERLAP_SECONDS)
        async with self._turn((SHARD, shard)):
            if (SHARD, shard) not in self._holding.held:
                await self._serving.close_shard(shard)

    async def _overtake(self, lease: Lease) -> None:
        """As ``overtake``."""
        try:
            async with self._turn(lease.key):
                await self._serving.open_shard(lease.number)
                held = await self._claim(lease)
                if held is None:
                    await self._serving.close_shard(lease.number)
                else:
                    held.ready = True
        finally:
            self._overtaking.discard(lease.number)
