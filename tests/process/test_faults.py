"""Discord's faults and our own crashes at chosen moments, on real processes: the game goes on."""

import asyncio
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.custom_ids import Verb
from tests.games import CASES
from tests.process.watch import Offer, click, hands, offered, picks, stale, tables
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


@pytest.fixture(params=sorted(CASES))
async def people(world: World, request: pytest.FixtureRequest) -> tuple[Person, ...]:
    """Two people at a running table, of every game."""
    seated = tuple(world.people[:2])
    await world.open_game(*seated, game=request.param, pace="off")
    return seated


async def shown(world: World, store: Path, people: tuple[Person, ...]) -> None:
    """Everybody sees the newest state, once."""

    def behind() -> str:
        (table,) = tables(store).values()
        return stale(people, table, world)

    await eventually(lambda: not behind(), lambda: f"to be shown: {behind()}")


async def turn(world: World, store: Path, people: tuple[Person, ...]) -> tuple[Person, Seen, Offer]:
    """Whoever is on turn, their hand, and a move on offer there, once everybody sees the newest state."""
    await shown(world, store, people)
    player, hand = next(
        (p, m) for p in people for m in p.messages.values() if m.direct(world) and (hands(m) or picks(m))
    )
    offer = await offered(player, hand)
    return player, player.messages[hand.id], offer


async def move(world: World, store: Path, people: tuple[Person, ...]) -> None:
    """One move, from the click to everybody's messages."""
    before = ply(store)
    await click(*await turn(world, store, people))
    await eventually(lambda: ply(store) == before + 1, "the move to be committed")
    await shown(world, store, people)


# Our crash, at chosen moments


async def test_killed_right_after_a_commit_before_anybody_was_told(
    world: World, people: tuple[Person, ...], tmp_path: Path
) -> None:
    store = tmp_path / "tables.sqlite3"
    its_turn = await turn(world, store, people)
    for method, path in (("PATCH", "*"), ("POST", "/interactions/*/callback")):
        await world.fault(match={"method": method, "path": path}, delay_ms=60_000, times=1000)
    await click(*its_turn)
    await eventually(lambda: ply(store) == 1, "the commit")
    await world.kill_bot()
    await world.call("DELETE", "/local/faults")
    await world.start_bot(store)
    await move(world, store, people)


async def test_killed_right_before_a_commit_the_move_can_be_made_again(
    world: World, people: tuple[Person, ...], tmp_path: Path
) -> None:
    store = tmp_path / "tables.sqlite3"
    player, hand, offer = await turn(world, store, people)
    with closing(sqlite3.connect(store, isolation_level=None)) as lock:
        lock.execute("BEGIN IMMEDIATE")  # nothing can be committed from here on
        nonce = await click(player, hand, offer)
        await asyncio.sleep(0.3)  # as far as it gets: what holds afterwards does not depend on how far
        await world.kill_bot()
    assert ply(store) == 0
    await eventually(lambda: player.outcomes.get(nonce) == "INTERACTION_FAILURE", "the click to fail")
    await world.start_bot(store)
    # The same button - but for a hand where it takes a pick to get there, which a restart forgets.
    player, hand, offer = await turn(world, store, people)
    await player.success(await click(player, hand, offer))
    await eventually(lambda: ply(store) == 1, "the move")


async def test_killed_between_two_requests_the_second_is_made_up_for(
    world: World, people: tuple[Person, ...], tmp_path: Path
) -> None:
    store = tmp_path / "tables.sqlite3"
    player, hand, offer = await turn(world, store, people)
    await world.fault(match={"method": "PATCH", "path": "*"}, delay_ms=60_000, times=1000)
    await player.success(await click(player, hand, offer))
    assert ply(store) == 1
    (table,) = tables(store).values()
    assert stale(people, table, world)
    await world.kill_bot()
    await world.call("DELETE", "/local/faults")
    await world.start_bot(store)
    await move(world, store, people)


STUCK = [{"delay_ms": 60_000}, {"status": 429, "retry_after": 60.0}, {"status": 500}, {"drop": True}]


