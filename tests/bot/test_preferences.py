"""What people have chosen for themselves: kept by the store, in memory, on the way to every table."""

from pathlib import Path

import pytest

from bot.people import People
from bot.store.store import Store
from bot.tables import lobby
from bot.tables.model import Phase, Player, Telling
from bot.tables.preferences import DEFAULTS, Preferences
from tests.bot.tables import NOW, opened
from tests.bot.test_set_aside import examined
from tests.games import ANY
from tests.rows import SQLITE, asked, count

ALL = Preferences("de", False, Telling.LATE, passes=True, rated=False, replays=True, hidden=True)

pytestmark = pytest.mark.about(ANY)


async def loaded(store: Store) -> People:
    people = People(store)
    await people.load()
    return people


async def test_what_was_chosen_is_there_after_a_restart(store: Store) -> None:
    people = await loaded(store)
    assert people.preferences(1) == DEFAULTS
    for number, change in enumerate(ALL._asdict().items(), 1):
        await people.change(number, lambda it, change=change: it._replace(**dict([change])))
    await people.change(9, lambda _: ALL)
    again = await loaded(store)
    for known in (people, again):
        assert known.preferences(9) == ALL
        assert [known.preferences(n) for n in range(1, 8)] == [
            DEFAULTS._replace(**{field: value}) for field, value in ALL._asdict().items()
        ]


async def test_back_to_the_defaults_nothing_stays_recorded(store: Store, store_url: str) -> None:
    people = await loaded(store)
    await people.change(1, lambda _: ALL)
    await people.change(2, lambda it: it)
    assert count(store_url, "preferences") == 1
    await people.change(1, lambda _: DEFAULTS)
    assert count(store_url, "preferences") == 0
    assert people.preferences(1) == (await loaded(store)).preferences(1) == DEFAULTS


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


def test_a_player_is_given_what_was_chosen_and_else_what_discord_reports() -> None:
    chosen = Player("anna", 1, **ALL.player("it"))
    assert (chosen.locale, chosen.by_dm, chosen.telling, chosen.passes) == ("de", False, Telling.LATE, True)
    assert Player("anna", 1, **DEFAULTS.player("it")) == Player("anna", 1, "it")


def test_whoever_is_invited_to_the_next_game_keeps_what_they_have_chosen() -> None:
    chosen = [Player(f"player {n}", 100 + n, active_at=NOW, timeouts=1, **ALL.player("it")) for n in range(2)]
    over = opened(ANY)._replace(phase=Phase.OVER, players=tuple(chosen))
    again = lobby.rematch_of(over, opened(ANY), chosen[0], NOW).players[1]
    assert again == Player("player 1", 101, invited=True, **ALL.player("it"))
