"""What responses tell: the time at Discord, and how near a ban is; and when requests are sent. On a real server on this
machine."""

import asyncio
import json
from collections.abc import AsyncIterator
from email.utils import formatdate
from typing import Any, NamedTuple

import aiohttp
import discord
import pytest
from aiohttp import BodyPartReader, web
from discord.http import Route

from bot.clock import SystemClock
from bot.delivery import limits
from bot.delivery.discord_api import DiscordApi
from bot.delivery.errors import Banned, Busy, TooManyDms
from bot.delivery.limits import (
    DISCORD_LIMIT,
    INVALID_PERIOD_MS,
    MAX_INVALID,
    MAX_PROBE_MS,
    MIN_OUTAGE_MS,
    SENT_PER_SECOND,
    Availability,
    Throttle,
    Traffic,
)
from bot.delivery.messages import DirectMessages
from bot.metrics import Metrics
from bot.store.messages import DmsPause
from bot.store.store import Store
from bot.tables.shards import AllShards
from bot.ui.components import Document, Sheet, file_component
from tests.clocks import SteppedClock
from tests.process.waiting import eventually


class Held(AllShards):
    """All shards, which can be lost."""

    lost = False

    def holds(self, guild: int) -> bool:
        return not self.lost

    def has(self, guild: int) -> bool:
        return not self.lost


class Edit(NamedTuple):
    """What has come to change a message."""

    agent: str
    """Which program says that it has sent it."""
    types: dict[str | None, str]
    """What each of its parts is said to be."""


