"""Sessions at the gateway: identify, resume, intents, shards."""

import aiohttp

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
