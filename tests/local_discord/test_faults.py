"""Faults that a test sets: of requests, and of the bot's connections to the gateway."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import aiohttp
import pytest

from tests.local_discord.client import Discord


async def test_faults_strike_as_often_as_said(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    fault = {"match": {"method": "POST", "path": "/channels/*/messages"}, "status": 503, "times": 1}
    await discord.call("POST", "/local/faults", body=fault)
    assert (await discord.call("POST", path, discord.bot, {"content": "x"}))[0] == 503
    assert (await discord.call("POST", path, discord.bot, {"content": "x"}))[0] == 200
    await discord.call("POST", "/local/faults", body={**fault, "times": 9})
    await discord.call("DELETE", "/local/faults")
    assert (await discord.call("POST", path, discord.bot, {"content": "x"}))[0] == 200


async def test_a_lost_response_comes_after_its_effect(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    fault = {"match": {"method": "POST", "path": path}, "drop": True}
    await discord.call("POST", "/local/faults", body=fault)
    with pytest.raises(aiohttp.ClientError):
        await discord.call("POST", path, discord.bot, {"content": "sent"})
    assert (await discord.call("GET", path, discord.anna))[1][0]["content"] == "sent"


async def test_a_late_response_comes_long_after_its_effect(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    fault = {"match": {"method": "POST", "path": path}, "late_ms": 60_000}
    await discord.call("POST", "/local/faults", body=fault)
    sending = asyncio.create_task(discord.call("POST", path, discord.bot, {"content": "sent"}))

    async def there() -> bool:
        return bool((await discord.call("GET", path, discord.anna))[1])

    while not await there():
        assert not sending.done()
    assert not sending.done()
    sending.cancel()
    await asyncio.wait({sending})


async def test_a_429_can_be_ordered_with_and_without_headers(discord: Discord) -> None:
    path = "/users/@me"
    for body, headers in (({}, False), ({"retry_after": 1.5}, True), ({"retry_after": 1.5, "global": True}, True)):
        fault = {"match": {"method": "GET", "path": path}, "status": 429, **body}
        assert (await discord.call("POST", "/local/faults", body=fault))[0] == 204
        answer = await discord.response("GET", path)
        assert answer.status == 429
        assert ("Retry-After" in answer.headers, "Via" in answer.headers) == (headers, headers)
        assert (answer.headers.get("X-RateLimit-Global") == "true") is bool(body.get("global"))
    assert (await discord.response("GET", path)).status == 200


async def test_a_fault_can_have_discords_code(discord: Discord) -> None:
    fault = {"match": {"path": "/users/@me"}, "status": 403, "code": 40333}
    await discord.call("POST", "/local/faults", body=fault)
    status, answer = await discord.call("GET", "/users/@me", discord.bot)
    assert (status, answer["code"]) == (403, 40333)


@pytest.mark.parametrize(("status", "kind", "text"), [(429, "text/plain", "1015"), (403, "text/html", "cloudflare")])
async def test_cloudflare_can_answer_in_place_of_discord(discord: Discord, status: int, kind: str, text: str) -> None:
    fault = {"match": {"path": "/users/@me"}, "status": status, "by": "cloudflare"}
    await discord.call("POST", "/local/faults", body=fault)
    answer = await discord.response("GET", "/users/@me")
    assert (answer.status, answer.content_type, "Via" in answer.headers) == (status, kind, False)
    assert text in await answer.text()


async def test_an_answer_can_break_off_or_have_a_wrong_date(discord: Discord) -> None:
    await discord.call("POST", "/local/faults", body={"match": {"path": "/users/@me"}, "cut": True})
    answer = await discord.response("GET", "/users/@me")
    with pytest.raises(json.JSONDecodeError):
        json.loads(await answer.text())
    hour = {"match": {"path": "/users/@me"}, "date_ms": 3_600_000, "age": 9}
    await discord.call("POST", "/local/faults", body=hour)
    answer = await discord.response("GET", "/users/@me")
    ahead = parsedate_to_datetime(answer.headers["Date"]) - datetime.now(UTC)
    assert timedelta(minutes=59) < ahead < timedelta(minutes=61)
    assert answer.headers["Age"] == "9"


async def test_a_fault_can_strike_by_chance(discord: Discord) -> None:
    fault = {"match": {"path": "/users/@me"}, "status": 503, "times": 40, "probability": 0.5, "seed": 7}
    await discord.call("POST", "/local/faults", body=fault)
    found = [(await discord.response("GET", "/users/@me")).status for _ in range(40)]
    assert 10 < found.count(503) < 30


async def test_a_flagged_bot_opens_no_conversation_until_that_is_lifted(discord: Discord) -> None:
    await discord.call("POST", "/local/faults", body={"flagged": True})
    path, body = "/users/@me/channels", {"recipient_id": discord.anna_id}
    await discord.refused("POST", path, discord.bot, body, 20026)
    await discord.call("POST", "/local/faults", body={"flagged": False})
    assert (await discord.call("POST", path, discord.bot, body))[0] == 200


@pytest.mark.parametrize(("fault", "resumable"), [("reconnect", True), ("close", True), ("invalid_session", False)])
async def test_a_connection_is_told_to_go_and_comes_back(discord: Discord, fault: str, resumable: bool) -> None:
    bot = await discord.connect(discord.bot)
    ready = await bot.event("READY")
    assert (await discord.call("POST", "/local/faults", body={"gateway": fault}))[0] == 204
    if fault == "close":
        await bot.task
        assert bot.ws.close_code == 4000
    else:
        told = await bot.op(7 if fault == "reconnect" else 9)
        assert told["d"] in (None, False)
        await bot.ws.close(code=4000)
        await bot.task
    again = await discord.resume(ready["session_id"], 2)
    if resumable:
        await again.event("RESUMED")
    else:
        assert (await again.op(9))["d"] is False


async def test_a_silent_connection_says_nothing_until_it_is_healed(discord: Discord) -> None:
    bot = await discord.connect(discord.bot, intents=1 | 1 << 9)
    await bot.event("GUILD_CREATE")
    await discord.call("POST", "/local/faults", body={"gateway": "silence"})
    await bot.ws.send_json({"op": 1, "d": 2})
    _, unheard = await discord.sends({"content": "unheard"}, discord.anna)
    anna = await discord.connect(discord.anna)
    await anna.event("READY")
    assert not bot.named("MESSAGE_CREATE")
    assert not [event for event in bot.events if event["op"] == 11]
    await discord.call("DELETE", "/local/faults")
    assert (await bot.event("MESSAGE_CREATE"))["id"] == unheard["id"]
    await bot.op(11)


async def test_an_unknown_fault_of_the_gateway_is_refused(discord: Discord) -> None:
    status, answer = await discord.call("POST", "/local/faults", body={"gateway": "fire"})
    assert (status, answer["code"]) == (400, 50035)
