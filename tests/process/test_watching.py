"""Metrics, health and readiness of a running bot, as Prometheus and a container read them."""

import asyncio
import re
import signal
import socket
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.ui.custom_ids import Verb
from tests.games import ANY
from tests.postgres import Server, query
from tests.process.cluster import Bot
from tests.process.test_database import settings_of
from tests.process.waiting import eventually, until
from tests.process.watch import move, newest_table
from tests.process.world import local_world
from tests.program import bot, free_port

LABEL = re.compile(r"[A-Za-z_/ !.+]{0,40}|[1-5]\d\d|[0-9.]{1,6}|3\.\d\d\.\d+|[0-9.]+e[+-]\d+")
"""What a label may hold: words of the program, statuses, bounds of buckets, versions. No id has so few digits."""
MOST_SERIES = 120
"""Of one metric, however long the bot runs."""


class Sample(NamedTuple):
    """One series of a metric."""

    name: str
    labels: dict[str, str]
    value: float


class Watched:
    """The metrics and the state of the bot at *port*."""

    def __init__(self, http: aiohttp.ClientSession, port: int) -> None:
        self._http, self._base = http, f"http://127.0.0.1:{port}"
        self.port = str(port)
        self.text = ""

    async def get(self, path: str, seconds: float = 5) -> tuple[int, str]:
        """(status, text)."""
        async with self._http.get(self._base + path, timeout=aiohttp.ClientTimeout(total=seconds)) as response:
            return response.status, await response.text()

    async def samples(self) -> list[Sample]:
        """Everything that Prometheus would read."""
        status, self.text = await self.get("/metrics")
        assert status == 200
        families = text_string_to_metric_families(self.text)
        return [Sample(it.name, it.labels, it.value) for family in families for it in family.samples]

    async def total(self, name: str, **labels: str) -> float:
        """The sum of the series *name* that have these labels."""
        return sum(it.value for it in await self.samples() if it.name == name and labels.items() <= it.labels.items())


async def test_a_game_is_counted_and_no_label_says_who_plays_it(store: Path, game: str) -> None:
    port = free_port()
    async with local_world() as world, aiohttp.ClientSession() as http:
        await world.start_bot(store, METRICS_PORT=str(port))
        watched = Watched(http, port)
        await ready(watched)
        people = world.players(game)
        await world.open_game(game, *people, pace="off")
        assert await watched.total("diciassette_live_tables", game=game, phase="playing") == 1
        assert await watched.total("diciassette_live_tables") == 1
        for _ in range(4):
            await move(world, store, people)
        table = await eventually(people[0].table, "the table")
        for verb in (Verb.HAND, Verb.MENU, Verb.RULES):
            await people[0].click(table, verb)
        await world.fault(match={"method": "PATCH", "path": "*"}, status=429, retry_after=0.1, times=2)
        await world.fault(match={"method": "PATCH", "path": "*"}, status=503, times=2)
        await move(world, store, people)
        assert await watched.total("diciassette_moves_total", game=game) == 5
        assert await watched.total("diciassette_table_changes_total", game=game, what="open") == 1
        changes = [
            await watched.total("diciassette_table_changes_total", game=game, what=it) for it in ("move", "timer")
        ]
        assert sum(changes) >= 5
        assert await watched.total("diciassette_interactions_total", what="menu", outcome="served") == 1
        assert await watched.total("diciassette_interactions_total", outcome="bug") == 0
        answers = await watched.total("diciassette_answer_seconds_count")
        in_time = await watched.total("diciassette_answer_seconds_bucket", le="3.0")
        assert answers == in_time >= 5

        async def both_tried_again() -> bool:
            refused = await watched.total("diciassette_discord_requests_total", status="503")
            return refused == await watched.total("diciassette_discord_rate_limited_total") == 2

        await until(both_tried_again, "the faults to be met")
        assert await watched.total("diciassette_discord_invalid_requests") == 2
        asked = [r for r in await world.requests() if r["auth"] == "interaction"]
        assert await watched.total("diciassette_discord_requests_total", counted="no", kind="answer") == len(
            [r for r in asked if r["path"].endswith("/callback")]
        )
        assert await watched.total("diciassette_store_seconds_count", work="write") >= 7
        assert await watched.total("diciassette_shards", state="connected") == 1
        assert await watched.total("diciassette_ready") == 1
        samples = await watched.samples()
        values = {value for it in samples for value in it.labels.values()}
        assert [value for value in values if not LABEL.fullmatch(value)] == []
        for name in {it.name for it in samples}:
            assert len([it for it in samples if it.name == name]) <= MOST_SERIES, name
        secrets = [
            str(world.channel),
            world.guild,
            newest_table(store).id,
            world.session["bot_token"],
            world.application,
        ]
        for secret in [*secrets, *(str(person.id) for person in people), *(person.name for person in people)]:
            assert secret not in watched.text


