"""Rate limits, with Discord's headers. https://discord.com/developers/docs/topics/rate-limits"""

import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from local_discord.errors import ApiError
from local_discord.hidden_limits import HiddenLimits
from local_discord.limits import Limited, Limits
from local_discord.server import Server
from tests.local_discord.client import Discord, button, row


async def test_a_route_has_its_limit_per_channel_with_discords_headers(discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    answers = [await discord.response("POST", path, {"content": str(n)}) for n in range(6)]
    assert [answer.status for answer in answers] == [200] * 5 + [429]
    assert [answer.headers["X-RateLimit-Remaining"] for answer in answers] == ["4", "3", "2", "1", "0", "0"]
    assert {answer.headers["X-RateLimit-Limit"] for answer in answers} == {"5"}
    assert len({answer.headers["X-RateLimit-Bucket"] for answer in answers}) == 1
    assert 0 < float(answers[-1].headers["Retry-After"]) <= 5
    assert 0 < float(answers[0].headers["X-RateLimit-Reset-After"]) <= 5
    assert answers[-1].headers["X-RateLimit-Scope"] == "user"
    refusal = json.loads(await answers[-1].text())
    assert (refusal["global"], refusal["retry_after"] > 0) == (False, True)
    other = discord.session["guilds"][0]["channels"][1]["id"]
    assert (await discord.response("POST", f"/channels/{other}/messages", {"content": "x"})).status == 200
    assert (await discord.call("POST", path, discord.anna, {"content": "people are not limited here"}))[0] == 200


async def test_the_bot_has_fifty_requests_a_second_and_interaction_routes_do_not_count(discord: Discord) -> None:
    await discord.connect(discord.bot)
    await discord.ping_command()
    discord.server.limits._clock = lambda: 1e9  # all of it in the same second, however slow the machine is
    people = (discord.bruno_id, discord.anna_id)
    answers = [await discord.response("GET", f"/users/{people[n % 2]}") for n in range(60)]
    assert [answer.status for answer in answers] == [200] * 50 + [429] * 10
    assert answers[-1].headers["X-RateLimit-Global"] == "true"
    assert answers[-1].headers["X-RateLimit-Scope"] == "global"
    assert json.loads(await answers[-1].text())["global"] is True
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    interaction = await discord.sockets[0].event("INTERACTION_CREATE")
    callback = f"/interactions/{interaction['id']}/{interaction['token']}/callback"
    assert (await discord.response("POST", callback, {"type": 4, "data": {"content": "x"}})).status == 204


def test_limits_open_again() -> None:
    now = [100.0]
    limits = Limits(lambda: now[0])
    where = {"channel": "1"}

    def wait(method: str, template: str, parameters: dict[str, str]) -> float | None:
        """The seconds to wait; ``None``: the request passes."""
        try:
            limits.count_request(method, template, parameters, counted=True)
        except Limited as limited:
            return float(limited.body["retry_after"])
        return None

    messages = ("POST", "/channels/{channel}/messages", where)
    assert [wait(*messages) for _ in range(6)] == [None] * 5 + [5.0]
    now[0] = 104.9
    assert wait(*messages) == pytest.approx(0.1)
    now[0] = 105.0
    assert wait(*messages) is None
    now[0] = 200.0
    for number in range(50):
        assert wait("GET", "/users/{user}", {"user": str(number)}) is None
    with pytest.raises(Limited) as limited:
        limits.count_request("GET", "/users/{user}", {"user": "50"}, counted=True)
    assert limited.value.body["global"] is True
    now[0] = 201.0
    assert wait("GET", "/users/{user}", {"user": "1"}) is None


# Messages older than an hour take three edits in six seconds and channel.
#
# https://docs.discord.food/resources/message#edit-message. More are answered with 429 and the code 30046, which clients
# wait out: https://github.com/aikaterna/aikaterna-cogs/issues/302. The body may have a code:
# https://discord.com/developers/docs/topics/rate-limits#exceeding-a-rate-limit


async def message(discord: Discord, channel: str, age_seconds: int = 4000, **body: Any) -> str:
    """The path of a new message of the bot that counts as so old."""
    path = f"/channels/{channel}/messages"
    _, sent = await discord.call("POST", path, discord.bot, {"content": "x", **body})
    old = {"age_seconds": age_seconds}
    assert (await discord.call("POST", f"/local/messages/{sent['id']}", body=old))[0] == 200
    return f"{path}/{sent['id']}"


async def edits(discord: Discord, *paths: str) -> list[aiohttp.ClientResponse]:
    """The answers to an edit of each of *paths* in turn."""
    return [await discord.response("PATCH", path, {"content": str(n)}) for n, path in enumerate(paths)]


async def test_the_fourth_edit_of_old_messages_of_a_channel_must_wait(discord: Discord) -> None:
    one, two = [await message(discord, discord.channel) for _ in range(2)]
    answers = await edits(discord, one, two, one, two)
    assert [answer.status for answer in answers] == [200, 200, 200, 429]
    refusal = json.loads(await answers[-1].text())
    assert (refusal["code"], refusal["global"]) == (30046, False)
    assert refusal["message"] == "Maximum number of edits to messages older than 1 hour reached. Try again later"
    assert 0 < refusal["retry_after"] <= 6
    assert float(answers[-1].headers["Retry-After"]) == refusal["retry_after"]
    assert answers[-1].headers["Via"], "without it discord.py takes a 429 for a ban"
    assert answers[-1].headers["X-RateLimit-Remaining"] != "0", "no header announces it"
    assert json.loads(await (await discord.response("GET", two)).text())["content"] == "1"


async def test_younger_messages_other_channels_and_other_routes_do_not_count(discord: Discord) -> None:
    old, young = await message(discord, discord.channel), await message(discord, discord.channel, 3000)
    elsewhere = await message(discord, discord.session["guilds"][0]["channels"][1]["id"])
    assert [answer.status for answer in await edits(discord, old, old, old, young, elsewhere)] == [200] * 5
    assert (await discord.response("DELETE", old)).status == 204


async def test_answers_to_clicks_are_not_counted(discord: Discord) -> None:
    """Only the route of the bot's own edits is reported to have the limit."""
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    old = await message(discord, discord.channel, components=[row(button("b"))])
    await edits(discord, old, old, old)
    click = {"type": 3, "message_id": old.rsplit("/", 1)[1], "data": {"component_type": 2, "custom_id": "b"}}
    assert await discord.begin(discord.anna, click) == 204
    payload = await bot.event("INTERACTION_CREATE")
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    assert (await discord.call("POST", callback, body={"type": 7, "data": {"content": "clicked"}}))[0] == 204
    token = f"/webhooks/{discord.session['application_id']}/{payload['token']}/messages/@original"
    assert (await discord.call("PATCH", token, body={"content": "again"}))[0] == 200


# Opening direct messages with many people quickly is refused: 403 with the code 40003.
#
# https://discord.com/developers/docs/resources/user#create-dm warns of it without figures; what it looks like is in
# https://github.com/davidhozic/discord-advertisement-framework/issues/82, when it begins in
# https://github.com/discord-php/DiscordPHP/issues/467 (25 to 40 people).


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
        limits.count_dm_opening()
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
