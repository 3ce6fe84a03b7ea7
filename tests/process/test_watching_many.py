"""What several bots on one PostgreSQL say of themselves: what they serve, and that they wait for the database."""

import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from tests.postgres import Server, asked
from tests.process.cluster import Bot
from tests.process.test_restart import free_port
from tests.process.test_watching import Watched, ready
from tests.process.waiting import eventually, until
from tests.process.world import local_world

PATIENCE_SECONDS = 60.0
AWAY_AND_BACK = (
    " ERROR bot.store.postgresql: the database does not answer: ",
    " INFO bot.store.postgresql: the database answers again",
)


@pytest.fixture
def server() -> Iterator[Server]:
    """A PostgreSQL server of this test's own. If we are root it runs as somebody who may not enter ``tmp_path``."""
    with tempfile.TemporaryDirectory(prefix="watching-") as folder, Server.started(Path(folder)) as server:
        yield server


async def test_two_processes_say_what_they_serve_and_what_they_wait_for(tmp_path: Path, server: Server) -> None:
    asked(server.url("postgres"), "CREATE DATABASE cards")
    server.stop()
    async with (
        local_world("--guilds", "2", "--shards", "2", "--max-concurrency", "16") as world,
        aiohttp.ClientSession() as http,
    ):
        bots = [Bot(number, world, server.url("cards"), tmp_path) for number in range(2)]
        watched = [Watched(http, free_port()) for _ in bots]

        async def unready(one: Watched, why: str) -> bool:
            try:
                status, said = await one.get("/readyz")
            except aiohttp.ClientConnectorError:  # it is only starting
                return False
            return status == 503 and why in said

        async def all_served(one: Watched, processes: int) -> bool:
            return (
                await one.total("diciassette_processes") == processes
                and await one.total("diciassette_shards_unheld") == 0
                and sum([await it.total("diciassette_shards_held") for it in watched[:processes]]) == 2
            )

        try:
            for bot, one in zip(bots, watched, strict=True):
                await bot.start(METRICS_PORT=one.port)
            for bot, one in zip(bots, watched, strict=True):
                await until(lambda one=one: unready(one, "database"), "it does not wait", PATIENCE_SECONDS)  # type: ignore[misc]
                assert bot.log.read_text().count("waiting until it answers") == 1, bot.log.read_text()
                assert await one.get("/healthz") == (200, "alive\n")
            server.start()
            for one in watched:
                await ready(one, PATIENCE_SECONDS)
            await until(lambda: all_served(watched[0], 2), "they do not share everything", PATIENCE_SECONDS)
            assert sum([await it.total("diciassette_chores") for it in watched]) == 1
            assert 0 < await watched[1].total("diciassette_shards_seconds_left") <= 4
            bots[1].signal(signal.SIGKILL)
            await bots[1].ended()
            await until(lambda: all_served(watched[0], 1), "the other one does not take over", PATIENCE_SECONDS)
            server.freeze()
            await until(
                lambda: unready(watched[0], "another process may serve"),
                "it serves",
                PATIENCE_SECONDS,
            )
            assert await watched[0].total("diciassette_shards_seconds_left") <= 0
            assert await watched[0].get("/healthz") == (200, "alive\n")
            server.resume()
            await ready(watched[0], PATIENCE_SECONDS)
            assert server.password not in watched[0].text + bots[0].log.read_text()
        finally:
            server.resume()
            for bot in bots:
                if bot.process is not None and bot.process.returncode is None:
                    bot.signal(signal.SIGKILL)
                    await bot.ended()


@pytest.mark.parametrize("how", ["stopped", "frozen"])
async def test_an_outage_of_the_database_is_two_lines(tmp_path: Path, server: Server, how: str) -> None:
    """Whoever notices it first; meanwhile people click, records are counted, the process says that it is alive."""
    asked(server.url("postgres"), "CREATE DATABASE cards")
    async with (
        local_world("--guilds", "2", "--shards", "2", "--max-concurrency", "16") as world,
        aiohttp.ClientSession() as http,
    ):
        bot, one = Bot(0, world, server.url("cards"), tmp_path), Watched(http, free_port())
        person = world.people[0]

        async def is_ready() -> bool:
            with suppress(aiohttp.ClientConnectorError):  # it is only starting
                return (await one.get("/readyz"))[0] == 200
            return False

        async def is_unready() -> bool:
            return not await is_ready()

        try:
            await bot.start(METRICS_PORT=one.port)
            await until(is_ready, "it does not start", PATIENCE_SECONDS)
            await eventually(lambda: bot.log.read_text().count("shard open") == 2, lambda: bot.log.read_text())
            before = bot.log.read_text()
            if how == "stopped":
                server.stop()
            else:
                server.freeze()
            use = person.command(world.channel, "profile")
            uses = [await person.interact(use, wait=False)]
            await until(is_unready, "it serves on", PATIENCE_SECONDS)
            uses.append(await person.interact(use, wait=False))
            await eventually(lambda: all(it in person.outcomes for it in uses), lambda: bot.log.read_text())
            if how == "stopped":
                server.start()
            else:
                server.resume()
            await ready(one, PATIENCE_SECONDS)
            said = bot.log.read_text().removeprefix(before).splitlines()
            loud = [line for line in said if " INFO bot.cluster" not in line and " INFO cogs." not in line]
            assert [line for line in said if "nobody knows who holds what: " in line], "\n".join(said)
            # Frozen, it may answer again before what has been asked is given up.
            assert len(loud) in ((2,) if how == "stopped" else (0, 2)), "\n".join(said)
            for expected, line in zip(AWAY_AND_BACK[: len(loud)], loud, strict=True):
                assert expected in line
        finally:
            server.resume()
            if bot.process is not None and bot.process.returncode is None:
                bot.signal(signal.SIGKILL)
                await bot.ended()
