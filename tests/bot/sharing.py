"""Processes that serve the tables of one database together, each with a store of its own, without Discord."""

import asyncio
from collections.abc import Sequence

from bot.clock import steady_ms
from bot.cluster.leases import Member
from bot.cluster.membership import Membership
from bot.cluster.news import News
from bot.cluster.partitions import PARTITIONS
from bot.store.cluster import Process, database_now
from bot.store.store import Store
from bot.tables.erasing import erased
from bot.tables.model import Player, Table, TableId
from bot.tables.service import Tables
from tests.bot.members import BOT, Times
from tests.bot.test_service import Clock
from tests.games import CASES

GAME = sorted(CASES)[0]
SHARDS = 2


class Server:
    """One process: its store, its tables, and what it has been told. Its clock is that of *times*, or, if that is
    ``None``, the database's."""

    def __init__(self, store: Store, name: str, times: Times | None) -> None:
        """The process *name* on *store*; it has not joined yet."""
        self.store = store
        self.changed: list[Table] = []
        self.restored: list[Table] = []
        self.news: list[News] = []
        self.clock = Clock()
        self.membership = Membership(
            store,
            Process(name, "127.0.0.1:1", "here", BOT),
            self,
            self.clock,
            now=database_now if times is None else lambda connection: times.ms,
            steady=steady_ms if times is None else lambda: times.ms,
        )
        store.ownership = self.membership
        self.tables = Tables(store, self.clock, self.changed.append, self.restored.extend, ownership=self.membership)

    @property
    def name(self) -> str:
        return self.membership.process.id

    async def take_partitions(self, which: frozenset[int]) -> None:
        await self.tables.take(which)

    async def leave_partitions(self, which: frozenset[int]) -> None:
        await self.tables.leave(which)

    async def open_shard(self, shard: int) -> None: ...

    async def close_shard(self, shard: int) -> None: ...

    async def set_chores(self, mine: bool) -> None: ...

    async def hear(self, news: Sequence[News]) -> None:
        self.news += news
        for it in news:
            if it.kind == "erase":
                for table in self.tables.live_of():
                    await self.tables.change(table.id, "erase", None, lambda t: erased(t, it.data["user"]))  # noqa: B023

    def share(self, members: int) -> None: ...

    async def open(self, channel: int) -> Table:
        """A new table in *channel*."""
        host = Player("host", 100 + channel)
        return await self.tables.open(guild=1, channel=channel, game=GAME, host=host, locale="en")

    async def rename(self, table: TableId, name: str, interaction: int | None = None) -> Table:
        """A change: the host is called *name*."""
        return await self.tables.change(table, "test", None, lambda t: t.with_player(0, name=name), interaction)

    async def count(self, table: TableId) -> Table:
        """A change that counts: the host's name is a number, which grows by one."""

        def more(t: Table) -> Table:
            old = t.players[0].name
            return t.with_player(0, name=str(int(old) + 1 if old.isdecimal() else 1))

        return await self.tables.change(table, "test", None, more)

    def serves(self, channel: int) -> bool:
        return self.membership.owns(channel) and self.tables.serves(channel)


class Group:
    """All processes on the database at *url*."""

    def __init__(self, url: str, times: Times | None = None) -> None:
        self.url = url
        self.times = times
        self.alive: list[Server] = []
        self._all: list[Server] = []

    async def add(self, name: str) -> Server:
        """One more; it takes its share with the next beats."""
        one = Server(await Store.open(self.url), name, self.times)
        one.membership.nudge = self._nudge
        self._all.append(one)
        await one.membership.join(SHARDS)
        await one.tables.begin(others=not one.membership.first)
        await one.membership.beat()
        self.alive.append(one)
        await self.settle()
        return one

    async def _nudge(self, member: Member) -> None:
        for one in self.alive:
            if one.name == member.id:
                await one.membership.beat()

    async def settle(self) -> None:
        """What has begun is done."""
        for _ in range(3):
            for one in self._all:
                await one.membership._duties.finish()
                while told := set(one.membership._told):
                    await asyncio.wait(told)

    async def beats(self, count: int) -> None:
        """Seconds in which all that are alive renew."""
        for _ in range(count):
            if self.times is not None:
                self.times.ms += 1000
            else:
                await asyncio.sleep(0.3)
            for one in self.alive:
                await one.membership.beat()
            await self.settle()

    async def fair(self) -> None:
        """Everybody has a fair share, and serves it."""
        for _ in range(20):
            await self.beats(1)
            counts = [sum(one.serves(channel) for channel in range(PARTITIONS)) for one in self.alive]
            if sum(counts) == PARTITIONS and max(counts) - min(counts) <= 1:
                return
        raise AssertionError(counts)

    def home(self, channel: int) -> Server:
        """Who serves *channel*: exactly one."""
        (one,) = [it for it in self.alive if it.serves(channel)]
        return one

    async def close(self) -> None:
        """All end."""
        for one in self._all:
            if one.membership._loop is not None:
                one.membership._loop.cancel()
        await self.settle()
        for one in self._all:
            await one.tables.stop()
            await one.store.close()
