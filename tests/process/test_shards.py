"""Shards of discord.py that come and go while it runs, on the local Discord. Also that discord.py still has what
``bot.cluster.shards`` uses of its inside."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.cluster import shards
from bot.cluster.shards import Shards
from local_discord.initial import APPLICATION
from local_discord.server import Server
from tests.process.waiting import eventually

SHARDS = 8


class Client(discord.AutoShardedClient):
    """A bot whose shards are opened one by one. It notes what it is told."""

    def __init__(self, server: Server) -> None:
        super().__init__(intents=discord.Intents(guilds=True), shard_count=SHARDS)
        self.server = server
        self.turns: list[int] = []
        self.heard: list[str] = []
        self.told: list[tuple[str, tuple[Any, ...]]] = []
        self.mine: Shards

    async def launch_shards(self) -> None:
        """None: they come later."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """It is waited for before."""

    async def setup_hook(self) -> None:
        """Note interactions, and who is cut off."""
        self.mine = Shards(self, yarl.URL(self.server.gateway.address), self.turn)
        self._connection.parsers["INTERACTION_CREATE"] = lambda data: self.heard.append(data["id"])

    async def turn(self, shard: int) -> None:
        """Nobody else identifies."""
        self.turns.append(shard)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Note what happens to shards."""
        if event.startswith("shard_"):
            self.told.append((event, args))
        super().dispatch(event, *args, **kwargs)


@pytest.fixture
async def client(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Client]:
    """A bot that has logged in, and has no shard."""
    server = Server(guilds=2 * SHARDS, channels=1, shards=SHARDS)
    await server.start(0)
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{server.port}/api/v10")
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway.address))
    async with Client(server) as client:
        running = asyncio.create_task(client.start(server.world.bot.token))
        await eventually(lambda: hasattr(client, "mine"), "the bot to log in")
        yield client
        await client.mine.stop()
    with suppress(asyncio.CancelledError):
        await running
    await server.stop()


async def test_a_shard_is_open_when_its_servers_are_known_and_leaves_nothing_when_it_is_closed(client: Client) -> None:
    assert client.server.gateway.bot_sessions == []
    await asyncio.gather(*(client.mine.open(number) for number in (0, 3, 5)))
    assert client.server.gateway.bot_sessions == [0, 3, 5]
    assert client.turns == [0, 3, 5]
    assert {(guild.id >> 22) % SHARDS for guild in client.guilds} == {0, 3, 5}
    assert all(guild.channels and not guild.unavailable for guild in client.guilds)
    assert len(client.guilds) == 6
    await client.mine.close(3)
    await eventually(lambda: client.server.gateway.bot_sessions == [0, 5], "the session to end")
    assert {(guild.id >> 22) % SHARDS for guild in client.guilds} == {0, 5}
    await client.mine.open(3)  # again
    assert len(client.guilds) == 6


async def test_a_shard_with_a_server_that_has_an_outage_is_open_when_discord_py_calls_it_ready(client: Client) -> None:
    """No GUILD_CREATE comes for such a server until its outage ends."""
    away = next(guild for guild in client.server.world.guilds.values() if (guild.id >> 22) % SHARDS == 3)
    away.unavailable = True
    client._connection.guild_ready_timeout = 0.3
    async with asyncio.timeout(5):
        await client.mine.open(3)
    assert ("shard_ready", (3,)) in client.told
    known = {guild.id: guild.unavailable for guild in client.guilds}
    assert len(known) == 2
    assert known[away.id]
    await client.mine.close(3)
    async with asyncio.timeout(5):
        await client.mine.open(3)  # again: what the first session waited for is over
    assert client.told.count(("shard_ready", (3,))) == 2


async def test_a_shard_that_was_lost_goes_on_with_its_session(client: Client) -> None:
    await client.mine.open(0)
    await client.mine.open(1)
    for session in client.server.gateway._sessions.values():
        if session.person.id == APPLICATION and session.shard[0] == 1:
            lost = session
    assert lost.socket is not None
    lost.socket.broken = True
    await lost.socket.ws.close(code=4000)
    await eventually(lambda: ("shard_resumed", (1,)) in client.told, "the session to go on")
    assert ("shard_disconnect", (1,)) in client.told
    assert ("shard_disconnect", (0,)) not in client.told


async def test_a_shard_whose_session_is_gone_begins_a_new_one_after_its_turn(client: Client) -> None:
    await client.mine.open(2)
    client.server.gateway.inject("invalid_session")
    await eventually(lambda: client.turns == [2, 2], "its turn")
    await eventually(lambda: client.server.gateway.bot_sessions == [2], "a new session")
    assert len(client.guilds) == 2


async def test_one_that_cannot_connect_holds_up_no_other(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = []

    async def turn(shard: int) -> None:
        if shard == 4 and len(refused) < 2:
            refused.append(shard)
            raise OSError("no way there")

    monkeypatch.setattr(shards, "LONGEST_PAUSE_SECONDS", 0.2)
    monkeypatch.setattr(client.mine, "_turn", turn)
    waiting = asyncio.create_task(client.mine.open(4))
    await client.mine.open(6)
    assert not waiting.done()
    await asyncio.wait_for(waiting, 5)
    assert refused == [4, 4]
    assert client.server.gateway.bot_sessions == [4, 6]


async def test_one_that_is_closed_while_it_connects_stays_closed(client: Client) -> None:
    never = asyncio.Event()
    client.mine._turn = lambda shard: never.wait()  # type: ignore[assignment,return-value]
    waiting = asyncio.create_task(client.mine.open(7))
    await asyncio.sleep(0)
    await client.mine.close(7)
    never.set()
    await client.mine.stop()
    await asyncio.wait_for(waiting, 5)
    assert client.server.gateway.bot_sessions == []
