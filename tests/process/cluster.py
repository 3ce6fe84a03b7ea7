"""Several bots on one local Discord and one PostgreSQL, and people who play at many tables at once."""

import asyncio
import logging
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final

from bot.cluster.partitions import partition_of
from bot.i18n import LOCALES, words
from bot.present import answers
from bot.refusals import Why
from bot.store.packing import unpack
from bot.tables.model import Table
from tests import postgres
from tests.process.world import ROOT, World, local_world

PROGRAM = ("-m", "bot")
SHARDS: Final = 8
UNLIMITED: Final = {"TABLES_PER_PERSON": "0", "TABLES_PER_SERVER": "0", "OPENED_PER_PERSON": "0"}
KEEP: Final = (
    "CREATE TABLE versions (table_id text, version int, last text, snapshot bytea)",
    "CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN INSERT INTO versions VALUES (NEW.id, NEW.version, NEW.last, NEW.snapshot); RETURN NEW; END $$",
    "CREATE TRIGGER keep_new AFTER INSERT ON tables FOR EACH ROW EXECUTE FUNCTION keep()",
    "CREATE TRIGGER keep_changed AFTER UPDATE OF version ON tables FOR EACH ROW EXECUTE FUNCTION keep()",
)
"""Has the database keep every version of every table."""
TRY_AGAIN: Final = tuple(answers.refusal(Why.TRY_AGAIN, {}, None, words(it)) for it in LOCALES)
"""What people read whose click came to nothing, in every language."""


class Bot:
    """One process."""

    def __init__(self, number: int, world: World, url: str, folder: Path) -> None:
        self.number = number
        self.log = folder / f"bot{number}.log"
        self._world = world
        self._url = url
        self.process: asyncio.subprocess.Process | None = None

    async def start(self, **settings: str) -> None:
        """Start it; it is not waited for."""
        session = self._world.session
        environment = {
            **os.environ,
            "DISCORD_TOKEN": session["bot_token"],
            "DISCORD_API_URL": self._world.api,
            "DISCORD_GATEWAY_URL": self._world.gateway,
            "STORE_URL": self._url,
            "PYTHONWARNINGS": "default",
            **UNLIMITED,
            **settings,
        }
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, *PROGRAM, cwd=ROOT, env=environment, stderr=log
            )

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    async def ended(self) -> int:
        """Its exit code, once it has ended."""
        assert self.process is not None
        return await self.process.wait()

    @property
    def id(self) -> str:
        """What it is called in the database, since it was started last."""
        lines = [line for line in self.log.read_text().splitlines() if "one of several processes" in line]
        return lines[-1].partition("process=")[2].split()[0]


class Cluster:
    """A local Discord with shards, a database, and *bots* on them."""

    def __init__(self, world: World, url: str, bots: list[Bot]) -> None:
        self.world = world
        self.url = url
        self.bots = bots

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        """The rows of *statement*."""
        return postgres.asked(self.url, statement)

    def tables(self) -> dict[str, Table]:
        """The newest version of every table, by id."""
        return {table.id: table for (data,) in self.rows("SELECT snapshot FROM tables") if (table := _unpacked(data))}

    def owners(self) -> Counter[str]:
        """How many partitions every living process serves."""
        living = "SELECT id FROM processes WHERE expires_at > extract(epoch FROM clock_timestamp()) * 1000"
        found = self.rows(f"SELECT owner FROM leases WHERE kind = 'partition' AND owner IN ({living})")
        return Counter(str(owner) for (owner,) in found)

    def owner_of(self, channel: int) -> Bot:
        """Whose the table in *channel* is."""
        ((owner,),) = self.rows(f"SELECT owner FROM leases WHERE kind='partition' AND number={partition_of(channel)}")
        return next(bot for bot in self.bots if bot.process is not None and bot.id == owner)

    async def settled(self, bots: int, seconds: float = 60.0) -> None:
        """So many processes share everything, every shard has exactly one session, and nothing moves."""
        async with asyncio.timeout(seconds):
            while True:
                for bot in self.bots:
                    assert bot.process is None or bot.process.returncode is None, bot.log.read_text()[-2000:]
                if await self._settled(bots):
                    return
                await asyncio.sleep(0.05)

    async def _settled(self, bots: int) -> bool:
        counts = self.owners()
        if len(counts) != bots or sum(counts.values()) != 251 or max(counts.values()) - min(counts.values()) > 1:
            return False
        if self.rows("SELECT 1 FROM leases WHERE successor IS NOT NULL OR owner IS NULL"):
            return False
        _, session = await self.world.call("GET", "/local/session")
        return bool(session["bot_sessions"] == list(range(SHARDS)))

    async def stop(self) -> None:
        """Kill whoever still runs."""
        for bot in self.bots:
            if bot.process is not None and bot.process.returncode is None:
                bot.signal(signal.SIGKILL)
                await bot.ended()

    def told_to_try_again(self) -> int:
        """How often people were told to try again."""
        said = [str(it["d"].get("components")) for person in self.world.people for it in person.received]
        return sum(text in it for it in said for text in TRY_AGAIN)

    def complaints(self) -> list[str]:
        """What the logs say that should not be there; if there is something, pytest shows the logs as well."""
        bad = ("Traceback", "Warning:", " ERROR ")
        logs = [bot.log.read_text() for bot in self.bots]
        lines = [line for log in logs for line in log.splitlines()]
        found = [line for line in lines if any(it in line for it in bad) and "audioop" not in line]
        if found:
            logging.getLogger(__name__).warning("%s", "\n---\n".join(logs))
        return found


@lru_cache(maxsize=512)
def _unpacked(snapshot: bytes) -> Table:
    return unpack(snapshot)


@asynccontextmanager
async def cluster(
    folder: Path, bots: int, *, people: int = 8, channels: int = 2, url: str = ""
) -> AsyncIterator[Cluster]:
    """So many *bots* that share everything, on a local Discord with as many servers as shards, *channels* in each."""
    database = url or postgres.fresh()
    for statement in KEEP:
        postgres.asked(database, statement)
    options = {
        "--guilds": SHARDS,
        "--channels": channels,
        "--people": people,
        "--shards": SHARDS,
        "--max-concurrency": 16,
    }
    async with local_world(*(str(word) for pair in options.items() for word in pair)) as world:
        it = Cluster(world, database, [Bot(number, world, database, folder) for number in range(bots)])
        try:
            for bot in it.bots:
                await bot.start()
            await it.settled(bots)
            yield it
        finally:
            await it.stop()
            if not url:
                postgres.drop(database)
