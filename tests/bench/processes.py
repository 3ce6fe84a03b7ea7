"""Several bot processes on one PostgreSQL: how many moves they make together, and what a move costs all of them.

The load is several processes too, one for each bot process (``load_process``): so it needs no more of a core than the
bot does, and the bot is the limit if there are enough cores. If there are not, the processes take CPU time from each
other, and how many moves they make says nothing.

What a move costs in CPU time is measured at a pace below what one process can do. People play at the tables of one
process alone, and the others only hear of it: what they take comes on top of what one process takes. Then people play
at the tables of all of them, at the same pace in all. That is to be compared with one process at the pace that each of
them has: a process with more to do does more at once, so its moves cost less.
"""

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from bot.cluster.session import LockKind
from bot.store.store import Dms, Store
from tests import postgres
from tests.bench.lean_discord import HOST, dms, new_world
from tests.bench.load_process import SEATS
from tests.bench.stage import ROOT
from tests.postgres_server import Server as PostgreSQL

SHARDS: Final = 8
PACED: Final = 8
"""Tables on the server of each shard while people play at a pace."""
PACE: Final = 80.0
"""Moves a second of all processes together: they take about a third of a core."""
MANY: Final = 16
"""Tables for each shard of a process while people play as fast as they can: enough for the held cards of 17, which
allow a table three moves a second."""
WARM_SECONDS: Final = 10.0
"""So long people play before the first measurement: every process has learned whose the tables are."""
SHORT_WARM_SECONDS: Final = 1.0
START_SECONDS: Final = 120.0


class Clocks(NamedTuple):
    """The clocks at one moment, s."""

    now: float
    bots: tuple[float, ...]
    """CPU time of each bot process so far."""
    load: float
    postgresql: float
    idle: float
    """What all cores have left idle so far."""


