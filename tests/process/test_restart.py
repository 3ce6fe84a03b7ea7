"""The real bot process: killed and started again, stopped politely, and on its embedded local Discord."""

import asyncio
import os
import signal
import socket
import sys
from pathlib import Path

import aiohttp
import pytest

from bot.custom_ids import Verb
from tests.process.world import ROOT, Seen, eventually, local_world


async def test_after_kill_9_the_table_goes_on_and_old_buttons_work(tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    async with local_world() as world:
        await world.start_bot(store)
        anna, bruno = people = world.people[:2]
        await world.open_game(anna, bruno)
        for _ in range(6):
            player = await world.on_turn(*people)
            hand: Seen = player.hand()
            ply = hand.press(Verb.MOVE)[1].ply
            nonce = await player.click(hand, Verb.MOVE, wait=False)
            await player.success(nonce)
            await eventually(
                lambda ply=ply: any(p.hand() and p.hand().press(Verb.MOVE)[1].ply > ply for p in people),
                "the next turn",
            )
            before = {person.name: set(person.messages) for person in people}
            assert await world.kill_bot(signal.SIGKILL) == -signal.SIGKILL
            await world.start_bot(store)
            await eventually(lambda: sum(person.hand() is not None for person in people) == 1, "one hand to play from")
            assert before == {person.name: set(person.messages) for person in people}
        tables = [m for m in anna.messages.values() if m.press(Verb.MENU)]
        assert len(tables) == 1


async def test_killed_while_a_card_is_held_it_lands_afterwards(tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    async with local_world() as world:
        await world.start_bot(store)
        people = world.people[:2]
        await world.open_game(*people, pace="slow")
        first = await world.on_turn(*people)
        await first.click(first.hand(), Verb.MOVE, "0-down")  # face up it might be an x2, and the turn a double one
        second = next(p for p in people if p is not first)
        hand = await eventually(second.hand, "the second turn")
        await second.click(hand, Verb.MOVE, "0-down")
        await world.kill_bot(signal.SIGKILL)
        await world.start_bot(store)
        await eventually(lambda: first.hand() and first.hand().press(Verb.MOVE)[1].ply >= 2, "the held card to land")
        await eventually(lambda: f"{first.name} lays" in first.table().text.replace("*", ""), "the table to show it")


async def test_sigterm_ends_it_cleanly(tmp_path: Path) -> None:
    async with local_world() as world:
        await world.start_bot(tmp_path / "tables.sqlite3")
        await world.open_game(*world.people[:2])
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
        said += (await asyncio.wait_for(process.stdout.readline(), 20)).decode()
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
