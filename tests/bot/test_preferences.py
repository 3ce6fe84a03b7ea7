"""What people have chosen for themselves: kept by the store, in memory, on the way to every table."""

from pathlib import Path

import pytest

from bot.people import People
from bot.store.store import Store
from bot.tables.model import Telling
from bot.tables.preferences import DEFAULTS, Preferences
from tests.bot.test_set_aside import examined
from tests.games import ANY
from tests.rows import SQLITE, asked

ALL = Preferences("de", False, Telling.LATE, passes=True, rated=False, replays=True, hidden=True)

pytestmark = pytest.mark.about(ANY)


async def loaded(store: Store) -> People:
    people = People(store)
    await people.load()
    return people


@SQLITE  # the other one checks the types of what it stores
@pytest.mark.parametrize("column", ["user_id", "locale", "hand", "telling", "passes", "rated", "replays", "hidden"])
@pytest.mark.parametrize("value", ["'x'", "x'ff'", "CAST(x'ff' AS TEXT)", "-1"])
async def test_a_damaged_row_costs_its_own_person_alone(store: Store, tmp_path: Path, column: str, value: str) -> None:
    people = await loaded(store)
    for user in (1, 2):
        await people.change(user, lambda _: ALL)
    assert (await examined(tmp_path / "t.sqlite3"))[0] == 0
    asked(tmp_path / "t.sqlite3", f"UPDATE preferences SET {column} = {value} WHERE user_id = 1")
    code, said = await examined(tmp_path / "t.sqlite3")
    assert (code, "preferences: " in said) == (1, True)
    people = await loaded(store)
    assert (people.preferences(1), people.preferences(2)) == (DEFAULTS, ALL)
    await people.change(1, lambda _: ALL)
    assert (await loaded(store)).preferences(1) == ALL
