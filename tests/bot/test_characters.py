"""The computer players: what they are called, and how long they take, which tells nothing of the cards."""

from random import Random
from typing import Any

import pytest

from bot.tables import lobby
from bot.tables.characters import CHARACTERS, MIDDLE_LEVEL, QUICK, SLOW, character, free_name
from bot.tables.model import Player, Table, TableId
from bot.tables.options import Options, Pace
from bot.tables.timers import LATE_ARRIVAL_MS, Timer, timers
from tests.bot.tables import NOW, opened, started
from tests.games import CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))
every_game_with_calls = pytest.mark.parametrize("game", [name for name in sorted(CASES) if CASES[name].rules.has_calls])
WINDOW_MS = Options().window_ms + LATE_ARRIVAL_MS


# Names


def test_names_are_short_and_each_begins_with_another_letter() -> None:
    assert len({name[0] for name in CHARACTERS}) == len(CHARACTERS) >= 12
    assert all(name.isascii() and name.isalpha() and 3 <= len(name) <= 12 for name in CHARACTERS)


@every_game
def test_every_computer_at_a_full_table_is_another_character(game: str) -> None:
    table = opened(game)
    while len(table.players) < table.rules.seats[-1]:
        table = lobby.add_computer(table, 100, NOW)
    names = [player.name for player in table.players[1:]]
    assert set(names) <= set(CHARACTERS)
    assert len(set(names)) == len(names)


def test_tables_have_different_company_and_each_always_the_same() -> None:
    first = {free_name(TableId(f"table{number}"), ()) for number in range(200)}
    assert first == {name for name, it in CHARACTERS.items() if it.level == MIDDLE_LEVEL}
    assert len({free_name(TableId("abc"), ()) for _ in range(20)}) == 1


def test_when_all_characters_are_taken_they_are_numbered() -> None:
    """No game has so many seats yet."""
    taken: list[str] = []
    while len(taken) < 2 * len(CHARACTERS):
        taken.append(free_name(TableId("abc"), taken))
    first, second = taken[: len(CHARACTERS)], taken[len(CHARACTERS) :]
    assert set(first) == set(CHARACTERS)
    assert second == [f"{name} 2" for name in first]
    assert [character(name) for name in second] == first


@pytest.mark.parametrize("write", [str, str.upper, str.lower, " {} ".format])
def test_no_computer_is_called_like_a_person_at_the_table(write: type[str]) -> None:
    """Whoever came first."""
    alone = opened("diciassette")
    name = lobby.add_computer(alone, 100, NOW).players[1].name
    before = lobby.add_computer(lobby.join(alone, Player(write(name), 200), NOW), 100, NOW)
    after = lobby.join(lobby.add_computer(alone, 100, NOW), Player(write(name), 200), NOW)
    for table in (before, after):
        people, computers = ([p.name for p in table.players if (p.user is None) is one] for one in (False, True))
        assert people == ["player 0", write(name)]
        assert len(computers) == 1
        assert computers[0] in CHARACTERS
        assert computers[0] != name


# Their time


def quietly_on_turn(game: str, state: Any) -> bool:
    """Whether somebody is on turn who has a choice."""
    rules = CASES[game].rules
    return rules.on_turn(state) is not None and rules.forced(state) is None


def moves_at(table: Table) -> int:
    """When the computer player on turn moves, in ms after its turn began."""
    (due,) = [due for due in timers(table) if due.timer is Timer.COMPUTER]
    return due.at - table.turn_began


def thinking(game: str, name: str, pace: Pace = Pace.NORMAL) -> Table:
    """A game in which everybody is the computer player *name*, after the first move."""
    table = started(game, Options(pace=pace), people=2)
    players = tuple(Player(name) for _ in table.players)
    state, _ = next((step.state, action) for _, action, step in CASES[game].steps(2, 0))
    return table._replace(state=state, players=players, beat_ends=NOW + table.options.beat_ms)


def times(table: Table) -> list[int]:
    """How long the computer player on turn takes, for many seeds, in ascending order."""
    return sorted(moves_at(table._replace(seed=f"{number:064x}")) for number in range(300))


