"""Shards: how often they may identify, which servers they get, and several sessions on one of them."""

from local_discord.server import Server
from tests.local_discord.client import Discord, Socket

SHARDS = 8


async def _shard(discord: Discord, number: int) -> Socket:
    """A connection of the bot that has asked for shard *number*."""
    return await discord.connect(discord.bot, shard=[number, SHARDS])


async def test_an_identify_that_comes_too_early_for_its_bucket_is_an_invalid_session() -> None:
    now = [100.0]
    server = Server(shards=SHARDS, clock=lambda: now[0], concurrency=2)
    async with Discord.running(server) as discord:
        await (await _shard(discord, 0)).event("READY")
        await (await _shard(discord, 1)).event("READY")
        early = await _shard(discord, 2)
        assert (await early.op(9))["d"] is False
        assert not early.named("READY")
        now[0] += 5.0
        token = discord.session["bot_token"]
        again = {"token": token, "intents": 1, "properties": {}, "shard": [2, SHARDS]}
        await early.ws.send_json({"op": 2, "d": again})
        await early.event("READY")


async def test_the_gateway_says_how_many_session_starts_are_left() -> None:
    now = [100.0]
    server = Server(shards=SHARDS, clock=lambda: now[0], concurrency=16)
    async with Discord.running(server) as discord:
        _, before = await discord.call("GET", "/gateway/bot", discord.bot)
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 16}
        assert (before["shards"], before["session_start_limit"]) == (SHARDS, limit)
        for number in range(3):
            await (await _shard(discord, number)).event("READY")
        now[0] += 60.0
        _, after = await discord.call("GET", "/gateway/bot", discord.bot)
        expected = {**limit, "remaining": 997, "reset_after": 86_340_000}
        assert after["session_start_limit"] == expected
        now[0] += 86_400.0
        _, tomorrow = await discord.call("GET", "/gateway/bot", discord.bot)
        assert tomorrow["session_start_limit"] == limit


async def test_servers_are_spread_over_all_shards() -> None:
    async with Discord.running(Server(guilds=16, channels=8, shards=SHARDS)) as discord:
        for number in range(SHARDS):
            socket = await _shard(discord, number)
            mine = {guild["id"] for guild in (await socket.event("READY"))["guilds"]}
            assert mine == {it["id"] for it in discord.session["guilds"] if (int(it["id"]) >> 22) % SHARDS == number}
            assert len(mine) == 2
            for _ in mine:
                guild = await socket.event("GUILD_CREATE")
                assert guild["id"] in mine
                assert len(guild["channels"]) == 8
        _, session = await discord.call("GET", "/local/session")
        assert session["bot_sessions"] == list(range(SHARDS))


async def test_every_session_of_a_shard_gets_every_event_and_the_first_response_counts(discord: Discord) -> None:
    await discord.ping_command()
    one, other = await discord.connect(discord.bot), await discord.connect(discord.bot)
    ready = await one.event("READY")
    await other.event("READY")
    payload = await discord.pinged(one, discord.anna)
    assert await other.event("INTERACTION_CREATE") == payload
    pong = {"type": 4, "data": {"content": "pong"}}
    assert (await discord.answer(payload, pong))[0] == 204
    status, error = await discord.answer(payload, pong)
    assert (status, error["code"]) == (400, 40060)

    # Either goes on by itself: the one that was lost is sent what it has missed, the other has had it.
    await one.ws.close(code=4000)
    await one.task
    missed = await discord.pinged(other, discord.anna)
    again = await discord.resume(ready["session_id"], 3)
    assert await again.event("INTERACTION_CREATE") == missed
    await again.event("RESUMED")


async def test_a_session_that_ends_leaves_the_other_one_of_its_shard_alone(discord: Discord) -> None:
    await discord.ping_command()
    one, other = await discord.connect(discord.bot), await discord.connect(discord.bot)
    await one.event("READY")
    await other.event("READY")
    await one.ws.close(code=1000)
    await one.task
    await discord.pinged(other, discord.anna)
    _, session = await discord.call("GET", "/local/session")
    assert session["bot_sessions"] == [0]
