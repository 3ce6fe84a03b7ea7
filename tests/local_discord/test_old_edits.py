"""Messages older than an hour take three edits in six seconds and channel.

https://docs.discord.food/resources/message#edit-message. More are answered with 429 and the code 30046, which clients
wait out: https://github.com/aikaterna/aikaterna-cogs/issues/302. The body may have a code:
https://discord.com/developers/docs/topics/rate-limits#exceeding-a-rate-limit
"""

import json
from typing import Any

import aiohttp

from tests.local_discord.client import Discord, button, row


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