@every_game
def test_no_timer_depends_on_hidden_cards(game: str) -> None:
    """Neither what a computer holds nor how many choices it has, at any point of a game: its own cards are redealt
    too."""
    case, looked = CASES[game], 0
    for seats in (2, 3):
        table = started(game, Options(), people=seats)
        table = table._replace(players=tuple(Player(name) for name in list(CHARACTERS)[:seats]))
        for number, (_, _, step) in enumerate(case.steps(seats, seed=seats)):
            if not quietly_on_turn(game, step.state):
                continue
            now = table._replace(state=step.state, recent=step.events)
            for seed in range(3):
                other = now._replace(state=case.redealt(step.state, None, Random(f"{number}/{seed}")))
                if quietly_on_turn(game, other.state):
                    assert set(timers(other)) == set(timers(now))
                    looked += other.state != now.state
    assert looked > 20


@every_game
@pytest.mark.parametrize("pace", [pace for pace in Pace if pace is not Pace.OFF])
def test_nobody_moves_before_the_beat_is_over(game: str, pace: Pace) -> None:
    for name in CHARACTERS:
        table = thinking(game, name, pace)
        assert times(table)[0] >= table.beat_ends - table.turn_began


@every_game
def test_the_time_of_a_computer_varies_with_the_seed_and_with_every_ply(game: str) -> None:
    for name in CHARACTERS:
        table = thinking(game, name)
        found = times(table)
        assert found[-1] - found[0] > table.options.beat_ms * 0.4
        steps = [step.state for _, _, step in CASES[game].steps(2, 1)]
        quiet = [state for state in steps if quietly_on_turn(game, state)]
        by_ply = {moves_at(table._replace(state=state)) for state in quiet}
        assert len(by_ply) >= min(6, len(quiet))


@every_game
def test_some_characters_are_quicker_than_others(game: str) -> None:
    middle = {}
    for tempo in (QUICK, SLOW):
        names = [name for name, it in CHARACTERS.items() if it.tempo is tempo]
        middle[tempo] = [times(thinking(game, name))[150] for name in names]
    assert max(middle[QUICK]) + 500 < min(middle[SLOW])


@pytest.mark.parametrize("game", [name for name in sorted(CASES) if not CASES[name].rules.has_calls])
@pytest.mark.parametrize(("name", "tempo"), [("Cardano", QUICK), ("Maryam", SLOW)])
def test_where_nobody_may_call_they_take_the_parts_of_a_beat_that_are_theirs(
    game: str, name: str, tempo: tuple[float, float]
) -> None:
    """While the game rests a quick one makes up its mind; the others take as much longer as they always do."""
    least, most = (int(part * 2000) for part in tempo)
    table = thinking(game, name)
    found = times(table._replace(beat_ends=NOW))
    assert least <= found[0] < least + 100
    assert most - 100 < found[-1] <= most
    resting = times(table._replace(beat_ends=NOW + 5000))
    assert [time - 5000 + 1200 for time in resting] == found


@every_game_with_calls
def test_where_people_may_call_it_has_the_whole_beat_and_without_a_window_its_own_tempo(game: str) -> None:
    table = thinking(game, "Maryam")._replace(beat_ends=NOW)
    assert times(table)[0] >= 2000
    found = times(table._replace(options=Options(window_ms=0)))
    assert 2100 < found[-1] - found[0] <= 2200


@every_game_with_calls
def test_the_time_of_every_character_varies_by_more_than_a_call_can_stay_hidden_d9(game: str) -> None:
    for name in CHARACTERS:
        for pace in Pace:
            found = times(thinking(game, name, pace))
            assert found[-1] - found[0] > WINDOW_MS


@every_game
def test_where_nothing_waits_they_do_not_wait_either_unless_a_call_may_be_hidden(game: str) -> None:
    quick = Options(pace=Pace.OFF, window_ms=0, hold_ms=0)
    for name in CHARACTERS:
        table = thinking(game, name, Pace.OFF)._replace(options=quick)
        assert times(table)[-1] == 0


def test_a_computer_that_plays_for_a_person_has_the_usual_tempo() -> None:
    """Whatever that person is called."""
    table = thinking("twelve_days", "Ada")
    away = tuple(Player("Maryam", 100 + seat, away=True) for seat in range(2))
    assert times(table._replace(players=away)) == times(table)
