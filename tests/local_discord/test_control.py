"""What tests use to look at the server and to change it from outside: ``/local``, without its faults."""

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