class Server:
    """Answers with the status in the path; its clock is *ahead* (seconds)."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self.scope: str | None = None
        self.headers = dict[str, str]()
        """What else its answers have."""
        self.url = ""
        self.pending_interaction = 0
        self.awake = asyncio.Event()
        """Until it is set the server stands still."""
        self.awake.set()
        self.counted = list[float]()
        """When it took which request, seconds."""
        self.edits = list[Edit]()
        self.conversations = 0
        """How often it was asked to open one."""

    async def answer(self, request: web.Request) -> web.Response:
        import time

        self.pending_interaction += 1
        await self.awake.wait()
        self.counted.append(asyncio.get_running_loop().time())
        headers = {"Date": formatdate(time.time() + self.ahead, usegmt=True)}
        headers |= {"Content-Type": "application/json"} | self.headers
        if self.scope is not None:
            headers["X-RateLimit-Scope"] = self.scope
        return web.Response(status=int(request.match_info["status"]), headers=headers)

    async def edit(self, request: web.Request) -> web.Response:
        parts = [part async for part in await request.multipart() if isinstance(part, BodyPartReader)]
        types = {part.name: part.headers["Content-Type"].partition(";")[0] for part in parts}
        self.edits.append(Edit(request.headers["User-Agent"], types))
        return said({"id": request.match_info["message"]})

    async def open_conversation(self, request: web.Request) -> web.Response:
        self.conversations += 1
        return web.Response(status=429, headers={"Content-Type": "application/json"} | self.headers)

    async def bot(self, request: web.Request) -> web.Response:
        return said({"id": "1", "username": "bot", "discriminator": "0", "avatar": None})


def said(data: dict[str, Any]) -> web.Response:
    """A response as Discord sends it: its type has no charset."""
    return web.Response(body=json.dumps(data), headers={"Content-Type": "application/json"})


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    it, app = Server(), web.Application()
    app.router.add_get("/{status}", it.answer)
    app.router.add_get("/webhooks/{status}", it.answer)
    app.router.add_get("/users/@me", it.bot)
    app.router.add_post("/users/@me/channels", it.open_conversation)
    app.router.add_patch("/webhooks/{application}/{token}/messages/{message}", it.edit)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    it.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield it
    await runner.cleanup()


async def get(traffic: Traffic, server: Server, *statuses: int, under: str = "") -> None:
    async with aiohttp.ClientSession(trace_configs=[traffic.trace]) as http:
        for status in statuses:
            async with http.get(f"{server.url}/{under}{status}") as response:
                assert response.status == status


@pytest.mark.parametrize("ahead", [3600.0, -3600.0])
async def test_the_clock_is_set_by_the_first_response_and_then_by_two_that_agree(server: Server, ahead: float) -> None:
    passed = 0
    clock = SystemClock(lambda: passed)
    before = clock.now()
    server.ahead = ahead
    traffic = Traffic(clock, Metrics(), Throttle(None))
    await get(traffic, server, 200)
    assert abs(clock.now() - before - ahead * 1000) < 2_000
    server.ahead = 0.0
    passed = 1_000
    await get(traffic, server, 200)
    assert abs(clock.now() - before - ahead * 1000) < 3_000, "a single answer may have a wrong date"
    passed = 2_000
    await get(traffic, server, 200)
    assert abs(clock.now() - before) < 4_000


async def test_what_comes_from_a_cache_says_nothing_of_the_time(server: Server) -> None:
    passed = 0
    clock = SystemClock(lambda: passed)
    before = clock.now()
    server.ahead, server.headers = 3.0, {"Age": "3600"}
    await get(Traffic(clock, Metrics(), Throttle(None)), server, 200)
    assert clock.now() == before
    server.headers = {"Content-Type": "text/html"}
    await get(Traffic(clock, Metrics(), Throttle(None)), server, 200)
    assert clock.now() == before


async def test_a_request_that_had_to_wait_is_not_sent_once_its_table_is_lost(server: Server) -> None:
    held = Held()
    traffic = Traffic(SteppedClock(), Metrics(), Throttle(None), held)
    limits.set_request_guild(7)
    async with aiohttp.ClientSession(trace_configs=[traffic.trace]) as http:
        async with http.get(f"{server.url}/200") as response:
            assert response.status == 200
        held.lost = True
        with pytest.raises(limits.ShardLost):  # as when discord.py makes it once more
            await http.get(f"{server.url}/200")
    held.lost = False

    async def lose(*_: Any) -> None:
        held.lost = True

    traffic = Traffic(SteppedClock(), Metrics(), Throttle(None), held)
    traffic.trace.on_connection_create_start.append(lose)
    async with aiohttp.ClientSession(trace_configs=[traffic.trace]) as http:
        with pytest.raises(limits.ShardLost):
            await http.get(f"{server.url}/200")
    assert server.pending_interaction == 1


async def test_invalid_requests_are_counted_for_ten_minutes(server: Server) -> None:
    """https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans"""
    clock = SteppedClock()
    traffic = Traffic(clock, Metrics(), Throttle(None))
    await get(traffic, server, 200, 401, 403, 404, 429, 500)
    assert traffic.invalid_requests == 3
    server.scope = "shared"
    await get(traffic, server, 429)
    assert traffic.invalid_requests == 3
    assert not traffic.invalid_limit_reached
    server.scope = None
    traffic.share_invalid_limit(1)
    await get(traffic, server, *[403] * (MAX_INVALID - 4))
    assert not traffic.invalid_limit_reached
    await get(traffic, server, 403)
    assert traffic.invalid_limit_reached
    await clock.advance(INVALID_PERIOD_MS)
    assert traffic.invalid_requests == 0
    assert not traffic.invalid_limit_reached


async def test_processes_share_the_invalid_requests_that_may_be_made(server: Server) -> None:
    """They may have one address: together they must stay as far from a ban as one does."""
    traffic = Traffic(SteppedClock(), Metrics(), Throttle(None))
    traffic.share_invalid_limit(10)
    await get(traffic, server, *[403] * (MAX_INVALID // 10 - 1))
    assert not traffic.invalid_limit_reached
    await get(traffic, server, 403)
    assert traffic.invalid_limit_reached
    traffic.share_invalid_limit(1)
    assert not traffic.invalid_limit_reached


async def test_what_counts_is_sent_when_it_is_its_time_whoever_makes_it(server: Server) -> None:
    """Requests on interaction tokens do not count against the global limit.
    https://docs.discord.com/developers/topics/rate-limits#global-rate-limit"""
    loop = asyncio.get_running_loop()
    traffic = Traffic(SystemClock(), Metrics(), Throttle(40, 1))
    began = loop.time()
    await get(traffic, server, *[200] * 10, under="webhooks/")
    assert loop.time() - began < 5 / SENT_PER_SECOND
    await get(traffic, server, *[200] * 10)
    assert loop.time() - began >= 9 / SENT_PER_SECOND


async def test_discord_never_counts_more_in_a_second_than_it_takes_even_if_it_stands_still(server: Server) -> None:
    """What has come meanwhile counts when it goes on, together with what comes in the second after that."""
    traffic, loop = Traffic(SystemClock(), Metrics(), Throttle()), asyncio.get_running_loop()
    server.awake.clear()
    loop.call_later(0.6, server.awake.set)
    async with aiohttp.ClientSession(trace_configs=[traffic.trace], connector=aiohttp.TCPConnector(limit=0)) as http:

        async def ask() -> None:
            async with http.get(f"{server.url}/200"):
                pass

        async with asyncio.timeout(8):
            await asyncio.gather(*(ask() for _ in range(DISCORD_LIMIT + 25)))
    assert len(server.counted) == DISCORD_LIMIT + 25
    assert all(
        late - early > 1
        for early, late in zip(server.counted[:-DISCORD_LIMIT], server.counted[DISCORD_LIMIT:], strict=True)
    )


