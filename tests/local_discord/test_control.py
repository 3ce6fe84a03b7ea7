"""What tests use to look at the server and to change it from outside: ``/local``, without its faults."""

from local_discord.requests import RequestList
from tests.local_discord.client import Discord


async def test_the_request_list_has_the_bots_requests_alone(discord: Discord) -> None:
    await discord.call("GET", "/users/@me", discord.anna)
    await discord.call("POST", f"/channels/{discord.channel}/messages", discord.bot, {"content": "x"})
    _, listed = await discord.call("GET", "/local/requests?after=0")
    assert [(r["method"], r["auth"], r["status"], r["body"]) for r in listed] == [
        ("POST", "bot", 200, {"content": "x"})
    ]
    assert (await discord.call("GET", f"/local/requests?after={listed[-1]['number']}"))[1] == []


async def test_people_and_channels_change_from_outside(discord: Discord) -> None:
    assert (await discord.call("POST", f"/local/users/{discord.anna_id}", body={"locale": "de"}))[0] == 200
    assert (await discord.call("POST", f"/local/users/{discord.anna_id}", body={"wings": 2}))[0] == 400
    assert (await discord.call("POST", "/local/users/1", body={}))[0] == 404
    socket = await discord.connect(discord.bruno)
    await socket.event("READY")
    assert (await discord.call("DELETE", f"/channels/{discord.channel}", discord.bruno))[0] == 403
    assert (await discord.call("DELETE", f"/channels/{discord.channel}", discord.anna))[0] == 200
    assert (await socket.event("CHANNEL_DELETE"))["id"] == discord.channel


async def test_invalid_requests_are_counted_as_discord_counts_them(discord: Discord) -> None:
    """401, 403 and 429 but those with the scope ``shared``; 10,000 in ten minutes ban the address.

    https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit
    """

    async def count() -> int:
        invalid: int = (await discord.call("GET", "/local/session"))[1]["invalid_requests"]
        return invalid

    path = f"/channels/{discord.channel}/messages"
    await discord.call("POST", path, discord.bot, {"content": "x"})
    await discord.call("GET", "/channels/1", discord.bot)
    await discord.call("GET", "/users/@me", "nobody")
    assert await count() == 0
    await discord.call("GET", "/users/@me", "Bot nobody")
    assert await count() == 1
    await discord.call("POST", f"/local/channels/{discord.channel}", body={"bot_permissions": []})
    await discord.call("POST", path, discord.bot, {"content": "x"})
    assert await count() == 2
    limited = {"match": {"path": "/users/@me"}, "status": 429, "retry_after": 0.1}
    for scope, expected in (("shared", 2), ("user", 3)):
        fault = {**limited, "scope": scope}
        assert (await discord.call("POST", "/local/faults", body=fault))[0] == 204
        assert (await discord.response("GET", "/users/@me")).headers["X-RateLimit-Scope"] == scope
        assert await count() == expected


def test_only_the_last_ten_minutes_count() -> None:
    now = [0.0]
    requests = RequestList(lambda: now[0])
    for second in (0.0, 300.0, 599.0):
        now[0] = second
        requests.add("GET", "/users/@me", "Bot x", 401, None)
    assert requests.invalid == 3
    now[0] = 600.0
    assert requests.invalid == 2
