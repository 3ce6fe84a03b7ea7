"""A game that nobody attends, on Discord: it waits, goes on with a click, and gives way to a new table after an hour
(L2)."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables.errors import Why
from bot.tables.model import Ending
from bot.tables.options import Options, Pace
from bot.tables.timers import PAUSED_MS
from bot.ui.custom_ids import Verb
from tests.discord.messages import private_text, text_of, verbs
from tests.discord.play import Club, open_club
from tests.games import CASES

CLOCK = Options(pace=Pace.OFF, turn_seconds=60, window_ms=0, hold_ms=0)


@pytest.fixture(params=sorted(CASES))
async def clock_club(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Club]:
    """As ``club``, with a clock."""
    async with open_club(tmp_path, request.param, CLOCK) as club:
        yield club


async def pause(club: Club) -> None:
    """Two people who do not play any more, until the game waits for them."""
    await club.open(club.anna, club.bruno)
    for _ in range(10):
        if club.table().paused:
            return
        await club.clock.advance(61_000)
    raise AssertionError("the game does not pause")


async def test_the_game_waits_and_goes_on_with_a_click_at_the_table(clock_club: Club) -> None:
    club = clock_club
    await pause(club)
    assert "The game is paused" in text_of(club.table_message())
    ply, table = club.ply, club.table().id
    await club.clock.advance(PAUSED_MS)
    assert club.ply == ply
    refused = await club.press(club.carla, club.table_message(), Verb.COME_BACK)
    assert club.refusal(Why.NOT_AT_TABLE) in private_text(refused)
    await club.press(club.bruno, club.table_message(), Verb.COME_BACK)
    assert Verb.COME_BACK not in verbs(club.table_message())
    await club.clock.advance(5)
    await club.play_until_on_turn(club.bruno)
    await club.act(club.bruno)
    after = await club.bot.tables.get(table)  # that may have been the last move
    assert after.state.ply > ply


async def test_it_goes_on_with_a_click_in_the_hand(clock_club: Club) -> None:
    club = clock_club
    await pause(club)
    assert "The game is paused" in text_of(club.hand(club.anna))
    await club.press(club.anna, club.hand(club.anna), Verb.COME_BACK)
    assert "The game is paused" not in text_of(club.hand(club.anna))
    assert not club.table().paused


async def test_after_an_hour_a_new_table_takes_its_place(clock_club: Club) -> None:
    club = clock_club
    await pause(club)
    old, board = club.table(), club.table_message()
    await club.carla.slash(club.channel, "play", game=club.case.game)
    assert club.table().id == old.id
    await club.clock.advance(PAUSED_MS)
    await club.carla.slash(club.channel, "play", game=club.case.game)
    assert club.table().id != old.id
    assert (await club.bot.tables.get(old.id)).ending is Ending.UNATTENDED
    assert "gave way to a new table" in text_of(club.as_it_is(board))
