"""Processes that share one database in one test: members of a cluster with a clock that the test sets."""

import asyncio
from collections.abc import Sequence

from bot.cluster.leases import PARTITION, SHARD
from bot.cluster.membership import Membership
from bot.cluster.news import News
from bot.store.cluster import Process
from bot.store.store import Store
from tests.clocks import SteppedClock

BOT = 4711


class Times:
    """The database's clock, and the steady one of all machines."""

    def __init__(self) -> None:
        self.ms = 1_800_000_000_000


class Recorder:
    """Serves nothing, and records what it is told to."""

    def __init__(self) -> None:
        self.partitions: set[int] = set()
        self.shards: set[int] = set()
        self.chores = False
        self.news: list[News] = []
        self.members = 0
        self.gate = asyncio.Event()
        """While it is clear, no shard gets READY."""
        self.gate.set()

    async def take_partitions(self, which: frozenset[int]) -> None:
        assert not which & self.partitions
        self.partitions |= which

    async def leave_partitions(self, which: frozenset[int]) -> None:
        self.partitions -= which

    async def open_shard(self, shard: int) -> None:
        await self.gate.wait()
        self.shards.add(shard)

    async def close_shard(self, shard: int) -> None:
        self.shards.discard(shard)

    async def set_chores(self, mine: bool) -> None:
        self.chores = mine

    async def hear(self, news: Sequence[News]) -> None:
        self.news += news

    def share(self, members: int) -> None:
        self.members = members


class One(Membership):
    """One process of a test; what it serves is in ``told``."""

    def __init__(
        self, store: Store, name: str, times: Times, *, host: str = "here", bot: int = BOT, local: bool = False
    ) -> None:
        self.told = Recorder()
        process = Process(name, "127.0.0.1:1", host, bot, local)
        clock = SteppedClock()
        super().__init__(store, process, self.told, clock, now=lambda connection: times.ms, steady=lambda: times.ms)

    async def settle(self) -> None:
        """Wait until what follows from the last beat is done."""
        for _ in range(100):
            await asyncio.sleep(0)
        await self._duties.finish()

    def serves(self) -> tuple[int, int, bool]:
        """(number of partitions, number of shards, whether the chores), as the program was told."""
        return len(self.told.partitions), len(self.told.shards), self.told.chores

    @property
    def agrees(self) -> bool:
        """Whether the program serves what this process has."""
        told = self.told
        return (sorted(told.partitions), sorted(told.shards)) == (self.held(PARTITION), self.held(SHARD))
