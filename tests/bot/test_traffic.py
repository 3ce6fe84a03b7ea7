"""What responses tell: the time at Discord, and how near a ban is. On a real server on this machine."""

from collections.abc import AsyncIterator
from email.utils import formatdate

import aiohttp
import pytest
from aiohttp import web

from bot.clock import SystemClock
from bot.delivery.traffic import MOST_INVALID, PERIOD_MS, Traffic
from tests.clocks import SteppedClock


class Server:
    """Answers with the status in the path; its clock is *ahead* (seconds)."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self.scope: str | None = None
        self.url = ""

    async def answer(self, request: web.Request) -> web.Response:
        import time

        headers = {"Date": formatdate(time.time() + self.ahead, usegmt=True)}
        if self.scope is not None:
            headers["X-RateLimit-Scope"] = self.scope
        return web.Response(status=int(request.match_info["status"]), headers=headers)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    it, app = Server(), web.Application()
    app.router.add_get("/{status}", it.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    it.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield it
    await runner.cleanup()


async def get(traffic: Traffic, server: Server, *statuses: int) -> None:
    async with aiohttp.ClientSession(trace_configs=[traffic.trace]) as http:
        for status in statuses:
            async with http.get(f"{server.url}/{status}") as response:
                assert response.status == status


@pytest.mark.parametrize("ahead", [3600.0, -3600.0])
async def test_the_clock_is_set_by_the_first_response(server: Server, ahead: float) -> None:
    clock = SystemClock()
    before = clock.now()
    server.ahead = ahead
    await get(Traffic(clock), server, 200)
    assert abs(clock.now() - before - ahead * 1000) < 2_000


async def test_invalid_requests_are_counted_for_ten_minutes(server: Server) -> None:
    """https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans"""
    clock = SteppedClock()
    traffic = Traffic(clock)
    await get(traffic, server, 200, 401, 403, 404, 429, 500)
    assert traffic.invalid == 3
    server.scope = "shared"
    await get(traffic, server, 429)
    assert traffic.invalid == 3
    assert not traffic.exhausted
    server.scope = None
    await get(traffic, server, *[403] * MOST_INVALID)
    assert traffic.exhausted
    await clock.advance(PERIOD_MS)
    assert traffic.invalid == 0
    assert not traffic.exhausted
