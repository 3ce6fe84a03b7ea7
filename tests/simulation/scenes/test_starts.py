"""From *Start* to the first card when messages are slow or lost, or the bot is killed meanwhile: one deal message, one
table message, and cards that follow from both."""

import asyncio
from pathlib import Path

import pytest

from bot.custom_ids import Verb
from tests.process.person import Person, Seen
from tests.process.waiting import eventually
from tests.process.watch import move, newest, shown
from tests.process.world import World
from tests.simulation.scenes.scene import simulated

FIXED = "Deal code"
SENT = {"method": "POST", "path": "/channels/*/messages"}


async def at_the_lobby(world: World, game: str) -> tuple[list[Person], Seen]:
    """(as few people as can play, their lobby); it can be started."""
    people = world.players(game)
    host = people[0]
    await host.slash(world.channel, "play", game=game)
    for person in people[1:]:
        await person.click(await eventually(lambda p=person: p.newest(Verb.JOIN), "the lobby"), Verb.JOIN)
    return people, await eventually(lambda: host.newest(Verb.START), "enough players")


async def begun(world: World, people: list[Person], store: Path) -> None:
    """The game has begun, below one deal message, and goes on."""
    await eventually(lambda: newest(store).state is not None, "the cards")
    await shown(world, store, people)
    fixed = [message for message in people[0].messages.values() if FIXED in message.text]
    board = people[0].table()
    assert board is not None
    assert len(fixed) == 1
    assert newest(store).deal["message"] == str(board.id)
    assert fixed[0].id < board.id
    await move(world, store, people)


@pytest.mark.parametrize("fault", [{"drop": True}, {"status": 503}, {"delay_ms": 4_000}], ids=str)
@simulated
async def test_a_message_of_the_start_is_lost_refused_or_slow(
    world: World, store: Path, game: str, fault: dict[str, object]
) -> None:
    people, lobby = await at_the_lobby(world, game)
    await world.fault(match=SENT, times=2, **fault)
    await people[0].click(lobby, Verb.START)
    await begun(world, people, store)


@pytest.mark.parametrize("after_ms", [0, 40, 80, 120, 160, 240])
@simulated
async def test_the_bot_is_killed_while_a_game_starts(world: World, store: Path, game: str, after_ms: int) -> None:
    people, lobby = await at_the_lobby(world, game)
    await people[0].click(lobby, Verb.START, wait=False)
    await eventually(lambda: newest(store).deal is not None, "the start")
    await asyncio.sleep(after_ms / 1000)
    await world.kill_bot()
    await world.start_bot(store)
    await begun(world, people, store)
