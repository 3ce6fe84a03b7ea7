"""Sessions at the gateway: identify, resume, intents, shards; frames that it cannot take."""

import json
from typing import Any

import aiohttp
import pytest

from local_discord import gateway
from local_discord.server import Server
from tests.local_discord.client import Discord, Socket


async def test_a_wrong_token_is_closed_with_4004(discord: Discord) -> None:
    socket = await discord.connect("nonsense")
    await socket.task
    assert socket.ws.close_code == 4004


async def test_a_compressed_session_heartbeats_and_resumes_with_replay(discord: Discord) -> None:
    bot = await discord.connect(discord.bot, intents=1 | 1 << 9, query="&compress=zlib-stream")
    ready = await bot.event("READY")
    assert (await bot.event("GUILD_CREATE"))["id"] == discord.guild
    await bot.ws.send_json({"op": 1, "d": 2})
    await bot.op(11)
    await bot.ws.close(code=4000)
    await bot.task
    _, missed = await discord.sends({"content": "missed"}, discord.anna)
    again = await discord.resume(ready["session_id"], 2)
    assert (await again.event("MESSAGE_CREATE"))["id"] == missed["id"]
    await again.event("RESUMED")


async def test_a_session_that_ended_cannot_be_resumed(discord: Discord) -> None:
    bot = await discord.connect(discord.bot)
    ready = await bot.event("READY")
    await bot.ws.close(code=1000)
    await bot.task
    again = await discord.resume(ready["session_id"], 1)
    assert (await again.op(9))["d"] is False


async def test_a_bot_is_told_what_its_intents_ask_for(discord: Discord) -> None:
    quiet = await discord.connect(discord.bot, intents=1)
    await quiet.event("GUILD_CREATE")
    await discord.ping_command()
    await discord.call("POST", f"/channels/{discord.channel}/messages", discord.anna, {"content": "x"})
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    await quiet.event("INTERACTION_CREATE")
    assert not quiet.named("MESSAGE_CREATE")


async def test_every_shard_gets_its_guilds_and_the_first_the_direct_messages() -> None:
    server = Server(guilds=2, shards=2)
    await server.start(0)
    try:
        async with aiohttp.ClientSession() as http:
            async with http.get(f"http://127.0.0.1:{server.port}/local/session") as response:
                discord = Discord(server, http, await response.json())
            assert (await discord.call("GET", "/gateway/bot", discord.bot))[1]["shards"] == 2
            guilds = {(int(guild["id"]) >> 22) % 2: guild for guild in discord.session["guilds"]}
            shards = []
            for number in range(2):
                ws = await http.ws_connect(f"{discord.session['gateway']}?v=10&encoding=json")
                socket = Socket(ws)
                shards.append(socket)
                identify = {"token": discord.bot, "intents": 1 | 1 << 9 | 1 << 12, "shard": [number, 2]}
                await ws.send_json({"op": 2, "d": {**identify, "properties": {}}})
                assert (await socket.event("READY"))["shard"] == [number, 2]
                assert (await socket.event("GUILD_CREATE"))["id"] == guilds[number]["id"]
            for number, guild in guilds.items():
                channel = guild["channels"][0]["id"]
                _, sent = await discord.sends({"content": f"to {number}"}, discord.anna, channel)
                assert (await shards[number].event("MESSAGE_CREATE"))["id"] == sent["id"]
            _, private = await discord.call(
                "POST", "/users/@me/channels", discord.anna, {"recipient_id": discord.session["application_id"]}
            )
            await discord.call("POST", f"/channels/{private['id']}/messages", discord.anna, {"content": "private"})
            assert (await shards[0].event("MESSAGE_CREATE"))["content"] == "private"
            assert not shards[1].named("MESSAGE_CREATE")
            for socket in shards:
                await socket.ws.close()
    finally:
        await server.stop()


# What the gateway does about frames that it cannot take, and about clients that fall silent.
#
# https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes

IDENTIFY = {"token": "", "intents": 1, "properties": {}}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{", 4002),
        ("[" * 4000, 4002),
        ("[]", 4002),
        ("null", 4002),
        ('"x"', 4002),
        (json.dumps({"op": 1, "d": None, "x": "x" * 4096}), 4002),
        (b"\xff\xfe", 4002),
        (json.dumps({"op": 2, "d": None}), 4002),
        (json.dumps({"op": 2, "d": [1]}), 4002),
        (json.dumps({"op": 6, "d": "x"}), 4002),
        (json.dumps({"op": 6, "d": {"token": "t", "session_id": "s", "seq": "1"}}), 4002),
        (json.dumps({"op": 2, "d": {**IDENTIFY, "token": 5}}), 4004),
        (json.dumps({"op": 2, "d": {**IDENTIFY, "token": ""}}), 4004),
        (json.dumps({"op": 99, "d": None}), 4001),
        (json.dumps({"op": "2", "d": None}), 4001),
        (json.dumps({"op": [2], "d": None}), 4001),
        (json.dumps({"d": None}), 4001),
        (json.dumps({"op": 3, "d": {}}), 4003),
        (json.dumps({"op": 8, "d": {}}), 4003),
    ],
)
async def test_a_bad_frame_closes_with_its_code(discord: Discord, frame: str | bytes, code: int) -> None:
    """4001 unknown opcode, 4002 what is no payload or more than 4,096 bytes ("Sending Events"), 4003 not identified
    yet, 4004 a wrong token."""
    socket = await discord.socket()
    await (socket.ws.send_str(frame) if isinstance(frame, str) else socket.ws.send_bytes(frame))
    await socket.task
    assert socket.ws.close_code == code


