"""Somebody deletes their rating: whom the others have met is still known, so that beginning anew farms nothing."""

import pytest

from bot.results.ratings import GONE
from bot.store.personal import Found
from bot.tables.preferences import DEFAULTS, Preferences
from tests.bot.processes import Process
from tests.bot.test_counting import GAME, counted, play
from tests.rows import execute


@pytest.mark.parametrize("how", ["none", "erased"])
async def test_whom_one_has_met_still_counts_when_they_have_deleted_their_rating(process: Process, how: str) -> None:
    for game in range(3):
        await play(process, rated=(100, 101), seed=game)
        await counted(process.store)
        before = await process.store.meetings(101, GAME)
        if how == "none":
            await process.store.put_preferences(100, Preferences(rated=False))
        else:
            await process.store.erase(100, Found([], [], frozenset()))
        assert await process.store.meetings(101, GAME) == [it._replace(other=GONE) for it in before]
        assert len(before) == game + 1
        assert await process.store.meetings(100, GAME) == []


async def test_two_who_were_at_one_table_may_both_delete_their_rating(process: Process, store_url: str) -> None:
    await play(process, rated=(100, 101))
    await counted(process.store)
    execute(
        store_url,
        "INSERT INTO rating_steps SELECT 102, table_id, guild_id, game, at, 3, mu, sigma FROM rating_steps LIMIT 1",
    )
    await process.store.put_preferences(100, DEFAULTS)
    assert {(it.other, it.ahead) for it in await process.store.meetings(102, GAME)} == {(GONE, -1), (101, -1)}
    await process.store.put_preferences(101, DEFAULTS)
    assert {(it.other, it.ahead) for it in await process.store.meetings(102, GAME)} == {(GONE, -1)}
    assert len(await process.store.meetings(102, GAME)) == 2
