"""Several bot processes on one PostgreSQL: how many moves they make together, and what it costs a process to hear of
clicks that do not concern it.

The local Discord and the people are in this process, which takes a core. Where that is what holds the moves up, more
processes make no more of them; the CPU time of the bots tells what they could do on cores of their own.
"""

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from bot.cluster.session import LockKind
from local_discord.server import Server
from tests import postgres
from tests.bench.load import SEATS, Table
from tests.bench.stage import Stage
from tests.postgres_server import Server as PostgreSQL

SHARDS: Final = 8
TABLES: Final = 64
GATE_SECONDS: Final = 10.0


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


class Overheard(NamedTuple):
    """Clicks in direct messages, which every process gets."""

    other_ms: float
    """CPU time of a process whose tables they do not concern, for each of them, without what it does anyway."""
    own_ms: float
    """The same of the process that answers them."""


@asynccontextmanager
async def _cluster(database: PostgreSQL, processes: int, tables: int) -> AsyncIterator[Stage]:
    """So many *processes* that share everything, on a local Discord with room for so many *tables*."""
    name = f"b{time.time_ns()}"
    postgres.query(database.url("postgres"), f"CREATE DATABASE {name}")
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
            wanted = sorted([*range(SHARDS), *(processes - 1) * [0]])
            await it.until(
                lambda: server.gateway.bot_sessions == wanted, "one session of every shard, and more of the first"
            )
            await it.until(lambda: len(it.world.commands) > 0, "the commands")
            yield it
        finally:
            await it.stop()
            await server.stop()


def _holders(url: str) -> dict[int, int]:
    """Shard -> the process that holds it, as PostgreSQL calls that."""
    locks = "SELECT objid::bigint, pid FROM pg_locks WHERE locktype = 'advisory' AND granted"
    here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    return dict(postgres.query(url, f"{locks} AND classid = {LockKind.SHARD:d} AND {here}"))


def _is_fair(url: str, processes: int) -> bool:
    """Whether every process holds as many shards as any other."""
    counts = Counter(_holders(url).values())
    return (
        sum(counts.values()) == SHARDS and len(counts) == processes and max(counts.values()) == -(-SHARDS // processes)
    )


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


async def overheard(database: PostgreSQL, game: str) -> Overheard:
    """What a click in direct messages costs: two processes share the shards, and at the tables of one people play."""
    async with _cluster(database, 2, SHARDS) as it:
        tables = _seated(it, game, SHARDS)
        for table in tables:
            await table.open()
        first = _holders(it.url)[0]
        here = [t for t in tables if _holders(it.url)[((t.channel.guild or 0) >> 22) % SHARDS] == first]
        clicks, spent = 0, []
        for playing in ([], here):
            before, made = it.cpu_of_each(), sum(table.moves for table in here)
            until = time.perf_counter() + GATE_SECONDS
            await asyncio.gather(*(table.play(until) for table in playing), asyncio.sleep(GATE_SECONDS))
            spent.append([after - then for then, after in zip(before, it.cpu_of_each(), strict=True)])
            clicks = sum(table.moves for table in here) - made
        idle, busy = spent
        other, own = sorted((after - then) / clicks for then, after in zip(idle, busy, strict=True))
        return Overheard(other, own)