async def test_who_identified_cannot_do_so_again(discord: Discord) -> None:
    """4005 Already authenticated."""
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    await bot.ws.send_json({"op": 2, "d": {**IDENTIFY, "token": discord.bot}})
    await bot.task
    assert bot.ws.close_code == 4005


async def test_a_sequence_number_from_the_future_cannot_be_resumed(discord: Discord) -> None:
    """4007 Invalid ``seq``."""
    bot = await discord.connect(discord.bot)
    ready = await bot.event("READY")
    await bot.ws.close(code=4000)
    await bot.task
    again = await discord.resume(ready["session_id"], 1_000)
    await again.task
    assert again.ws.close_code == 4007


async def test_another_version_of_the_api_is_refused(discord: Discord) -> None:
    """4012 Invalid API version: this server speaks version 10."""
    socket = await discord.http.ws_connect(f"{discord.session['gateway']}?v=3&encoding=json")
    assert (await socket.receive()).data == 4012


async def test_a_client_without_heartbeats_is_disconnected_and_can_resume(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heartbeat Interval: who fails to send a heartbeat in time is disconnected, and has to resume."""
    monkeypatch.setattr(gateway, "HEARTBEAT_MS", 200)
    monkeypatch.setattr(gateway, "GRACE_SECONDS", 0.2)
    alive, silent = await discord.connect(discord.bot), await discord.connect(discord.bot)
    ready = await silent.event("READY")
    for _ in range(400):
        if silent.task.done():
            break
        await alive.ws.send_json({"op": 1, "d": None})
        await alive.op(11)
        alive.events.clear()
    assert silent.task.done()
    assert silent.ws.close_code == 4000
    assert not alive.task.done()
    await (await discord.resume(ready["session_id"], 2)).event("RESUMED")


async def test_a_deaf_session_gets_no_interactions_until_a_new_one_begins(discord: Discord) -> None:
    """https://github.com/discord/discord-api-docs/issues/8162"""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    anna = await discord.connect(discord.anna)
    await bot.event("READY")
    assert (await discord.call("POST", "/local/faults", body={"gateway": "deaf"}))[0] == 204
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    await anna.event("INTERACTION_FAILURE")
    assert not bot.named("INTERACTION_CREATE")
    await bot.ws.send_json({"op": 1, "d": 1})
    await bot.op(11)
    again = await discord.connect(discord.bot)
    await again.event("READY")
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    await again.event("INTERACTION_CREATE")


async def test_an_interaction_can_be_sent_twice(discord: Discord) -> None:
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    assert (await discord.call("POST", "/local/faults", body={"gateway": "twice", "times": 2}))[0] == 204
    for _ in range(2):
        await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
        first, second = await bot.event("INTERACTION_CREATE"), await bot.event("INTERACTION_CREATE")
        assert first["id"] == second["id"]
        assert first["channel"]["permissions"] == first["member"]["permissions"]
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    anna = await discord.connect(discord.anna)
    await anna.event("INTERACTION_FAILURE")
    assert len(bot.named("INTERACTION_CREATE")) == 1


async def test_with_too_many_sessions_in_a_day_all_end_and_the_token_is_a_new_one(discord: Discord) -> None:
    """https://discord.com/developers/docs/events/gateway#session-start-limit-object"""
    assert (await discord.call("POST", "/local/faults", body={"starts": 1}))[0] == 204
    last = await discord.connect(discord.bot)
    await last.event("READY")
    assert (await discord.call("GET", "/gateway/bot", discord.bot))[1]["session_start_limit"]["remaining"] == 0
    one_more = await discord.connect(discord.bot)
    for socket in (last, one_more):
        await socket.task
        assert socket.ws.close_code == 4004
    assert (await discord.call("GET", "/users/@me", discord.bot))[0] == 401
    assert (await discord.call("POST", "/local/faults", body={"starts": -1}))[0] == 400


# What a bot's session is told, by its intents and shard. https://discord.com/developers/docs/events/gateway

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
