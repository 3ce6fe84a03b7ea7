"""Longer than anybody waits for a test: ``make soak`` alone collects this file."""

import asyncio
from pathlib import Path

from tests.process.person import Person
from tests.process.watch import move, move_again_and_again, next_move
from tests.process.world import World

SILENCE_SECONDS = 75
"""More than the minute after which discord.py gives a silent gateway up."""


async def test_after_a_minute_of_silence_the_bot_hears_again(world: World, people: list[Person], store: Path) -> None:
    """The connection stays open and nothing comes: the bot must notice by itself, connect anew, and go on."""
    await move(world, store, people)
    await next_move(world, store, people)
    await world.call("POST", "/local/faults", {"gateway": "silence"})
    await asyncio.sleep(SILENCE_SECONDS)  # the minute itself: nothing is expected to happen in it
    await move_again_and_again(world, store, people)
    await move(world, store, people)