async def test_requests_are_counted_by_whether_they_count_for_discords_limit(server: Server) -> None:
    metrics = Metrics()
    traffic = Traffic(SteppedClock(), metrics, Throttle(None))
    await get(traffic, server, 200, 200)
    await get(traffic, server, 200, under="webhooks/")

    def count(kind: str, counted: str) -> float | None:
        labels = {"kind": kind, "counted": counted, "status": "200"}
        return metrics.registry.get_sample_value("diciassette_discord_requests_total", labels)

    assert (count("other", "yes"), count("follow_up", "no")) == (2, 1)
    assert (count("other", "no"), count("follow_up", "yes")) == (None, None)


async def test_a_rate_limit_that_lasts_too_long_is_not_waited_for(server: Server) -> None:
    metrics = Metrics()
    traffic = Traffic(SteppedClock(), metrics, Throttle(None))
    server.headers, server.scope = {"Via": "1.1 google", "Retry-After": "5"}, "user"
    await get(traffic, server, 429)
    server.headers["Retry-After"] = "600"
    with pytest.raises(Busy) as raised:
        await get(traffic, server, 429)
    assert raised.value.wait_ms == 600_000
    await get(traffic, server, 503)
    assert metrics.registry.get_sample_value("diciassette_discord_rate_limited_total", {"scope": "user"}) == 2


async def test_what_goes_by_a_token_names_its_program_and_what_its_files_are(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """https://docs.discord.com/developers/reference#user-agent"""
    monkeypatch.setattr(Route, "BASE", server.url)
    clock = SteppedClock()
    async with discord.Client(intents=discord.Intents.none()) as client:
        traffic = Traffic(clock, Metrics(), Throttle(None))
        api = DiscordApi(client, Throttle(None), clock, traffic, Metrics())
        await client.http.static_login("token")
        files = [Document("deal.json", b"{}", "no files"), Document("deal", b"{}", "no files")]
        await api.edit_by_token("token", 5, Sheet(*map(file_component, files), documents=files))
    (edit,) = server.edits
    assert edit.agent.startswith("DiscordBot (")
    assert edit.types["files[0]"] == "application/json"
    assert edit.types["files[1]"] == "application/octet-stream"


async def test_after_a_long_rate_limit_no_process_opens_a_conversation_until_it_is_over(
    server: Server, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Route, "BASE", server.url)
    server.headers = {"Via": "1.1 google", "Retry-After": "600"}
    clock = SteppedClock()
    until, traffic = clock.now() + 600_000, Traffic(clock, Metrics(), Throttle(None))
    async with discord.Client(intents=discord.Intents.none(), http_trace=traffic.trace) as client:
        api = DiscordApi(client, Throttle(None), clock, traffic, Metrics())
        await client.http.static_login("token")

        async def refused() -> TooManyDms:
            with pytest.raises(TooManyDms) as raised:
                await DirectMessages(store, api, clock).get_or_open_channel(5, lambda: True)
            return raised.value

        for wait in (0, 599_999):
            await clock.advance(wait)
            no = await refused()
            assert (no.code, no.until) == (429, until)
        assert server.conversations == 1
        assert await store.load_dms_pause() == DmsPause(until, 429), "no code of Discord's says it"
        await clock.advance(1)
        assert (await refused()).until == clock.now() + 600_000
        assert server.conversations == 2


# Outages and bans.


async def test_an_outage_begins_with_the_first_request_that_failed_and_is_told_of_once_it_is_over(
    server: Server,
) -> None:
    clock = SteppedClock()
    traffic, outages = Traffic(clock, Metrics(), Throttle(None)), list[tuple[int, int]]()
    traffic.availability.on_outage = lambda began, ended: outages.append((began, ended))
    first = clock.now()
    await get(traffic, server, 500)
    await clock.advance(MIN_OUTAGE_MS)
    await get(traffic, server, 503)
    traffic.availability.record_success()
    ((began, ended),) = outages
    assert first - 2_000 < began <= first, "as long before the answer as that took"
    assert ended == clock.now()


async def test_during_a_ban_only_the_probe_is_let_through_and_its_success_ends_the_ban() -> None:
    clock = SteppedClock()
    availability, probes = Availability(clock), list[int]()

    async def probe() -> None:
        availability.check_not_blocked()
        probes.append(clock.now())
        if len(probes) == 1:
            raise Banned
        availability.record_success()

    availability.probe = probe
    availability.record_failure(began := clock.now(), Banned())
    availability.record_failure(began, Banned())  # the answer to another request that was on its way
    for number in (1, 2):
        with pytest.raises(Busy):
            availability.check_not_blocked()
        await clock.advance(MAX_PROBE_MS)
        await eventually(lambda number=number: len(probes) == number, "the probe")
    assert probes == [began + MAX_PROBE_MS, began + 2 * MAX_PROBE_MS]
    availability.check_not_blocked()
    assert availability.bans == 1
    availability.record_failure(clock.now(), Banned())
    assert availability.bans == 2
