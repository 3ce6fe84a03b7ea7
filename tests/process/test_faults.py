"""The process is killed or told to stop at chosen moments, whatever Discord does: the game goes on. More such moments,
in virtual time, are in ``tests.simulation.scenes``."""

import asyncio
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.ui.custom_ids import Verb
from tests.games import ANY, ONE_GAME
from tests.process.faults import every_fault
from tests.process.person import Person
from tests.process.waiting import eventually
from tests.process.watch import click, held_move, move, newest_table, next_move, plies, wait_until_shown
from tests.process.world import World, local_world


@ONE_GAME
async def test_killed_right_before_a_commit_the_move_can_be_made_again(
    world: World, people: list[Person], store: Path
) -> None:
    player, hand, offer = await next_move(world, store, people)
    with closing(sqlite3.connect(store, isolation_level=None)) as lock:
        lock.execute("BEGIN IMMEDIATE")  # nothing can be committed from here on
        nonce = await click(player, hand, offer)
        await asyncio.sleep(0.3)  # as far as it gets: what holds afterwards does not depend on how far
        await world.kill_bot()
    assert plies(store) == 0
    await eventually(lambda: player.outcomes.get(nonce) == "INTERACTION_FAILURE", "the click to fail")
    await world.start_bot(store)
    # The same button - but for a hand where it takes a pick to get there, which a restart forgets.
    player, hand, offer = await next_move(world, store, people)
    await player.success(await click(player, hand, offer))
    await eventually(lambda: plies(store) == 1, "the move")


STUCK = [{"delay_ms": 60_000}, {"status": 429, "retry_after": 60.0}, {"status": 500}, {"drop": True}]


@every_fault(STUCK)
async def test_told_to_stop_it_stops_whatever_discord_does(
    world: World, people: list[Person], store: Path, fault: dict[str, Any]
) -> None:
    """SIGTERM while every request hangs or fails: it ends by itself, cleanly, and what was committed stands."""
    its_turn = await next_move(world, store, people)
    for method, path in (("PATCH", "*"), ("POST", "/interactions/*/callback"), ("POST", "/channels/*")):
        await world.fault(match={"method": method, "path": path}, times=1000, **fault)
    await click(*its_turn)
    await eventually(lambda: plies(store) == 1, "the commit")
    async with asyncio.timeout(20):  # far less than what hangs
        assert await world.kill_bot(signal.SIGTERM) == 0
    await world.call("DELETE", "/local/faults")
    await world.start_bot(store)
    await move(world, store, people)


@ONE_GAME
async def test_a_click_that_waits_is_answered_before_the_bot_stops(world: World, store: Path, game: str) -> None:
    """A move that has not landed: its click is answered when it has, or when the bot is told to stop."""
    people = world.players(game)
    await world.open_game(game, *people, pace="slow")
    player, nonce = await held_move(world, store, people)
    assert await world.kill_bot(signal.SIGTERM) == 0
    await player.success(nonce)
    await world.start_bot(store)
    await eventually(lambda: newest_table(store).held is None, "the move to land")
    await wait_until_shown(world, store, people)
    assert "Traceback" not in store.with_name("bot.log").read_text()


@pytest.mark.about(ANY)
async def test_two_shards_serve_two_servers(store: Path) -> None:
    async with local_world("--guilds", "2", "--shards", "2") as world:
        await world.start_bot(store)
        anna = world.people[0]
        for guild in world.session["guilds"]:
            channel = int(guild["channels"][0]["id"])
            command = anna.command(channel, "play", game=ANY)
            deadline = asyncio.get_running_loop().time() + 30
            while not anna.newest(Verb.JOIN, channel):  # Discord lets shards identify one after the other
                assert asyncio.get_running_loop().time() < deadline
                nonce = await anna.interact(command, wait=False)
                await eventually(lambda n=nonce: anna.outcomes.get(n), "an outcome")
