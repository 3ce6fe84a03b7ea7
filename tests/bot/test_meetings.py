"""Whom somebody has met in rated games, as the next rating is told."""

import pytest

from bot.results.ratings import GONE, Earlier
from bot.store.store import Store
from bot.tables.preferences import Preferences
from tests.games import ANY
from tests.rows import asked

pytestmark = pytest.mark.about(ANY)

ANNA, BRUNO, CARLA = 1, 2, 3


def rated(store_url: str, table: str, at: int, *places: tuple[int, int]) -> None:
    """A rated game was played at *table*: (user, place) of everybody."""
    for user, place in places:
        asked(
            store_url,
            "INSERT INTO rating_steps (user_id, table_id, guild_id, game, at, mu, sigma, place) "
            "VALUES (?, ?, 1, ?, ?, 25, 3, ?)",
            user,
            table,
            ANY,
            at,
            place,
        )


async def test_everybody_who_was_met_is_named_with_who_was_ahead(store: Store, store_url: str) -> None:
    rated(store_url, "a", 10, (ANNA, 1), (BRUNO, 2), (CARLA, 1))
    found = await store.meetings(ANNA, ANY)
    assert sorted(found) == [Earlier(BRUNO, 10, 1), Earlier(CARLA, 10, 0)]
    assert sorted(await store.meetings(BRUNO, ANY)) == [Earlier(ANNA, 10, -1), Earlier(CARLA, 10, -1)]


async def test_whoever_has_deleted_their_rating_was_met_all_the_same(store: Store, store_url: str) -> None:
    """Else accounts that delete their ratings could lose to one person again and again."""
    rated(store_url, "a", 10, (ANNA, 1), (BRUNO, 2))
    rated(store_url, "b", 20, (ANNA, 2), (BRUNO, 1))
    await store.put_preferences(BRUNO, Preferences(rated=False))
    assert sorted(await store.meetings(ANNA, ANY)) == [Earlier(GONE, 10, 1), Earlier(GONE, 20, -1)]