@pytest.mark.about(ANY)
async def test_what_is_lost_is_seen_and_told(store: Path) -> None:
    """The gateway goes and comes back; the process is told to stop."""
    port = free_port()
    async with local_world() as world, aiohttp.ClientSession() as http:
        await world.start_bot(store, METRICS_PORT=str(port))
        watched = Watched(http, port)
        await ready(watched)
        assert await watched.get("/healthz") == (200, "alive\n")
        assert (await watched.get("/"))[0] == 404
        assert (await watched.get("/metrics/x"))[0] == 404
        await world.call("POST", "/local/faults", {"gateway": "close"})
        await ready(watched)
        assert await world.kill_bot(signal.SIGTERM) == 0


async def ready(watched: Watched, seconds: float = 20) -> None:
    """Wait until the bot is ready."""
    deadline = asyncio.get_running_loop().time() + seconds
    while (said := await watched.get("/readyz")) != (200, "ready\n"):
        assert asyncio.get_running_loop().time() < deadline, said
        await asyncio.sleep(0.05)


@pytest.mark.about(ANY)
async def test_a_bot_that_hangs_is_not_healthy(store: Path) -> None:
    """``python -m bot health`` says so with its exit code, as a container asks."""
    port = free_port()
    async with local_world() as world:
        await world.start_bot(store, METRICS_PORT=str(port))
        assert world.bot is not None
        settings = {**settings_of(world, store), "METRICS_PORT": str(port)}
        assert bot("health", **settings) == (0, "alive\n", "")
        world.bot.send_signal(signal.SIGSTOP)
        try:
            code, said, errors = bot("health", **settings)
        finally:
            world.bot.send_signal(signal.SIGCONT)
        assert (code, errors) == (1, "")
        assert said == f"nobody answers at port {port} of 127.0.0.1: timed out\n"
        assert bot("health", **settings) == (0, "alive\n", "")
        await world.kill_bot()
        code, said, _ = bot("health", **settings)
        assert (code, said) == (1, f"nobody answers at port {port} of 127.0.0.1: Connection refused\n")
        code, said, errors = bot("health", **settings_of(world, store))
        assert (code, said) == (2, "")
        assert errors.startswith("METRICS_PORT: ")
        assert errors.count("\n") == 1


async def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        settings = {
            "DISCORD_TOKEN": "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789ab",
            "STORE_URL": f"sqlite+aiosqlite:///{tmp_path}/t.sqlite3",
        }
        for host, line in (
            ("127.0.0.1", f"METRICS_PORT is '{port}': cannot be listened at 127.0.0.1 (Address already in use); "),
            ("203.0.113.7", "METRICS_HOST is '203.0.113.7': cannot be listened at (Cannot assign requested address); "),
            ("no.such.invalid", "METRICS_HOST is 'no.such.invalid': cannot be listened at ("),
        ):
            code, _, said = bot("run", METRICS_PORT=str(port), METRICS_HOST=host, **settings)
            assert code == 2
            assert said.startswith(line)
            assert said.count("\n") == 1


# What several bots on one PostgreSQL say of themselves: what they serve, and that they wait for the database.

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
    query(server.url("postgres"), "CREATE DATABASE cards")
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


async def test_a_shard_that_waits_for_its_turn_to_connect_has_no_slow_gateway(tmp_path: Path, server: Server) -> None:
    """Its first heartbeat is answered at once, but it reads that seconds later; after ten discord.py would warn."""
    query(server.url("postgres"), "CREATE DATABASE cards")
    async with (
        local_world("--guilds", "2", "--shards", "2", "--max-concurrency", "1") as world,
        aiohttp.ClientSession() as http,
    ):
        bot, one = Bot(0, world, server.url("cards"), tmp_path), Watched(http, free_port())
        try:
            await bot.start(METRICS_PORT=one.port)
            await eventually(lambda: bot.log.read_text().count("shard open") == 2, lambda: bot.log.read_text())
            assert await one.total("diciassette_shards") == 2
            assert await one.total("diciassette_gateway_latency_seconds") < 1
        finally:
            bot.signal(signal.SIGKILL)
            await bot.ended()


@pytest.mark.parametrize("how", ["stopped", "frozen"])
async def test_an_outage_of_the_database_is_two_lines(tmp_path: Path, server: Server, how: str) -> None:
    """Whoever notices it first; meanwhile people click, records are counted, the process says that it is alive."""
    query(server.url("postgres"), "CREATE DATABASE cards")
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
