"""Faults that a test sets: of requests, and of the bot's connections to the gateway."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import pytest

from tests.local_discord.client import Discord


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


async def test_a_flagged_bot_opens_no_conversation_until_that_is_lifted(discord: Discord) -> None:
    await discord.call("POST", "/local/faults", body={"flagged": True})
    path, body = "/users/@me/channels", {"recipient_id": discord.anna_id}
    await discord.refused("POST", path, discord.bot, body, 20026)
    await discord.call("POST", "/local/faults", body={"flagged": False})
    assert (await discord.call("POST", path, discord.bot, body))[0] == 200


async def struck(discord: Discord, **fault: Any) -> aiohttp.ClientResponse:
    """The answer to a request of the bot that *fault* strikes."""
    assert (await discord.call("POST", "/local/faults", body={"match": {"path": "/users/@me"}, **fault}))[0] == 204
    return await discord.response("GET", "/users/@me")


async def test_discord_answers_with_via_also_what_it_refuses(discord: Discord) -> None:
    for path in ("/users/@me", "/channels/1", "/nowhere"):
        assert (await discord.response("GET", path)).headers["Via"] == "1.1 google"


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (403, 20026, "Your bot has been flagged by our anti-spam system for abusive behavior."),
        (404, 10003, "Unknown Channel"),
        (403, 0, "403: Forbidden"),
        (400, 99999, "400: Bad Request"),
        (599, 0, "599: Unknown"),
    ],
)
async def test_a_refusal_can_have_a_code_of_discord(discord: Discord, status: int, code: int, message: str) -> None:
    answer = await struck(discord, status=status, code=code)
    assert (answer.status, await answer.json()) == (status, {"message": message, "code": code})
    assert (answer.headers["Via"], answer.content_type) == ("1.1 google", "application/json")


@pytest.mark.parametrize(
    ("fault", "kind", "text"),
    [
        ({"status": 429}, "text/plain", "error code: 1015"),
        ({"status": 429, "retry_after": 600}, "text/plain", "error code: 1015"),
        ({"status": 403, "body": "text"}, "text/plain", "error code: 1020"),
        ({"status": 502, "body": "text"}, "text/plain", "error code: 502"),
        ({"status": 403}, "text/html", "<!DOCTYPE html>"),
        ({"status": 403, "code": 40333}, "application/json", '{"message": "internal network error", "code": 40333}'),
    ],
)
async def test_cloudflare_answers_in_its_own_way(discord: Discord, fault: dict[str, Any], kind: str, text: str) -> None:
    """https://github.com/discord/discord-api-docs/issues/6473"""
    answer = await struck(discord, by="cloudflare", **fault)
    assert (answer.status, answer.content_type) == (fault["status"], kind)
    assert (await answer.text()).startswith(text)
    assert not {"Via", "X-RateLimit-Scope", "X-RateLimit-Limit"} & set(answer.headers)
    assert answer.headers.get("Retry-After") == ("600" if "retry_after" in fault else None)


@pytest.mark.parametrize("body", ["html", "text"])
async def test_discord_itself_does_not_always_answer_in_json(discord: Discord, body: str) -> None:
    answer = await struck(discord, status=503, body=body)
    assert (answer.status, answer.content_type) == (503, {"html": "text/html", "text": "text/plain"}[body])
    assert answer.headers["Via"]


async def test_a_429_of_discord_can_lack_retry_after_or_have_a_code(discord: Discord) -> None:
    """https://github.com/Rapptz/discord.py/issues/2544"""
    answer = await struck(discord, status=429, by="discord")
    assert (answer.status, answer.headers["Via"]) == (429, "1.1 google")
    assert "retry_after" not in await answer.json()
    answer = await struck(discord, status=429, retry_after=2, code=40062)
    told = {"message": "Service resource is being rate limited.", "retry_after": 2, "global": False, "code": 40062}
    assert await answer.json() == told


async def test_a_clock_on_the_way_can_be_wrong(discord: Discord) -> None:
    answer = await struck(discord, date_ms=25 * 3_600_000, age=60)
    ahead = parsedate_to_datetime(answer.headers["Date"]) - datetime.now(UTC)
    assert timedelta(hours=24.9) < ahead < timedelta(hours=25.1)
    assert (answer.status, answer.headers["Age"]) == (200, "60")
    answer = await struck(discord, date_ms=-3_600_000, status=503)
    assert parsedate_to_datetime(answer.headers["Date"]) < datetime.now(UTC) - timedelta(minutes=59)
    assert "Age" not in answer.headers


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
