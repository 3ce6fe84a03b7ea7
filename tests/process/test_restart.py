"""The real bot process: killed and started again, stopped politely, and on its embedded local Discord."""

import asyncio
import os
import signal
import socket
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.process.person import Person
from tests.process.waiting import eventually
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


async def test_sigterm_ends_it_cleanly(world: World, people: list[Person], tmp_path: Path) -> None:
    assert await world.kill_bot(signal.SIGTERM) == 0
    assert "Traceback" not in (tmp_path / "bot.log").read_text()


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"DISCORD_TOKEN": "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.not-a-token-of-anybody-here"}, "DISCORD_TOKEN"),
        ({"DISCORD_API_URL": "http://127.0.0.1:9/api/v10"}, "DISCORD_API_URL"),
    ],
)
async def test_a_token_or_address_that_discord_does_not_know_is_one_line(
    tmp_path: Path, wrong: dict[str, str], named: str
) -> None:
    async with local_world() as world:
        right = {"DISCORD_TOKEN": world.session["bot_token"], "DISCORD_API_URL": world.api}
        environment = {**os.environ, **right, "STORE_URL": f"sqlite+aiosqlite:///{tmp_path}/t.sqlite3", **wrong}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", cwd=ROOT, env=environment, stderr=asyncio.subprocess.PIPE
        )
        _, said = await asyncio.wait_for(process.communicate(), 30)
        assert process.returncode == 2
        complaint = [line for line in said.decode().splitlines() if " INFO " not in line and " WARNING " not in line]
        assert len(complaint) == 1, said.decode()
        assert complaint[0].startswith(named)
        assert environment["DISCORD_TOKEN"] not in said.decode()


async def test_without_a_token_it_brings_its_own_discord_and_takes_it_along(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD", "STORE"))}
    environment = {**clean, "PYTHONPATH": str(ROOT), "LOCAL_DISCORD_PORT": str(port)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", cwd=tmp_path, env=environment,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    page = f"http://127.0.0.1:{port}/"
    said = ""
    while page + " in a browser" not in said:
        line = await asyncio.wait_for(process.stdout.readline(), 20)
        assert line, f"it ends: {said}"
        said += line.decode()
    async with aiohttp.ClientSession() as http:
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
    await process.communicate()
