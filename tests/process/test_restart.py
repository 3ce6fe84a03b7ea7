"""The real bot process: killed and started again, stopped politely, and on its embedded local Discord."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from tests.games import ANY, ONE_GAME
from tests.process.person import Person
from tests.process.waiting import eventually, until
from tests.process.watch import held_move, move, newest, plies, shown
from tests.process.world import ROOT, World, local_world


async def test_after_kill_9_the_table_goes_on_and_old_buttons_work(
    world: World, people: list[Person], store: Path
) -> None:
    """Nothing is sent anew: the messages that were there before the kill are those from which the game goes on."""
    for _ in range(4):
        await move(world, store, people)
        before = {person.name: set(person.messages) for person in people}
        assert await world.kill_bot(signal.SIGKILL) == -signal.SIGKILL
        await world.start_bot(store)
        await shown(world, store, people)
        assert before == {person.name: set(person.messages) for person in people}
    await move(world, store, people)


async def test_killed_while_a_move_is_held_it_lands_afterwards(world: World, store: Path, game: str) -> None:
    people = world.players(game)
    await world.open_game(game, *people, pace="slow")
    await held_move(world, store, people)
    before = plies(store)
    await world.kill_bot(signal.SIGKILL)
    assert newest(store).held is not None
    await world.start_bot(store)
    await eventually(lambda: plies(store) == before + 1, "the held move to land")
    await shown(world, store, people)


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
        environment = {
            **os.environ,
            "DISCORD_TOKEN": world.session["bot_token"],
            "DISCORD_API_URL": world.api,
            "DISCORD_GATEWAY_URL": f"ws://127.0.0.1:{runner.addresses[0][1]}",
            "STORE_URL": f"sqlite+aiosqlite:///{tmp_path}/t.sqlite3",
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", cwd=ROOT, env=environment, stderr=asyncio.subprocess.DEVNULL
        )
        await eventually(lambda: len(connections) > 1, "another connection")
        process.send_signal(signal.SIGTERM)
        try:
            assert await asyncio.wait_for(process.wait(), 20) == 0
        finally:
            await runner.cleanup()
            if process.returncode is None:
                process.kill()
                await process.wait()


@ONE_GAME
async def test_sigterm_ends_it_cleanly(world: World, people: list[Person], tmp_path: Path) -> None:
    assert await world.kill_bot(signal.SIGTERM) == 0
    assert "Traceback" not in (tmp_path / "bot.log").read_text()


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"DISCORD_TOKEN": "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.not-a-token-of-anybody-here"}, "DISCORD_TOKEN"),
        ({"DISCORD_API_URL": "{base}/nothing"}, "DISCORD_API_URL"),
    ],
)
async def test_a_token_or_address_that_discord_does_not_know_is_one_line(
    tmp_path: Path, wrong: dict[str, str], named: str
) -> None:
    """The exit code tells a service that starting again does not help."""
    async with local_world() as world:
        right = {"DISCORD_TOKEN": world.session["bot_token"], "DISCORD_API_URL": world.api}
        environment = {**os.environ, **right, "STORE_URL": f"sqlite+aiosqlite:///{tmp_path}/t.sqlite3"}
        environment |= {name: value.replace("{base}", world.base) for name, value in wrong.items()}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", cwd=ROOT, env=environment, stderr=asyncio.subprocess.PIPE
        )
        _, said = await asyncio.wait_for(process.communicate(), 30)
        assert process.returncode == 2
        complaint = [line for line in said.decode().splitlines() if " INFO " not in line]
        assert len(complaint) == 1, said.decode()
        assert complaint[0].startswith(named)
        assert environment["DISCORD_TOKEN"] not in said.decode()


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@asynccontextmanager
async def alone(folder: Path, port: int, *, started: bool = True) -> AsyncIterator[asyncio.subprocess.Process]:
    """The bot without a token, in *folder*: it has brought its own Discord, at *port*; unless *started*, it is about
    to."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD", "STORE"))}
    environment = {**clean, "PYTHONPATH": str(ROOT), "LOCAL_DISCORD_PORT": str(port)}
    with (folder / "bot.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", cwd=folder, env=environment, stdout=asyncio.subprocess.PIPE, stderr=log
        )
    assert process.stdout is not None
    said = ""
    try:
        while started and f"http://127.0.0.1:{port}/ in a browser" not in said:
            line = await asyncio.wait_for(process.stdout.readline(), 20)
            assert line, f"it ends: {said}"
            said += line.decode()
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_without_a_token_it_brings_its_own_discord_and_takes_it_along(tmp_path: Path) -> None:
    port = free_port()
    page = f"http://127.0.0.1:{port}/"
    async with alone(tmp_path, port) as process, aiohttp.ClientSession() as http:
        async with http.get(page) as response:
            assert "Local Discord" in await response.text()
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), 20) == 0
        refused = False
        try:
            await http.get(page)
        except aiohttp.ClientConnectorError:
            refused = True
        assert refused


