"""Clients for phones and the web reopen an archived thread before they send a click; one on a desktop does not.

https://github.com/discord/discord-api-docs/issues/8474
"""

from typing import Any

import pytest

from tests.local_discord.client import Discord, Socket, button, row
from tests.local_discord.test_threads import change, metadata, thread_of


async def archived(discord: Discord) -> tuple[Socket, dict[str, Any]]:
    """The bot, and a click for a message of it in a thread that has archived since."""
    bot = await discord.connect(discord.bot)
    await bot.event("GUILD_CREATE")
    thread = thread_of(discord)
    _, message = await discord.sends({"content": "x", "components": [row(button("b"))]}, channel=thread)
    await change(discord, thread, archived=True)
    assert (await bot.event("THREAD_UPDATE"))["thread_metadata"]["archived"]
    data = {"component_type": 2, "custom_id": "b"}
    return bot, {"type": 3, "channel_id": thread, "message_id": message["id"], "data": data}


async def user(discord: Discord, number: str, **changes: bool) -> None:
    """Change somebody from outside."""
    assert (await discord.call("POST", f"/local/users/{number}", body=changes))[0] == 200


async def test_whoever_may_write_reopens_the_thread_with_the_click(discord: Discord) -> None:
    bot, click = await archived(discord)
    await user(discord, discord.bruno_id, reopens_threads=True)
    assert await discord.begin(discord.bruno, click) == 204
    assert not (await bot.event("THREAD_UPDATE"))["thread_metadata"]["archived"]
    assert not (await bot.event("INTERACTION_CREATE"))["channel"]["thread_metadata"]["archived"]


@pytest.mark.parametrize("where", ["thread", "channel"])
async def test_whoever_may_not_write_there_sends_no_click(discord: Discord, where: str) -> None:
    bot, click = await archived(discord)
    place = thread_of(discord) if where == "thread" else discord.channel
    await change(discord, place, people_denied=["send_messages_in_threads"])
    await user(discord, discord.bruno_id, reopens_threads=True)
    body = {"guild_id": discord.guild, "nonce": "n", "session_id": "s", **click}
    answer = await discord.refused("POST", "/interactions", discord.bruno, body, 50013)
    assert answer["message"] == "Missing Permissions"
    reopen = f"/channels/{click['channel_id']}"
    await discord.refused("PATCH", reopen, discord.bruno, {"archived": False}, 50013)
    assert (await metadata(discord, thread_of(discord)))["archived"]
    await user(discord, discord.bruno_id, reopens_threads=False)
    assert await discord.begin(discord.bruno, click) == 204
    assert (await bot.event("INTERACTION_CREATE"))["channel"]["thread_metadata"]["archived"]
    assert len(bot.named("INTERACTION_CREATE")) == 0


async def test_what_people_may_not_do_stands_in_the_channel(discord: Discord) -> None:
    bot = await discord.connect(discord.bot)
    await bot.event("GUILD_CREATE")
    await change(discord, discord.channel, people_denied=["send_messages"])
    told = (await bot.event("CHANNEL_UPDATE"))["permission_overwrites"]
    everyone, member = told
    assert everyone == {"id": discord.guild, "type": 0, "allow": "0", "deny": str(1 << 11)}
    assert (member["type"], member["allow"]) == (1, str(1 << 11)), "the bot still may"
    await discord.refused("POST", f"/channels/{discord.channel}/messages", discord.bruno, {"content": "x"}, 50013)
    assert (await discord.sends({"content": "x"}))[0] == 200
    assert (await discord.sends({"content": "x"}, discord.anna))[0] == 200, "she owns the server"
    wrong = {"people_denied": ["fly"]}
    assert (await discord.call("POST", f"/local/channels/{discord.channel}", body=wrong))[0] == 400
