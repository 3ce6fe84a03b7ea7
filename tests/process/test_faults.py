"""Discord's faults and our own crashes at chosen moments, on real processes: the game goes on."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.custom_ids import Verb
from tests.process.test_kills import tables
from tests.process.world import Person, Seen, World, eventually, local_world


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with local_world() as world:
        await world.start_bot(tmp_path / "tables.sqlite3")
        yield world


def ply(store: Path) -> int:
    """How many moves are committed at the only table."""
    (table,) = tables(store).values()
    found: int = table.rules.ply(table.state)
    return found


async def turn(store: Path, *people: Person) -> tuple[Person, Seen]:
    """Whoever is on turn, and their hand, once it shows the newest state."""

    def ready() -> tuple[Person, Seen] | None:
        for person in people:
            hand = person.hand()
            found = hand.press(Verb.MOVE) if hand else None
            if hand is not None and found is not None and found[1].ply == ply(store):
                return person, hand
        return None

    player, hand = await eventually(ready, "somebody's turn")
    return player, hand


async def move(world: World, store: Path, *people: Person) -> None:
    """One move, from the click to everybody's messages."""
    before = ply(store)
    player, hand = await turn(store, *people)
    await player.click(hand, Verb.MOVE, "0-down")
    await eventually(lambda: ply(store) == before + 1, "the move to be committed")
    await eventually(lambda: shown(world, before + 1), f"ply {before + 1} under the table")


def shown(world: World, number: int) -> bool:
    """Whether the table message of a game of 17 is at ply *number*."""
    table = world.people[0].table()
    shout = table.press(Verb.SHOUT) if table else None
    return shout is not None and shout[1].ply == number


async def start(world: World) -> tuple[Person, ...]:
    people = tuple(world.people[:2])
    await world.open_game(*people, pace="off")
    return people


# Our crash, at chosen moments


