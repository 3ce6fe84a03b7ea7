"""Discord's deadline of three seconds: what its person saw fail has no effect."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.delivery.deadlines import ACKNOWLEDGED_MS
from tests.discord.play import Club


@asynccontextmanager
async def held_back(club: Club) -> AsyncIterator[list[Any]]:
    """In the block interactions do not reach the bot: as Discord sent them, they wait in the list."""
    waiting: list[Any] = []
    parsers = club.bot._connection.parsers
    parse = parsers["INTERACTION_CREATE"]
    parsers["INTERACTION_CREATE"] = waiting.append
    try:
        yield waiting
    finally:
        parsers["INTERACTION_CREATE"] = parse


async def replay(club: Club, waiting: list[Any]) -> None:
    """The interactions reach the bot now, and it does with them what it does."""
    before = asyncio.all_tasks()
    for data in waiting:
        club.bot._connection.parsers["INTERACTION_CREATE"](data)
    handling = asyncio.all_tasks() - before
    assert handling
    await asyncio.wait(handling)


@pytest.mark.parametrize("late", [1_500, 2_400, 2_950])
async def test_a_click_that_is_replayed_late_counts_if_discord_takes_its_acknowledgement_r8(
    club: Club, late: int
) -> None:
    """After RESUME Discord replays events (https://docs.discord.com/developers/events/gateway#resuming). Only Discord
    knows what is too late: our own clock may be wrong."""
    await club.open(club.anna, club.bruno)
    player = club.on_turn()
    hand, offers = await club.offered(player)
    before = club.ply
    async with held_back(club) as waiting:
        await club.use(player, hand, offers[0])
    await club.clock.advance(late)
    start = len(club.env.http_requests)
    await replay(club, waiting)
    assert club.ply > before
    kinds = [r.json["type"] for r in club.env.http_requests[start:] if r.path.endswith("/callback")]
    assert kinds == ([7] if late < ACKNOWLEDGED_MS else [6]), "one that is late is acknowledged first"


@pytest.mark.parametrize("late", [2_200, 60_000])
async def test_a_late_click_that_can_no_longer_be_acknowledged_plays_nothing_r8(club: Club, late: int) -> None:
    """Discord shows it as failed."""
    await club.open(club.anna, club.bruno)
    player = club.on_turn()
    hand, offers = await club.offered(player)
    before = club.ply
    async with held_back(club) as waiting:
        await club.use(player, hand, offers[0])
    await club.clock.advance(late)
    club.env.inject_error("POST", "/interactions/*", status=404, code=10062, message="Unknown interaction", times=1)
    await replay(club, waiting)
    assert club.ply == before


async def test_a_command_that_is_replayed_after_its_deadline_opens_no_table_r8(club: Club) -> None:
    async with held_back(club) as waiting:
        await club.anna.slash(club.channel, "play", game=club.case.game)
    await club.clock.advance(4_000)
    club.env.inject_error("POST", "/interactions/*", status=404, code=10062, message="Unknown interaction", times=1)
    await replay(club, waiting)
    assert not club.running
