"""Which games that are over somebody finds: their own first, and those whose people let everybody see them."""

import pytest

from bot.tables.model import TableId
from bot.tables.preferences import Preferences
from tests.bot.processes import Process
from tests.bot.test_retention import GAME, finished
from tests.games import CASES
from tests.rows import asked

ANNA, BRUNO, CARLA = 100, 101, 102
"""The people of ``finished`` are the first two."""
pytestmark = pytest.mark.about(GAME)
assert CASES[GAME].rules.seats[0] == 2


async def games(process: Process, count: int) -> list[TableId]:
    """So many games that are over, the newest first."""
    found = []
    for _ in range(count):
        found.append((await finished(process)).id)
        process.clock.turn(60_000)
    return found[::-1]


async def own(process: Process, user: int, guild: int | None = 1, most: int = 25) -> list[TableId]:
    return [kept.table for kept in await process.store.own_games(user, guild, most)]


async def agreed(process: Process, user: int, guild: int = 1, most: int = 25) -> list[TableId]:
    return [kept.table for kept in await process.store.agreed_games(user, guild, most)]


async def share(process: Process, *users: int) -> None:
    for user in users:
        await process.store.put_preferences(user, Preferences(replays=True))


async def test_own_games_are_found_the_newest_first_and_no_more_than_asked_for(process: Process) -> None:
    found = await games(process, 3)
    assert await own(process, ANNA) == await own(process, BRUNO) == found
    assert await own(process, ANNA, most=2) == found[:2]
    assert await own(process, CARLA) == []


async def test_own_games_of_one_server_or_of_all(process: Process, store_url: str) -> None:
    newest, older = await games(process, 2)
    asked(store_url, f"UPDATE records SET guild_id = 9 WHERE table_id = '{older}'")
    assert await own(process, ANNA) == [newest]
    assert await own(process, ANNA, guild=9) == [older]
    assert await own(process, ANNA, guild=None) == [newest, older]


async def test_others_are_found_if_everybody_shares_them_and_never_ones_own(process: Process) -> None:
    found = await games(process, 2)
    assert await agreed(process, CARLA) == []
    await share(process, ANNA)
    assert await agreed(process, CARLA) == []
    await share(process, BRUNO)
    assert await agreed(process, CARLA) == found
    assert await agreed(process, CARLA, most=1) == found[:1]
    assert await agreed(process, CARLA, guild=9) == []
    assert await agreed(process, ANNA) == []
    await process.store.put_preferences(ANNA, Preferences(by_dm=False))
    assert await agreed(process, CARLA) == []
