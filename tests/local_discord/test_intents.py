"""What a bot's session is told, by its intents and shard. https://discord.com/developers/docs/events/gateway"""

import json
from typing import Any

import pytest

from tests.local_discord.client import Discord, Socket

GUILDS, MEMBERS, PRESENCES = 1 << 0, 1 << 1, 1 << 8
MESSAGES, DIRECT, CONTENT = 1 << 9, 1 << 12, 1 << 15


async def closed(socket: Socket) -> int | None:
    """The code with which the server closes the connection."""
    await socket.task
    return socket.ws.close_code


@pytest.mark.parametrize("intents", [1 << 17, 1 << 26, -1, 1 << 70, "1", None, True, 1.0])
async def test_an_unknown_intent_is_closed_with_4013(discord: Discord, intents: Any) -> None:
    """Gateway Close Event Codes: 4013 Invalid intent(s). They are required since v8."""
    assert await closed(await discord.connect(discord.bot, intents)) == 4013


async def test_a_privileged_intent_must_be_switched_on(discord: Discord) -> None:
    """Privileged Intents: 4014 Disallowed intent(s), unless the application's settings allow it. Presences are not
    here at all."""
    for intent in (MEMBERS, PRESENCES, CONTENT):
        assert await closed(await discord.connect(discord.bot, GUILDS | intent)) == 4014
    settings = {"intents": ["message_content", "guild_members"]}
    assert (await discord.call("POST", "/local/application", body=settings))[0] == 200
    bot = await discord.connect(discord.bot, GUILDS | CONTENT | MEMBERS)
    assert (await bot.event("READY"))["application"]["flags"] == 1 << 15 | 1 << 19
    assert await closed(await discord.connect(discord.bot, GUILDS | PRESENCES)) == 4014
    assert (await discord.call("POST", "/local/application", body={"intents": ["guild_presences"]}))[0] == 400


@pytest.mark.parametrize(
    "shard", [[3, 2], [2, 2], [-1, 1], [0, 0], [0], [0, 1, 2], ["0", "1"], "0", [0.0, 1], [None, 1]]
)
async def test_an_invalid_shard_is_closed_with_4010(discord: Discord, shard: Any) -> None:
    """Sharding: the first number is the zero-based index of the shard, the second how many there are."""
    assert await closed(await discord.connect(discord.bot, shard=shard)) == 4010


async def test_without_the_intent_content_is_empty(discord: Discord) -> None:
    """Message Content Intent: empty ``content``, ``embeds``, ``attachments`` and ``components``, but for the app's own
    messages, direct messages, and where the app is mentioned."""
    await discord.call("POST", "/local/application", body={"intents": ["message_content"]})
    blind = await discord.connect(discord.bot, MESSAGES | DIRECT)
    seeing = await discord.connect(discord.bot, MESSAGES | CONTENT)
    await seeing.event("READY")
    await discord.sends({"content": "hidden"}, discord.anna)
    assert (await seeing.event("MESSAGE_CREATE"))["content"] == "hidden"
    told = await blind.event("MESSAGE_CREATE")
    assert (told["content"], told["embeds"], told["attachments"], told["components"]) == ("", [], [], [])
    assert told["author"]["id"] == discord.anna_id
    await discord.sends({"content": f"<@{discord.session['application_id']}>"}, discord.anna)
    assert (await blind.event("MESSAGE_CREATE"))["content"]
    await discord.sends({"content": "mine"})
    assert (await blind.event("MESSAGE_CREATE"))["content"] == "mine"
    await discord.sends({"content": "private"}, discord.anna, await discord.dm(discord.anna))
    assert (await blind.event("MESSAGE_CREATE"))["content"] == "private"


async def test_a_guild_comes_with_the_bot_as_its_only_member(discord: Discord) -> None:
    """Guild Create: without GUILD_PRESENCES ``members`` holds the bot alone; people see everybody."""
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    guild = await bot.event("GUILD_CREATE")
    assert [member["user"]["id"] for member in guild["members"]] == [discord.session["application_id"]]
    assert guild["member_count"] == len((await anna.event("READY"))["guilds"][0]["members"]) > 1


async def test_members_are_asked_for_with_their_intent(discord: Discord) -> None:
    """Request Guild Members: the whole list needs GUILD_MEMBERS; some by their ids or the beginning of their names
    need none."""
    await discord.call("POST", "/local/application", body={"intents": ["guild_members"]})
    bot = await discord.connect(discord.bot, GUILDS | MEMBERS)
    await bot.event("READY")

    async def asked(socket: Socket, **request: Any) -> dict[str, Any]:
        await socket.ws.send_json({"op": 8, "d": {"guild_id": discord.guild, **request}})
        return await socket.event("GUILD_MEMBERS_CHUNK")

    everybody = await asked(bot, query="", limit=0, nonce="n")
    assert (everybody["chunk_index"], everybody["chunk_count"], everybody["nonce"]) == (0, 1, "n")
    assert len(everybody["members"]) > 2
    some = await discord.connect(discord.bot, GUILDS)
    await some.event("READY")
    found = await asked(some, user_ids=[discord.anna_id, "1"])
    assert [member["user"]["id"] for member in found["members"]] == [discord.anna_id]
    assert found["not_found"] == ["1"]
    assert [m["user"]["global_name"] for m in (await asked(some, query="br", limit=5))["members"]] == ["Bruno"]
    await some.ws.send_str(json.dumps({"op": 8, "d": {"guild_id": discord.guild, "query": "", "limit": 0}}))
    assert await closed(some) == 4014


async def test_a_bot_is_not_told_of_new_direct_messages(discord: Discord) -> None:
    """Change log of API v8: bots get no Channel Create for direct messages; they get the messages."""
    bot, anna = await discord.connect(discord.bot, GUILDS | DIRECT), await discord.connect(discord.anna)
    await bot.event("READY")
    await anna.event("READY")
    private = await discord.dm(discord.anna)
    assert (await anna.event("CHANNEL_CREATE"))["id"] == private
    await discord.sends({"content": "x"}, discord.anna, private)
    await bot.event("MESSAGE_CREATE")
    assert not bot.named("CHANNEL_CREATE")
