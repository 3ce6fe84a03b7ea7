"""Processes that send each other interactions: over real HTTP, with a table of who serves what."""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from bot.clock import SystemClock
from bot.cluster.leases import Member
from bot.cluster.partitions import partition_of
from bot.cluster.peers import Peers
from bot.cluster.routing import Place, Routing
from bot.tables.model import TableId
from bot.tables.ownership import Fence

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789ab"
EPOCH_MS = 1_420_070_400_000
HERE, THERE = 1000, 1001
"""Two channels, in different partitions."""
TABLE = TableId("abc")


class Directory:
    """Who serves what, for all processes of one test."""

    def __init__(self) -> None:
        self.owners: dict[int, Member] = {}
        self.members: dict[str, Member] = {}

    def give(self, channel: int, to: str) -> None:
        """Have that process serve *channel*."""
        self.owners[partition_of(channel)] = self.members[to]


class Process:
    """One process: it notes what it serves, and whom it tells to try again."""

    def __init__(self, name: str, directory: Directory) -> None:
        self.name = name
        self.directory = directory
        self.served: list[int] = []
        self.serving = asyncio.Event()
        """Set when something is served."""
        self.given_up: list[int] = []
        self.asked = 0
        self.nudges = 0
        self.tasks: set[asyncio.Task[None]] = set()
        self.peers = Peers(TOKEN, name, lambda it: self.routing.take(it), self._nudged)
        self.routing = Routing(
            self, self, self.peers, SystemClock(), self._channel_of, lambda data: Place(True, locale="de"),
            self._serve, self._give_up, self._spawn,
        )  # fmt: skip

    def _serve(self, data: Any) -> None:
        self.served.append(int(data["id"]))
        self.serving.set()

    def _nudged(self) -> None:
        self.nudges += 1

    async def _channel_of(self, table: TableId) -> int | None:
        self.asked += 1
        return THERE if table == TABLE else None

    async def _give_up(self, data: Any) -> None:
        self.given_up.append(int(data["id"]))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def home(self, channel: int) -> Member | None:
        return self.directory.owners.get(partition_of(channel))

    def is_me(self, member: Member) -> bool:
        return member.id == self.name

    async def refresh(self) -> bool:
        """The directory is always fresh."""
        return True

    shared = True

    def owns(self, channel: int) -> bool:
        member = self.home(channel)
        return member is not None and self.is_me(member)

    def holds(self, channel: int) -> bool:
        return self.owns(channel)

    def fence_of(self, channel: int) -> Fence | None:
        return None


@asynccontextmanager
async def running(*names: str) -> AsyncIterator[list[Process]]:
    """So many processes that reach each other."""
    directory = Directory()
    processes = [Process(name, directory) for name in names]
    for it in processes:
        address = await it.peers.start("127.0.0.1", 0)
        directory.members[it.name] = Member(it.name, address, leaving=False, cut_off=False)
    yield processes
    for it in processes:
        for task in set(it.tasks):
            task.cancel()
        await it.peers.stop()


def interaction(number: int, channel: int, clicked: str | None = None, age_ms: int = 0) -> Any:
    """An interaction as the gateway brings it."""
    at = time.time_ns() // 1_000_000 - age_ms - EPOCH_MS
    data = {"custom_id": clicked} if clicked is not None else {"name": "play"}
    return {"id": str((at << 22) + number), "channel_id": str(channel), "type": 3, "token": "x", "data": data}
