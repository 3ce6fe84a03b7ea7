"""Metrics, health and readiness of a running bot, as Prometheus and a container read them."""

import asyncio
import re
import signal
import socket
from pathlib import Path
from typing import NamedTuple

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.custom_ids import Verb
from tests.games import ANY
from tests.process.test_database import run, settings_of
from tests.process.test_restart import free_port
from tests.process.waiting import eventually
from tests.process.watch import move, newest
from tests.process.world import local_world

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
        assert await watched.total("diciassette_discord_requests_total", status="503") == 2
        assert await watched.total("diciassette_discord_rate_limited_total") == 2
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
        secrets = [str(world.channel), world.guild, newest(store).id, world.session["bot_token"], world.application]
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
        assert await run("bot", "health", **settings) == (0, "alive\n", "")
        world.bot.send_signal(signal.SIGSTOP)
        try:
            code, said, errors = await run("bot", "health", **settings)
        finally:
            world.bot.send_signal(signal.SIGCONT)
        assert (code, errors) == (1, "")
        assert said == f"nobody answers at port {port} of 127.0.0.1: timed out\n"
        assert await run("bot", "health", **settings) == (0, "alive\n", "")
        await world.kill_bot()
        code, said, _ = await run("bot", "health", **settings)
        assert (code, said) == (1, f"nobody answers at port {port} of 127.0.0.1: Connection refused\n")
        code, said, errors = await run("bot", "health", **settings_of(world, store))
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
            ("127.0.0.1", f"METRICS_PORT is '{port}': cannot be listened at 127.0.0.1 ("),
            ("203.0.113.7", "METRICS_HOST is '203.0.113.7': cannot be listened at ("),
            ("no.such.invalid", "METRICS_HOST is 'no.such.invalid': cannot be listened at ("),
        ):
            code, _, said = await run("bot", "run", METRICS_PORT=str(port), METRICS_HOST=host, **settings)
            assert code == 2
            assert said.startswith(line)
            assert said.count("\n") == 1
