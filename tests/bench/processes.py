"""Several bot processes on one PostgreSQL: how many moves they make together, and what it costs that a click arrives at
another process than its table's.

The local Discord and the people are in this process, which takes a core. Where that is what holds the moves up, more
processes make no more of them; the CPU time of the bots tells what they could do on cores of their own.
"""

import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from bot.cluster.partitions import partition_of
from local_discord.server import Server
from tests import postgres
from tests.bench.load import SEATS, Table
from tests.bench.stage import Stage
from tests.postgres_server import Server as PostgreSQL

SHARDS: Final = 8
TABLES: Final = 64
GATE_SECONDS: Final = 10.0
CLICKS: Final = 100
"""How many are timed of each kind, one after the other."""


class Moves(NamedTuple):
    """What some processes did together."""

    a_second: float
    cpu_ms: float
    """Of all bot processes, a move."""
    others_ms: float
    """Of the local Discord and the people, a move."""

    @property
    def a_cpu_second(self) -> float:
        """Moves for each second of CPU time that the bots take."""
        return 1000 / self.cpu_ms


class Forwarded(NamedTuple):
    """Clicks that arrive at home, and those that have to be sent to the process that serves their table."""

    at_home: float
    """From the dispatch of one to its callback, ms: the median."""
    elsewhere: float
    """The same of those that are sent."""
    gate_ms: float
    """CPU time of the process at which they arrive, for each that is sent, with all else that it does meanwhile."""
    kib: float
    """What Discord dispatches for one; as much is sent."""


@asynccontextmanager
async def _cluster(database: PostgreSQL, processes: int, tables: int) -> AsyncIterator[Stage]:
    """So many *processes* that share everything, on a local Discord with room for so many *tables*."""
    name = f"b{time.time_ns()}"
    postgres.asked(database.url("postgres"), f"CREATE DATABASE {name}")
    with tempfile.TemporaryDirectory() as folder:
        channels = -(-tables // SHARDS)
        server = Server(guilds=SHARDS, channels=channels, people=tables * SEATS, shards=SHARDS, concurrency=SHARDS)
        server.limits.off = True
        await server.start(0)
        it = Stage(server, Path(folder), database.url(name))
        try:
            await it.acquaint()
            for _ in range(processes):
                await it.start_ours()
            await it.until(lambda: _is_fair(it.url, processes), "everybody to have a fair share")
            await it.until(lambda: server.gateway.bot_sessions == list(range(SHARDS)), "one session of every shard")
            await it.until(lambda: len(it.world.commands) > 0, "the commands")
            yield it
        finally:
            await it.stop()
            await server.stop()


def _is_fair(url: str, processes: int) -> bool:
    """Whether every process serves as much as any other, and nothing is on its way."""
    kinds = "SELECT count(*) FROM leases WHERE kind = '{}' GROUP BY owner"
    moving = postgres.asked(url, "SELECT 1 FROM leases WHERE owner IS NULL OR successor IS NOT NULL")
    counts = [[count for (count,) in postgres.asked(url, kinds.format(kind))] for kind in ("partition", "shard")]
    return not moving and all(len(it) == processes and max(it) - min(it) <= 1 for it in counts)


def _seated(it: Stage, game: str, tables: int) -> list[Table]:
    """Tables of *game* in as many channels, at each of them other people, who do not think."""
    people = it.world.people
    return [
        Table(it, channel, people[number * SEATS : (number + 1) * SEATS], game, random.Random(number), thought=0.0)
        for number, channel in enumerate(it.channels[:tables])
    ]


async def together(database: PostgreSQL, game: str, processes: int, seconds: float) -> Moves:
    """As many moves as so many *processes* can make at busy tables in so many *seconds*."""
    async with _cluster(database, processes, TABLES) as it:
        tables = _seated(it, game, TABLES)
        for first in range(0, TABLES, 16):
            await asyncio.gather(*(table.open() for table in tables[first : first + 16]))
        await asyncio.gather(*(table.play(time.perf_counter() + 5) for table in tables))
        moves, cpu, mine = sum(table.moves for table in tables), it.cpu(), time.process_time()
        began = time.perf_counter()
        await asyncio.gather(*(table.play(began + seconds) for table in tables))
        took, cpu, mine = time.perf_counter() - began, it.cpu() - cpu, time.process_time() - mine
        made = sum(table.moves for table in tables) - moves
        return Moves(made / took, cpu / made, mine * 1000 / made)


async def forwarded(database: PostgreSQL, game: str) -> Forwarded:
    """What it takes that a click arrives elsewhere: all direct messages come to shard 0, and two processes share the
    tables."""
    async with _cluster(database, 2, SHARDS) as it:
        tables = _seated(it, game, SHARDS)
        for table in tables:
            await table.open()
        owners = dict(postgres.asked(it.url, "SELECT number, owner FROM leases WHERE kind = 'partition'"))
        ((gate,),) = postgres.asked(it.url, "SELECT owner FROM leases WHERE kind = 'shard' AND number = 0")
        took: dict[bool, list[float]] = {True: [], False: []}
        while min(len(found) for found in took.values()) < CLICKS:
            for table in tables:
                it.latencies.clear()
                moves = table.moves
                await table.move()
                if table.moves > moves:
                    took[owners[partition_of(table.channel.id)] == gate] += it.latencies
                await asyncio.sleep(0.05)  # so that nothing else is under way
        there = [table for table in tables if owners[partition_of(table.channel.id)] != gate]
        sizes, cpu = _sizes(it), it.cpu_of_each()
        until = time.perf_counter() + GATE_SECONDS
        await asyncio.gather(*(table.play(until) for table in there))
        spent = [after - before for before, after in zip(cpu, it.cpu_of_each(), strict=True)]
        gate_ms = min(spent) / len(sizes)  # the other process makes the moves, and takes more
        return Forwarded(*(statistics.median(took[way]) for way in (True, False)), gate_ms, statistics.mean(sizes))


def _sizes(it: Stage) -> list[float]:
    """The sizes of the interactions that are dispatched from now on, KiB."""
    found: list[float] = []
    interactions = it.server.interactions
    to_bot = interactions._to_bot

    def noted(event: str, data: dict[str, Any]) -> bool:
        found.append(len(json.dumps(data)) / 1024)
        return to_bot(event, data)

    interactions._to_bot = noted
    return found
