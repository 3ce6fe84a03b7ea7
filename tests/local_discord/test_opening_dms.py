"""Opening direct messages with many people quickly is refused: 403 with the code 40003.

https://discord.com/developers/docs/resources/user#create-dm warns of it without figures; what it looks like is in
https://github.com/davidhozic/discord-advertisement-framework/issues/82, when it begins in
https://github.com/discord-php/DiscordPHP/issues/467 (25 to 40 people).
"""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from local_discord.errors import ApiError
from local_discord.hidden_limits import HiddenLimits
from local_discord.server import Server
from tests.local_discord.client import Discord


@pytest.fixture
async def crowd() -> AsyncIterator[Discord]:
    """A server with 40 people; its announced limits are too wide to matter."""
    server = Server(people=40)
    await server.start(0)
    address = f"http://127.0.0.1:{server.port}/local/session"
    async with aiohttp.ClientSession() as http, http.get(address) as response:
        discord = Discord(server, http, await response.json())
        discord.unhurried()
        yield discord
    await server.stop()


async def opened(discord: Discord, *people: dict[str, Any], token: str | None = None) -> list[int]:
    """The status of opening direct messages with each of *people*, by the bot or by whoever has *token*."""
    path = "/users/@me/channels"
    return [(await discord.call("POST", path, token or discord.bot, {"recipient_id": it["id"]}))[0] for it in people]


async def test_the_twenty_sixth_new_person_in_ten_minutes_is_refused(crowd: Discord) -> None:
    people = crowd.session["users"]
    await crowd.call("POST", "/local/faults", body={"flagging": False})
    assert await opened(crowd, *people[:25]) == [200] * 25
    answer = await crowd.refused("POST", "/users/@me/channels", crowd.bot, {"recipient_id": people[25]["id"]}, 40003)
    assert answer["message"] == "You are opening direct messages too fast"
    assert await opened(crowd, people[25], people[0], people[24]) == [403, 200, 200], "what is open stays open"
    bot = {"id": crowd.session["application_id"]}
    assert await opened(crowd, bot, token=people[30]["token"]) == [200], "people open their own"
    assert await opened(crowd, people[30]) == [200], "whoever has written to the bot is no new person"


async def test_whoever_opens_more_than_twenty_in_a_minute_is_flagged_until_that_is_lifted(crowd: Discord) -> None:
    people = crowd.session["users"]
    path, last = "/users/@me/channels", {"recipient_id": people[20]["id"]}
    assert await opened(crowd, *people[:20]) == [200] * 20
    await crowd.refused("POST", path, crowd.bot, last, 20026)
    await crowd.call("POST", "/local/faults", body={"flagging": False})
    await crowd.refused("POST", path, crowd.bot, last, 20026)
    assert await opened(crowd, people[0]) == [200], "what is open stays open"
    await crowd.call("POST", "/local/faults", body={"flagged": False})
    assert await opened(crowd, people[20]) == [200]
    await crowd.call("POST", "/local/faults", body={"flagging": {"limit": 1, "seconds": 60}})
    assert await opened(crowd, *people[21:23]) == [200, 403]
    await crowd.call("DELETE", "/local/faults")
    assert await opened(crowd, people[22]) == [200]


async def test_opening_can_be_refused_for_one_person(crowd: Discord) -> None:
    """400/50007 already there: https://github.com/discord/discord-api-docs/issues/1905"""
    anna, bruno = crowd.session["users"][:2]
    assert (await crowd.call("POST", f"/local/users/{anna['id']}", body={"opening_refused": True}))[0] == 200
    status, answer = await crowd.call("POST", "/users/@me/channels", crowd.bot, {"recipient_id": anna["id"]})
    assert (status, answer["code"]) == (400, 50007)
    bot = {"id": crowd.session["application_id"]}
    assert await opened(crowd, bot, token=anna["token"]) == [200], "she may open it herself"
    assert await opened(crowd, anna, bruno) == [400, 200]


def code_of_opening(limits: HiddenLimits) -> int:
    """The error code of one more opening; 0: it passes."""
    try:
        limits.check_opening()
    except ApiError as error:
        return error.code
    return 0


def test_ten_at_once_and_then_one_every_ten_seconds_are_never_flagged() -> None:
    now = [0.0]
    limits = HiddenLimits(lambda: now[0])
    limits.set({"dm_openings": False})
    assert not any(code_of_opening(limits) for _ in range(10))
    for seconds in range(10, 3600, 10):
        now[0] = float(seconds)
        assert code_of_opening(limits) == 0
    assert [code_of_opening(limits) for _ in range(15)][-1] == 20026
