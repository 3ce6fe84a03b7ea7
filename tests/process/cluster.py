"""Several bots on one local Discord and one PostgreSQL, and people who play at many tables at once."""

import asyncio
import logging
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from bot.cluster.session import LockKind
from bot.i18n import LOCALES, words
from bot.store.tables import unpack_table
from bot.tables.errors import Why
from bot.tables.model import Table
from bot.ui import replies
from tests import postgres, warm
from tests.process.world import ROOT, World, local_world

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
TRY_AGAIN: Final = tuple(replies.refusal_text(Why.TRY_AGAIN, {}, None, words(it)) for it in LOCALES)
"""What people read whose click came to nothing, in every language."""


class Line:
    """The line between one process and the database at *url*, which can be cut: nothing comes through, and nobody is
    told."""

    def __init__(self, url: str) -> None:
        self._to = sa.make_url(url)
        self._whole = asyncio.Event()
        self._whole.set()
        self._server: asyncio.Server | None = None
        self._ends: list[asyncio.StreamWriter] = []

    async def url(self) -> str:
        """The address of the database at this end of the line."""
        if self._server is None:
            self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return self._to.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)

    def cut(self) -> None:
        """Nothing comes through any more."""
        self._whole.clear()

    def mend(self) -> None:
        """What has been sent meanwhile comes through, and all that follows."""
        self._whole.set()

    async def _connected(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        self._ends.append(back)
        try:
            there, on = await asyncio.open_connection(self._to.host, self._to.port)
        except OSError:
            back.close()
            return
        self._ends.append(on)
        await asyncio.gather(self._carry(here, on), self._carry(there, back))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                await self._whole.wait()
                writer.write(data)
                await writer.drain()
        writer.close()

    async def close(self) -> None:
        """End it."""
        self.mend()
        if self._server is not None:
            self._server.close()
        for end in self._ends:
            end.close()
            with suppress(OSError):
                await end.wait_closed()


class Bot:
    """One process."""

    def __init__(self, number: int, world: World, url: str, folder: Path, line: Line | None = None) -> None:
        self.number = number
        self.line = line
        self._url = url
        self.log = folder / f"bot{number}.log"
        self._world = world
        self.process: asyncio.subprocess.Process | warm.Process | None = None

    async def start(self, **settings: str) -> None:
        """Start it; it is not waited for."""
        session = self._world.session
        environment = {
            **os.environ,
            "DISCORD_TOKEN": session["bot_token"],
            "DISCORD_API_URL": self._world.api,
            "DISCORD_GATEWAY_URL": self._world.gateway,
            "STORE_URL": self._url if self.line is None else await self.line.url(),
            "PYTHONWARNINGS": "default",
            **UNLIMITED,
            **settings,
        }
        with self.log.open("ab") as log:
            if warm.can_run("bot", environment):
                self.process = await warm.start("bot", environment=environment, stderr=log)
            else:
                self.process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "bot", cwd=ROOT, env=environment, stderr=log
                )

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    async def ended(self) -> int:
        """Its exit code, once it has ended."""
        assert self.process is not None
        return await self.process.wait()

    def is_called(self, name: str) -> bool:
        """Whether its session in the database has this *name*."""
        return self.process is not None and name.endswith(f"/{self.process.pid}")


class Cluster:
    """A local Discord with shards, a database, and *bots* on them."""

    def __init__(self, world: World, url: str, bots: list[Bot], shards: int) -> None:
        self.world = world
        self.shards = shards
        self.url = url
        self.bots = bots

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        """The rows of *statement*."""
        return postgres.query(self.url, statement)

    def tables(self) -> dict[str, Table]:
        """The newest version of every table, by id."""
        return {table.id: table for (data,) in self.rows("SELECT snapshot FROM tables") if (table := _unpacked(data))}

    def holders(self) -> dict[int, Bot]:
        """Who holds each shard."""
        found = self.rows(
            "SELECT l.objid::bigint, a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
            f" WHERE l.locktype = 'advisory' AND l.classid = {LockKind.SHARD:d} AND a.datname = current_database()"
        )
        return {int(str(n)): bot for n, name in found for bot in self.bots if bot.is_called(str(name))}

    def holder_of(self, channel: int) -> Bot:
        """Who serves the table in *channel*."""
        guild = int(self.world.guild_of(channel))
        return self.holders()[(guild >> 22) % self.shards]

    @property
    def living(self) -> list[Bot]:
        """Those that run."""
        return [bot for bot in self.bots if bot.process is not None and bot.process.returncode is None]

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
        counts = Counter(bot.number for bot in self.holders().values())
        least, most = self.shards // bots, -(-self.shards // bots)
        if sum(counts.values()) != self.shards or not all(least <= counts[bot.number] <= most for bot in self.living):
            return False
        _, session = await self.world.call("GET", "/local/session")
        return bool(session["bot_sessions"] == sorted([*range(self.shards), *(bots - 1) * [0]]))

    async def stop(self) -> None:
        """Kill whoever still runs."""
        for bot in self.bots:
            if bot.process is not None and bot.process.returncode is None:
                bot.signal(signal.SIGKILL)
                await bot.ended()
            if bot.line is not None:
                await bot.line.close()

    def told_to_try_again(self) -> int:
        """How often people were told to try again."""
        said = [str(it["d"].get("components")) for person in self.world.people for it in person.received]
        return sum(text in it for it in said for text in TRY_AGAIN)

    def complaints(self, *but: str) -> list[str]:
        """What the logs say that should not be there, *but* lines with one of these; pytest shows the logs if there is
        something."""
        bad = ("Traceback", "Warning:", " ERROR ")
        logs = [bot.log.read_text() for bot in self.bots]
        lines = [line for log in logs for line in log.splitlines()]
        fine = ("audioop", *but)
        found = [line for line in lines if any(it in line for it in bad) and not any(it in line for it in fine)]
        if found:
            logging.getLogger(__name__).warning("%s", "\n---\n".join(logs))
        return found


@lru_cache(maxsize=512)
def _unpacked(snapshot: bytes) -> Table:
    return unpack_table(snapshot)


@asynccontextmanager
async def cluster(
    folder: Path, bots: int, *, people: int = 8, channels: int = 2, url: str = "", shards: int = SHARDS
) -> AsyncIterator[Cluster]:
    """So many *bots* that share everything, on a local Discord with as many servers as shards, *channels* in each."""
    database = url or postgres.fresh()
    for statement in KEEP:
        postgres.query(database, statement)
    options = {
        "--guilds": SHARDS,
        "--channels": channels,
        "--people": people,
        "--shards": shards,
        "--max-concurrency": 16,
    }
    async with local_world(*(str(word) for pair in options.items() for word in pair)) as world:
        it = Cluster(
            world, database, [Bot(number, world, database, folder, Line(database)) for number in range(bots)], shards
        )
        try:
            for bot in it.bots:
                await bot.start()
            await it.settled(bots)
            yield it
        finally:
            await it.stop()
            if not url:
                postgres.drop(database)
