"""Clicks while Discord is slow, and while the bot is told to stop: every one is answered in time."""

import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.custom_ids import Verb
from tests.process.world import eventually, local_world


@pytest.mark.parametrize("fault", [{"delay_ms": 4000}, {"status": 502, "times": 3}, {"status": 403, "times": 4}])
async def test_a_click_does_not_wait_behind_a_slow_edit_of_its_message(tmp_path: Path, fault: dict[str, Any]) -> None:
    async with local_world() as world:
        await world.start_bot(tmp_path / "tables.sqlite3")
        anna, bruno, carla = world.people[:3]
        await anna.slash(world.channel, "play", game="diciassette")
        await bruno.click(await eventually(lambda: bruno.newest(Verb.JOIN), "the lobby"), Verb.JOIN)
        for path in ("/channels/*/messages/*", "/webhooks/*/messages/@original"):
            await world.fault(match={"method": "PATCH", "path": path}, **{"times": 1, **fault})
        await bruno.slash(world.channel, "table leave")
        await carla.click(await eventually(lambda: carla.newest(Verb.JOIN), "the lobby"), Verb.JOIN)
        await eventually(lambda: "Carla" in anna.newest(Verb.START).text, "the lobby to show it")
        assert "Bruno" not in anna.newest(Verb.START).text


async def test_brought_down_twice_the_table_is_at_the_bottom(tmp_path: Path) -> None:
    async with local_world() as world:
        await world.start_bot(tmp_path / "tables.sqlite3")
        anna, bruno = world.people[:2]
        await world.open_game(anna, bruno, pace="off")
        for _ in range(2):
            before = anna.table()
            await anna.click(before, Verb.MENU)
            menu = await eventually(lambda: anna.newest(Verb.DOWN_HERE), "the menu")
            await anna.click(menu, Verb.DOWN_HERE)
            await eventually(lambda b=before: anna.table() and anna.table().id > b.id, "the table further down")
            await eventually(lambda b=before: "moved down" in anna.messages[b.id].text, "the link to it")
        assert len([m for m in anna.messages.values() if m.press(Verb.MENU)]) == 1


async def test_a_click_that_waits_is_answered_before_the_bot_stops(tmp_path: Path) -> None:
    async with local_world() as world:
        await world.start_bot(tmp_path / "tables.sqlite3")
        people = world.people[:2]
        await world.open_game(*people, pace="off")
        first = await world.on_turn(*people)
        await first.click(first.hand(), Verb.MOVE)
        second = next(person for person in people if person is not first)
        hand = await eventually(second.hand, "the second turn")
        nonce = await second.click(hand, Verb.MOVE, wait=False)
        await eventually(lambda: _held(tmp_path / "tables.sqlite3") or nonce in second.outcomes, "the card to be held")
        assert await world.kill_bot(signal.SIGTERM) == 0
        await second.success(nonce)


def _held(store: Path) -> bool:
    """Whether the bot has committed a card that has not landed yet."""
    with closing(sqlite3.connect(store)) as database:
        return ("landing",) in database.execute("SELECT timer FROM timers").fetchall()