async def test_killed_right_after_a_commit_before_anybody_was_told(world: World, tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    people = await start(world)
    for method, path in (("PATCH", "*"), ("POST", "/interactions/*/callback")):
        await world.fault(match={"method": method, "path": path}, delay_ms=60_000, times=1000)
    player, hand = await turn(store, *people)
    await player.click(hand, Verb.MOVE, "0-down", wait=False)
    await eventually(lambda: ply(store) == 1, "the commit")
    await world.kill_bot()
    await world.call("DELETE", "/local/faults")
    await world.start_bot(store)
    await eventually(lambda: shown(world, 1), "the move at the table")
    await move(world, store, *people)


async def test_killed_right_before_a_commit_the_move_can_be_made_again(world: World, tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    people = await start(world)
    player, hand = await turn(store, *people)
    with closing(sqlite3.connect(store, isolation_level=None)) as lock:
        lock.execute("BEGIN IMMEDIATE")  # nothing can be committed from here on
        nonce = await player.click(hand, Verb.MOVE, "0-down", wait=False)
        await asyncio.sleep(0.3)  # as far as it gets: what holds afterwards does not depend on how far
        await world.kill_bot()
    assert ply(store) == 0
    await eventually(lambda: player.outcomes.get(nonce) == "INTERACTION_FAILURE", "the click to fail")
    await world.start_bot(store)
    await player.click(hand, Verb.MOVE, "0-down")
    await eventually(lambda: ply(store) == 1, "the same button")


async def test_killed_between_two_requests_the_second_is_made_up_for(world: World, tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    people = await start(world)
    await world.fault(match={"method": "PATCH", "path": "*"}, delay_ms=60_000, times=1000)
    player, hand = await turn(store, *people)
    await player.click(hand, Verb.MOVE, "0-down")
    assert ply(store) == 1
    assert not shown(world, 1)
    await world.kill_bot()
    await world.call("DELETE", "/local/faults")
    await world.start_bot(store)
    await eventually(lambda: shown(world, 1), "the table message")
    await move(world, store, *people)


# Discord's limits and failures


RATE = [
    {"status": 429},
    {"status": 429, "retry_after": 0.3},
    {"status": 429, "retry_after": 0.3, "global": True},
    {"status": 500},
    {"status": 502},
    {"status": 503},
    {"delay_ms": 1_500},
    {"drop": True},
]


@pytest.mark.parametrize("fault", RATE, ids=lambda fault: "-".join(f"{key}={value}" for key, value in fault.items()))
async def test_the_game_goes_on_through(world: World, tmp_path: Path, fault: dict[str, Any]) -> None:
    """Every kind of request meets the fault once and again, in a running game."""
    store = tmp_path / "tables.sqlite3"
    people = await start(world)
    await move(world, store, *people)
    for method, path in (("PATCH", "/channels/*"), ("PATCH", "/webhooks/*"), ("POST", "/interactions/*/callback")):
        await world.fault(match={"method": method, "path": path}, times=2, **fault)
        for _ in range(2):
            before = ply(store)
            player, hand = await turn(store, *people)
            await player.click(hand, Verb.MOVE, "0-down", wait=False)
            await eventually(lambda n=before: ply(store) == n + 1, "the move to be committed")
            await eventually(lambda n=before: shown(world, n + 1), "the table message")
            await eventually(lambda: any(person.hand() for person in people), "the next turn")
        await world.call("DELETE", "/local/faults")
    hands = [m for person in people for m in person.messages.values() if m.direct(world)]
    assert len(hands) == len(people), "no message came twice"
    assert len([m for m in people[0].messages.values() if m.press(Verb.MENU)]) == 1
    refused = [r for r in await world.requests() if r["status"] in (401, 403, 429)]
    assert len(refused) <= 8, "no storm of refused requests"


async def test_a_lost_response_to_a_new_message_makes_no_second_one(world: World, tmp_path: Path) -> None:
    people = tuple(world.people[:2])
    await world.fault(match={"method": "POST", "path": "/channels/*/messages"}, drop=True, times=2)
    await world.open_game(*people, pace="off")
    await move(world, tmp_path / "tables.sqlite3", *people)
    for person in people:
        assert len([m for m in person.messages.values() if m.direct(world)]) == 1


# The gateway


@pytest.mark.parametrize("fault", ["reconnect", "close", "invalid_session"])
async def test_the_game_goes_on_when_the_gateway_is_lost(world: World, tmp_path: Path, fault: str) -> None:
    store = tmp_path / "tables.sqlite3"
    people = await start(world)
    await move(world, store, *people)
    await world.call("POST", "/local/faults", {"gateway": fault})
    moves = ply(store)
    player, hand = await turn(store, *people)
    # What is clicked while nobody listens may fail; Discord says so, and the same button works afterwards.
    deadline = asyncio.get_running_loop().time() + 30
    while ply(store) == moves and asyncio.get_running_loop().time() < deadline:
        nonce = await player.click(hand, Verb.MOVE, "0-down", wait=False)
        await eventually(lambda n=nonce: player.outcomes.get(n), "an outcome")
    assert ply(store) == moves + 1
    await eventually(lambda: shown(world, moves + 1), "the table message")
    await move(world, store, *people)


async def test_a_click_on_a_silent_gateway_comes_through_when_it_speaks_again(world: World, tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    people = await start(world)
    player, hand = await turn(store, *people)
    await world.call("POST", "/local/faults", {"gateway": "silence"})
    await player.click(hand, Verb.MOVE, "0-down", wait=False)
    await world.call("DELETE", "/local/faults")
    await eventually(lambda: ply(store) == 1, "the move")
    await eventually(lambda: shown(world, 1), "the table message")


async def test_two_shards_serve_two_servers(tmp_path: Path) -> None:
    async with local_world("--guilds", "2", "--shards", "2") as world:
        await world.start_bot(tmp_path / "tables.sqlite3")
        anna = world.people[0]
        for guild in world.session["guilds"]:
            channel = int(guild["channels"][0]["id"])
            given = [{"name": "game", "type": 3, "value": "diciassette"}]
            play = {"name": "play", "type": 1, "options": given}
            body = {"type": 2, "channel_id": str(channel), "guild_id": guild["id"], "data": play}
            deadline = asyncio.get_running_loop().time() + 30
            while not anna.newest(Verb.JOIN, channel):  # Discord lets shards identify one after the other
                assert asyncio.get_running_loop().time() < deadline
                nonce = await anna.interact(body, wait=False)
                await eventually(lambda n=nonce: anna.outcomes.get(n), "an outcome")
