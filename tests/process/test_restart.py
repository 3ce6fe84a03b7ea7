"""The real bot process: killed and started again, stopped politely, and on its embedded local Discord."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from tests import program
from tests.games import ANY
from tests.process.person import Person
from tests.process.waiting import eventually, until
from tests.process.watch import move, wait_until_shown
from tests.process.world import World, local_world
from tests.program import Running, free_port, running


async def test_after_kill_9_the_table_goes_on_and_old_buttons_work(
    world: World, people: list[Person], store: Path
) -> None:
    """Nothing is sent anew: the messages that were there before the kill are those from which the game goes on."""
    for _ in range(4):
        await move(world, store, people)
        before = {person.name: set(person.messages) for person in people}
        assert await world.kill_bot(signal.SIGKILL) == -signal.SIGKILL
        await world.start_bot(store)
        await wait_until_shown(world, store, people)
        assert before == {person.name: set(person.messages) for person in people}
    await move(world, store, people)


async def test_told_to_stop_while_it_tries_to_connect_again_it_stops(tmp_path: Path) -> None:
    """It was never quite connected. At that moment discord.py swallows a cancellation (``Shard.reconnect``)."""
    connections: list[web.Request] = []

    async def gateway(request: web.Request) -> web.StreamResponse:
        """Say hello to the first connection and break it off; never answer another one."""
        connections.append(request)
        if len(connections) > 1:
            await asyncio.sleep(60)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41_250}, "s": None, "t": None})
        await socket.receive()
        await socket.close(code=4000)
        return socket

    app = web.Application()
    app.router.add_get("/", gateway)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with local_world() as world:
        settings = {"DISCORD_TOKEN": world.session["bot_token"], "DISCORD_API_URL": world.api}
        there = f"ws://127.0.0.1:{runner.addresses[0][1]}"
        async with running(tmp_path, DISCORD_GATEWAY_URL=there, **settings) as bot:
            await eventually(lambda: len(connections) > 1, "another connection")
            assert await bot.stop(signal.SIGTERM) == 0
    await runner.cleanup()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"DISCORD_TOKEN": "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.not-a-token-of-anybody-here"},
            "DISCORD_TOKEN: Discord does not accept this token; copy it once more, or make a new one\n",
        ),
        ({"DISCORD_API_URL": "{base}/nothing"}, "DISCORD_API_URL"),
    ],
    ids=["token", "address"],
)
async def test_a_token_or_address_that_discord_does_not_know_is_one_line(
    tmp_path: Path, wrong: dict[str, str], said: str
) -> None:
    """The exit code tells a service that starting again does not help. It does not say ``stopped``."""
    async with local_world() as world:
        settings = {"DISCORD_TOKEN": world.session["bot_token"], "DISCORD_API_URL": world.api}
        settings |= {name: value.replace("{base}", world.base) for name, value in wrong.items()}
        async with running(tmp_path, **settings) as bot:
            assert await bot.ended(30) == 2
        assert bot.log.count("\n") == 1, bot.log
        assert bot.log.startswith(said)
        assert settings["DISCORD_TOKEN"] not in bot.log


@asynccontextmanager
async def alone(folder: Path, port: int, *, started: bool = True) -> AsyncIterator[Running]:
    """The bot without a token, in *folder*: it has brought its own Discord, at *port*; unless *started*, it is about
    to."""
    async with running(folder, LOCAL_DISCORD_PORT=str(port)) as bot:
        if started:
            await eventually(lambda: f"http://127.0.0.1:{port}/ in a browser" in bot.said, lambda: bot.said + bot.log)
        yield bot


@pytest.mark.about(ANY)
async def test_tables_and_hands_survive_a_restart_of_both(tmp_path: Path) -> None:
    """The local Discord keeps people, channels and messages in a file beside the bot's database."""
    port, store = free_port(), tmp_path / "local.sqlite3"
    async with aiohttp.ClientSession() as http:
        async with alone(tmp_path, port) as bot:
            async with http.get(f"http://127.0.0.1:{port}/local/session") as response:
                world = World(http, await response.json())
            people = world.players(ANY)
            async with listening(people):
                await connected(world)
                await world.open_game(ANY, *people, pace="off")
                await move(world, store, people)
                await wait_until_shown(world, store, people)
            assert await bot.stop(signal.SIGTERM) == 0
        before = {person.name: set(person.messages) for person in people}
        async with alone(tmp_path, port), listening(people):
            await connected(world)
            await wait_until_shown(world, store, people)
            await move(world, store, people)
            await wait_until_shown(world, store, people)
            assert before == {person.name: set(person.messages) for person in people}


@asynccontextmanager
async def listening(people: list[Person]) -> AsyncIterator[None]:
    """In the block the clients of *people* are connected."""
    listeners = [asyncio.create_task(person.listen()) for person in people]
    try:
        await eventually(lambda: all(person.ready for person in people), "everybody to connect")
        yield
    finally:
        for listener in listeners:
            listener.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)


async def connected(world: World) -> None:
    """Wait until the bot is connected; its commands are registered before."""
    for _ in range(400):
        _, session = await world.call("GET", "/local/session")
        if session["bot_connected"]:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the bot does not connect")


def test_the_file_of_its_own_discord_that_it_cannot_use_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "local-discord.sqlite3").write_text("not a database" * 1000)
    code, _, err = program.bot(folder=tmp_path, LOCAL_DISCORD_PORT=str(free_port()))
    assert code == 2
    assert err.splitlines()[-1].startswith("STORE_URL: the local Discord's file beside it, local-discord.sqlite3,")


@pytest.mark.parametrize("started", [False, True])
async def test_when_its_own_discord_dies_it_ends_with_a_line(tmp_path: Path, started: bool) -> None:
    """Whether it is connected already or not: nobody could be served."""
    port = free_port()
    async with alone(tmp_path, port, started=started) as bot, aiohttp.ClientSession() as http:

        async def asked(what: str) -> Any:
            with suppress(aiohttp.ClientConnectionError):  # it is only starting
                async with http.get(f"http://127.0.0.1:{port}/local/{what}") as response:
                    return await response.json()
            return None

        async def begun() -> bool:
            return bool(await asked("requests")) and (not started or (await asked("session"))["bot_connected"])

        await until(begun, "it asks nothing")
        os.kill((await asked("session"))["pid"], signal.SIGKILL)
        assert await bot.ended() == 1
    log = bot.log
    assert log.count("the local Discord has ended (exit code -9); start again\n") == 1
    assert log.splitlines()[-1].startswith("the local Discord has ended")
    assert "stopped" not in log
    assert "DISCORD_API_URL" not in log


async def test_its_own_discord_ends_with_it_whatever_is_under_way(tmp_path: Path) -> None:
    """Also while a fault holds requests up for a minute."""
    port = free_port()
    async with alone(tmp_path, port) as bot, aiohttp.ClientSession() as http:
        base = f"http://127.0.0.1:{port}"
        fault = {"match": {"method": "GET", "path": "*"}, "delay_ms": 60_000, "times": 100}
        async with http.get(base + "/local/session") as response:
            token = (await response.json())["bot_token"]
        async with http.post(base + "/local/faults", json=fault) as response:
            assert response.status == 204
        headers = {"Authorization": f"Bot {token}"}
        held_up = asyncio.ensure_future(http.get(base + "/api/v10/users/@me", headers=headers))
        await asyncio.wait([held_up], timeout=0.5)
        assert await asyncio.wait_for(bot.stop(signal.SIGTERM), 12) == 0
        with pytest.raises(aiohttp.ClientError):
            await held_up