@pytest.mark.parametrize("fault", STUCK, ids=str)
async def test_told_to_stop_it_stops_whatever_discord_does(
    world: World, people: tuple[Person, ...], tmp_path: Path, fault: dict[str, Any]
) -> None:
    """SIGTERM while every request hangs or fails: it ends by itself, cleanly, and what was committed stands."""
    store = tmp_path / "tables.sqlite3"
    its_turn = await turn(world, store, people)
    for method, path in (("PATCH", "*"), ("POST", "/interactions/*/callback"), ("POST", "/channels/*")):
        await world.fault(match={"method": method, "path": path}, times=1000, **fault)
    await click(*its_turn)
    await eventually(lambda: ply(store) == 1, "the commit")
    async with asyncio.timeout(20):  # far less than what hangs
        assert await world.kill_bot(signal.SIGTERM) == 0
    await world.call("DELETE", "/local/faults")
    await world.start_bot(store)
    await move(world, store, people)


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
async def test_the_game_goes_on_through(
    world: World, people: tuple[Person, ...], tmp_path: Path, fault: dict[str, Any]
) -> None:
    """Every kind of request meets the fault once and again, in a running game."""
    store = tmp_path / "tables.sqlite3"
    await move(world, store, people)
    for method, path in (("PATCH", "/channels/*"), ("PATCH", "/webhooks/*"), ("POST", "/interactions/*/callback")):
        await world.fault(match={"method": method, "path": path}, times=2, **fault)
        for _ in range(2):
            await move(world, store, people)
        await world.call("DELETE", "/local/faults")
    direct = [m for person in people for m in person.messages.values() if m.direct(world)]
    assert len(direct) == len(people), "no message came twice"
    refused = [r for r in await world.requests() if r["status"] in (401, 403, 429)]
    assert len(refused) <= 8, "no storm of refused requests"


@pytest.mark.parametrize("game", sorted(CASES))
async def test_a_lost_response_to_a_new_message_makes_no_second_one(world: World, tmp_path: Path, game: str) -> None:
    seated = tuple(world.people[:2])
    await world.fault(match={"method": "POST", "path": "/channels/*/messages"}, drop=True, times=2)
    await world.open_game(*seated, game=game, pace="off")
    await move(world, tmp_path / "tables.sqlite3", seated)
    for person in seated:
        assert len([m for m in person.messages.values() if m.direct(world)]) == 1


# The gateway


async def move_again_and_again(world: World, store: Path, people: tuple[Person, ...]) -> None:
    """A move while the gateway may be lost: what is clicked while nobody listens may fail; Discord says so, and the
    same button works afterwards."""
    before = ply(store)
    player, hand, offer = await turn(world, store, people)
    deadline = asyncio.get_running_loop().time() + 120
    while ply(store) == before:
        assert asyncio.get_running_loop().time() < deadline, "the bot is deaf"
        nonce = await click(player, hand, offer)
        await eventually(lambda n=nonce: player.outcomes.get(n), "an outcome")
    assert ply(store) == before + 1
    await shown(world, store, people)


@pytest.mark.parametrize("fault", ["reconnect", "close", "invalid_session"])
async def test_the_game_goes_on_when_the_gateway_is_lost(
    world: World, people: tuple[Person, ...], tmp_path: Path, fault: str
) -> None:
    store = tmp_path / "tables.sqlite3"
    await move(world, store, people)
    await turn(world, store, people)
    await world.call("POST", "/local/faults", {"gateway": fault})
    await move_again_and_again(world, store, people)
    await move(world, store, people)


async def test_a_click_on_a_silent_gateway_comes_through_when_it_speaks_again(
    world: World, people: tuple[Person, ...], tmp_path: Path
) -> None:
    store = tmp_path / "tables.sqlite3"
    its_turn = await turn(world, store, people)
    await world.call("POST", "/local/faults", {"gateway": "silence"})
    await click(*its_turn)
    await world.call("DELETE", "/local/faults")
    await eventually(lambda: ply(store) == 1, "the move")
    await shown(world, store, people)


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