@pytest.mark.about(ANY)
async def test_tables_and_hands_survive_a_restart_of_both(tmp_path: Path) -> None:
    """The local Discord keeps people, channels and messages in a file beside the bot's database."""
    port, store = free_port(), tmp_path / "local.sqlite3"
    async with aiohttp.ClientSession() as http:
        async with alone(tmp_path, port) as process:
            async with http.get(f"http://127.0.0.1:{port}/local/session") as response:
                world = World(http, await response.json())
            people = world.players(ANY)
            async with listening(people):
                await connected(world)
                await world.open_game(ANY, *people, pace="off")
                await move(world, store, people)
                await shown(world, store, people)
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), 20) == 0
        before = {person.name: set(person.messages) for person in people}
        async with alone(tmp_path, port), listening(people):
            await connected(world)
            await shown(world, store, people)
            await move(world, store, people)
            await shown(world, store, people)
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


async def test_the_file_of_its_own_discord_that_it_cannot_use_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "local-discord.sqlite3").write_text("not a database" * 1000)
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD", "STORE"))}
    environment = {**clean, "PYTHONPATH": str(ROOT), "LOCAL_DISCORD_PORT": str(free_port())}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", cwd=tmp_path, env=environment, stderr=asyncio.subprocess.PIPE
    )
    _, said = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode == 2
    assert (
        said.decode()
        .splitlines()[-1]
        .startswith("STORE_URL: the local Discord's file beside it, local-discord.sqlite3,")
    )


@pytest.mark.parametrize("started", [False, True])
async def test_when_its_own_discord_dies_it_ends_with_a_line(tmp_path: Path, started: bool) -> None:
    """Whether it is connected already or not: nobody could be served."""
    port = free_port()
    async with alone(tmp_path, port, started=started) as process, aiohttp.ClientSession() as http:

        async def asked(what: str) -> Any:
            with suppress(aiohttp.ClientConnectionError):  # it is only starting
                async with http.get(f"http://127.0.0.1:{port}/local/{what}") as response:
                    return await response.json()
            return None

        async def begun() -> bool:
            return bool(await asked("requests")) and (not started or (await asked("session"))["bot_connected"])

        await until(begun, "it asks nothing")
        os.kill((await asked("session"))["pid"], signal.SIGKILL)
        assert await asyncio.wait_for(process.wait(), 20) == 1
    log = (tmp_path / "bot.log").read_text()
    assert log.count("the local Discord has ended (exit code -9); start again\n") == 1
    assert log.splitlines()[-1].startswith("the local Discord has ended")
    assert "stopped" not in log
    assert "DISCORD_API_URL" not in log


async def test_its_own_discord_ends_with_it_whatever_is_under_way(tmp_path: Path) -> None:
    """Also while a fault holds requests up for a minute."""
    port = free_port()
    async with alone(tmp_path, port) as process, aiohttp.ClientSession() as http:
        base = f"http://127.0.0.1:{port}"
        fault = {"match": {"method": "GET", "path": "*"}, "delay_ms": 60_000, "times": 100}
        async with http.get(base + "/local/session") as response:
            token = (await response.json())["bot_token"]
        async with http.post(base + "/local/faults", json=fault) as response:
            assert response.status == 204
        headers = {"Authorization": f"Bot {token}"}
        held_up = asyncio.ensure_future(http.get(base + "/api/v10/users/@me", headers=headers))
        await asyncio.wait([held_up], timeout=0.5)
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 12) == 0
        with pytest.raises(aiohttp.ClientError):
            await held_up
