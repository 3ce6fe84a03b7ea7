"""Rate limits, with Discord's headers. https://discord.com/developers/docs/topics/rate-limits"""

import json

import pytest

from local_discord.limits import Limited, Limits
from tests.local_discord.client import Discord


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
            limits.take(method, template, parameters, counted=True)
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
        limits.take("GET", "/users/{user}", {"user": "50"}, counted=True)
    assert limited.value.body["global"] is True
    now[0] = 201.0
    assert wait("GET", "/users/{user}", {"user": "1"}) is None