class Run(NamedTuple):
    """What happened while people played: moves, and CPU seconds."""

    seconds: float
    bots: tuple[float, ...]
    """Of each bot process."""
    load: float
    postgresql: float
    idle: float
    """What all cores have left idle."""
    requests: int
    """Of the bots."""
    moves: int
    clicks: int
    failed: int
    latencies: tuple[float, ...]
    """From the dispatch of each click to its answer, ms, sorted."""

    @classmethod
    def between(cls, before: Clocks, after: Clocks, done: Sequence[dict[str, Any]] = ()) -> "Run":
        """What happened between two moments; *done* is what the load processes say about it."""
        bots = tuple(late - early for early, late in zip(before.bots, after.bots, strict=True))
        spent = after.load - before.load, after.postgresql - before.postgresql, after.idle - before.idle
        counts = (sum(it[key] for it in done) for key in ("requests", "moves", "clicks", "failed"))
        latencies = tuple(sorted(latency for it in done for latency in it["latencies"]))
        return cls(after.now - before.now, bots, *spent, *counts, latencies)

    @property
    def a_second(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds

    def a_move(self, seconds: float) -> float:
        """So many CPU *seconds* for each move, ms."""
        return seconds * 1000 / max(1, self.moves)

    def percentile(self, share: float) -> float:
        """The latency that *share* of the clicks keep, ms."""
        return self.latencies[min(len(self.latencies) - 1, int(share * len(self.latencies)))]


def _cpu(pid: int) -> float:
    """CPU time of the process *pid* so far, s."""
    # https://man7.org/linux/man-pages/man3/clock_getcpuclockid.3.html
    return time.clock_gettime((~pid << 3) | 2)


class Load:
    """One process of the load."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.addresses: dict[str, int] = {}

    @classmethod
    async def start(cls, number: int, channels: int, people: int) -> "Load":
        """Start the load process *number*, with so many *channels* on each server, and so many *people*."""
        numbers = (str(it) for it in (number, SHARDS, channels, people))
        it = cls(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.bench.load_process", *numbers),
                cwd=ROOT, stdin=PIPE, stdout=PIPE, limit=1 << 26,
            )
        )  # fmt: skip
        it.addresses = await it.answer()
        return it

    async def answer(self) -> Any:
        """What it says next."""
        assert self.process.stdout is not None
        return orjson.loads(await self.process.stdout.readline())

    async def do(self, what: str, **arguments: Any) -> Any:
        """Have it do something (``load_process.Load``); its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(orjson.dumps([what, arguments]) + b"\n")
        return await self.answer()


class Cluster:
    """Bot processes on one database, and a load process for each."""

    def __init__(self, database: PostgreSQL, url: str) -> None:
        self._database = database
        self._url = url
        self.bots: list[asyncio.subprocess.Process] = []
        self.loads: list[Load] = []
        self.shards: list[list[int]] = []
        """Those that each bot process holds."""
        self._first = 0
        """The first channel of each server without a table."""

    def _holders(self) -> dict[int, int]:
        """Shard -> the process number of the bot that holds it."""
        found = postgres.query(
            self._url,
            "SELECT l.objid::bigint, a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
            f" WHERE l.locktype = 'advisory' AND l.classid = {LockKind.SHARD:d} AND a.datname = current_database()",
        )
        return {shard: int(name.rpartition("/")[2]) for shard, name in found}

    async def start(self, processes: int, tables: int) -> None:
        """Start so many bot *processes*, with room for so many *tables* on each server, and wait until all of them
        hold as many shards as any other."""
        people = SHARDS * tables * SEATS
        self.loads = await asyncio.gather(*(Load.start(number, tables, people) for number in range(processes)))
        peers = [it.addresses["peer"] for it in self.loads]
        for load in self.loads:
            await load.do("meet", ports=[port for port in peers if port != load.addresses["peer"]])
        store = await Store.open(self._url)  # the bot has written to everybody before
        acquainted = dms(new_world(SHARDS, tables, people))
        await asyncio.gather(
            *(store.save_dm_channel_and_refusal(person, Dms(dm.id)) for person, dm in acquainted.items())
        )
        await store.close()
        for load in self.loads:
            address = f"{HOST}:{load.addresses['port']}"
            environment = {
                "DISCORD_TOKEN": "OTAwMDAwMDAwMDAwMDAwMDAw.leanAA.benchbenchbenchbenchbenchbench",
                "DISCORD_API_URL": f"http://{address}/api/v10",
                "DISCORD_GATEWAY_URL": f"ws://{address}/gateway",
                "STORE_URL": self._url,
                "LOG_LEVEL": "WARNING",
                "TABLES_PER_SERVER": "0",
            }
            self.bots.append(
                await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "bot", cwd=ROOT, env={**os.environ, **environment}, stdout=DEVNULL
                )
            )
        deadline = time.perf_counter() + START_SECONDS
        while not (self._is_fair(holders := self._holders()) and await self._have_sessions(holders)):
            if time.perf_counter() > deadline or any(bot.returncode is not None for bot in self.bots):
                raise RuntimeError("the processes do not come to share the shards")
            await asyncio.sleep(0.2)
        self.shards = [[shard for shard, pid in holders.items() if pid == bot.pid] for bot in self.bots]

    async def _have_sessions(self, holders: dict[int, int]) -> bool:
        """Whether every process has its sessions, besides that of shard 0."""
        needed = [{0, *(shard for shard, pid in holders.items() if pid == bot.pid)} for bot in self.bots]
        return [set(await load.do("sessions")) for load in self.loads] == needed

    def _is_fair(self, holders: dict[int, int]) -> bool:
        """Whether every process holds as many shards as any other, or one more."""
        counts = Counter(holders.values())
        return (
            sum(counts.values()) == SHARDS
            and len(counts) == len(self.bots)
            and max(counts.values()) == -(-SHARDS // len(counts))
        )

    async def sit(self, game: str, tables: int, *, here: bool, first: int | None = None) -> None:
        """Open so many *tables* of *game* on the server of each shard, *first* on those of the first process; earlier
        ones are left alone."""
        first = first or tables
        chosen = {"game": game, "first": self._first, "here": here}
        each = [first, *[tables] * (len(self.loads) - 1)]
        await asyncio.gather(
            *(
                load.do("sit", shards=shards, tables=count, **chosen)
                for load, shards, count in zip(self.loads, self.shards, each, strict=True)
            )
        )
        self._first += first

    async def play(
        self,
        seconds: float,
        tables: int,
        pace: float = 0,
        processes: int | None = None,
        warm: float = SHORT_WARM_SECONDS,
    ) -> Run:
        """People at the first so many *tables* on each server play for so many *seconds*, at a *pace* of so many moves
        a second in all (0: as fast as they can); only those whom the first so many *processes* serve. They begin *warm*
        seconds before that."""
        loads, served = self.loads[:processes], self.shards[:processes]
        thought = tables * sum(len(it) for it in served) / pace if pace else 0.0
        await asyncio.gather(*(it.do("play", seconds=warm, thought=thought, tables=tables) for it in loads))
        before = self.clocks()
        done = await asyncio.gather(*(it.do("play", seconds=seconds, thought=thought, tables=tables) for it in loads))
        return Run.between(before, self.clocks(), done)

    async def rest(self, seconds: float) -> Run:
        """Nobody does anything for so many *seconds*."""
        before = self.clocks()
        await asyncio.sleep(seconds)
        return Run.between(before, self.clocks())

    def clocks(self) -> Clocks:
        """All clocks, now."""
        ticks = Path("/proc/stat").read_text().split("\n", 1)[0].split()
        return Clocks(
            time.perf_counter(),
            tuple(_cpu(it.pid) for it in self.bots),
            sum(_cpu(it.process.pid) for it in self.loads),
            sum(_cpu(pid) for pid in self._database.processes()),
            int(ticks[4]) / os.sysconf("SC_CLK_TCK"),
        )

    async def stop(self) -> None:
        """End all of them."""
        for process in (*self.bots, *(it.process for it in self.loads)):
            if process.returncode is None:
                process.send_signal(signal.SIGKILL)
                await process.wait()


@asynccontextmanager
async def cluster(database: PostgreSQL, processes: int, tables: int) -> AsyncIterator[Cluster]:
    """So many bot *processes* that share everything, with room for so many *tables* on each server."""
    name = f"b{time.time_ns()}"
    postgres.query(database.url("postgres"), f"CREATE DATABASE {name}")
    it = Cluster(database, database.url(name))
    try:
        await it.start(processes, tables)
        yield it
    finally:
        await it.stop()
