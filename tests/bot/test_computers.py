"""Computer players: how they come to their decisions, their levels, what they are called, how long they take."""

import re
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.i18n import words
from bot.store.tables import table_from_json, table_to_json
from bot.tables import leaving, lobby
from bot.tables.errors import Refusal
from bot.tables.leaving import come_back, leave_game
from bot.tables.model import Player, Table, TableId, check_table_values
from bot.tables.names import CHARACTERS, MIDDLE_LEVEL, QUICK, SLOW, character_name, computer_level, free_computer_name
from bot.tables.options import Options, Pace
from bot.tables.scene import make_scene
from bot.tables.ticking import (
    NO_DECISIONS,
    ComputerDecisions,
    computers_must_decide,
    decide_for_computers,
    serve_due_timer,
)
from bot.tables.timers import LATE_ARRIVAL_MS, Timer, all_timers, next_due
from bot.ui.lobby import LEVELS
from bot.ui.table_message import table_sheet
from engine.fair import SeededChance
from engine.game import Seat
from tests.bot.tables import NOW, dealt, on_turn, opened, started
from tests.games import CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))


def course(game: str, *, computers: int, most: int = 120) -> list[Table]:
    """A game of one person and *computers*, tick by tick. The person's time is up on every turn, which is forgiven."""
    tables = [started(game, people=1, computers=computers)]
    while len(tables) < most and tables[-1].live and (due := next_due(tables[-1])) is not None:
        after = serve_due_timer(tables[-1], due.at).with_changed_player(Seat(0), timeouts=0)
        tables.append(after._replace(version=tables[-1].version + 1))
    return tables


@every_game
def test_thoughts_beforehand_lead_to_what_would_have_been_done_without_them(game: str) -> None:
    thought = set()
    for table in course(game, computers=2):
        due = next_due(table)
        if due is None or not computers_must_decide(table):
            continue
        thoughts = decide_for_computers(table)
        assert thoughts.actions
        assert serve_due_timer(table, due.at, thoughts) == serve_due_timer(table, due.at)
        thought.add(due.timer)
    calls = {Timer.COMPUTERS_CALL} if CASES[game].rules.calls is not None else set()
    assert thought == {Timer.COMPUTER, Timer.TURN, *calls}


@every_game
def test_thoughts_of_another_version_do_not_count(game: str) -> None:
    table = next(it for it in course(game, computers=2) if computers_must_decide(it) and it.state.ply)
    due = next_due(table)
    assert due is not None
    wrong = ComputerDecisions(table.version - 1, dict.fromkeys(range(3), None))
    assert (
        serve_due_timer(table, due.at, wrong)
        == serve_due_timer(table, due.at, NO_DECISIONS)
        == serve_due_timer(table, due.at)
    )


@every_game
def test_where_no_computer_decides_nobody_thinks(game: str) -> None:
    table = started(game)
    assert next_due(table) is not None
    assert computers_must_decide(table) == (next_due(table).timer is Timer.TURN)  # type: ignore[union-attr]
    assert not computers_must_decide(table._replace(options=table.options._replace(turn_seconds=0)))


@every_game
def test_every_computer_remembers_what_its_own_seat_has_witnessed(game: str) -> None:
    """What it remembers follows from the deal and the actions, whoever sits at the other seats."""
    rules, tables = CASES[game].rules, course(game, computers=2)
    dealt = rules.new(3, rules.check_options({}), SeededChance(bytes.fromhex(tables[0].seed)))
    seats = [Seat(1), Seat(2)]
    known = {seat: rules.remember(None, dealt.events, seat) for seat in seats}
    for before, after in pairwise(tables):
        if after.state.ply != before.state.ply:
            known = {seat: rules.remember(known[seat], after.recent, seat) for seat in seats}
        assert [after.memories[seat] if after.memories else None for seat in seats] == list(known.values())
        if after.memories and not after.players[0].away:
            assert after.memories[0] is None
        assert table_from_json(table_to_json(after)) == after


@every_game
def test_whoever_takes_a_seat_over_has_witnessed_nothing_before(game: str) -> None:
    before = next(it for it in course(game, computers=1) if it.state.ply == 2)
    rules, seat = before.rules, Seat(0)
    person = before.players[seat].user
    assert person is not None
    left = leave_game(before.with_changed_player(Seat(1), user=7, name="somebody"), person)
    due = next_due(left)
    assert due is not None
    after = serve_due_timer(left, due.at)
    if after.state.ply != left.state.ply and rules.remember(None, (), seat) is not None:
        assert after.memories[seat] == rules.remember(None, after.recent, seat)
    back = come_back(after, person, due.at)
    assert back.players[seat].away is False


@every_game
def test_a_computer_plays_at_the_middle_level_and_by_what_it_remembers(game: str) -> None:
    rules = CASES[game].rules
    assert MIDDLE_LEVEL >= 1
    for table in course(game, computers=2):
        due = next_due(table)
        if due is not None and due.timer is Timer.COMPUTER:
            seat = on_turn(table)
            (action,) = decide_for_computers(table).actions.values()
            assert action in rules.legal_actions(table.state, seat)


@every_game
def test_memories_of_more_or_fewer_players_are_damage(game: str) -> None:
    table = started(game)
    check_table_values(table._replace(memories=(None, None)))
    for memories in ((None,), (None, None, None)):
        with pytest.raises(ValueError, match="memories"):
            check_table_values(table._replace(memories=memories))


# The level of computer players: chosen, by character, in the record.

MEASURED = min(game for game in CASES if CASES[game].rules.ladder is not None)
"""A game that says how strong its computer players are."""


@every_game
def test_whoever_adds_a_computer_can_choose_its_level(game: str) -> None:
    rules = CASES[game].rules
    for chosen in range(1, rules.computers.LEVELS + 1):
        table = opened(game)
        while len(table.players) < rules.seats[-1]:
            table = lobby.add_computer(lobby.set_options(table, 100, level=chosen), 100, NOW)
        assert {computer_level(player, rules) for player in table.players[1:]} == {chosen}
        assert len({player.name for player in table.players}) == len(table.players)
    for impossible in (0, -1, rules.computers.LEVELS + 1):
        with pytest.raises(Refusal):
            lobby.set_options(opened(game), 100, level=impossible)


def test_who_chooses_none_gets_the_middle_level_first_and_then_its_neighbours() -> None:
    table = opened("twelve_days")
    while len(table.players) < table.rules.seats[-1]:
        table = lobby.add_computer(table, 100, NOW)
    assert [computer_level(player, table.rules) for player in table.players[1:]] == [3, 3, 4, 4, 2, 2, 5]


@every_game
def test_a_computer_in_a_persons_seat_plays_at_the_middle_level_l4(game: str) -> None:
    """Whatever that person is called."""
    rules = CASES[game].rules
    assert computer_level(Player("Ada", 100, away=True), rules) == min(MIDDLE_LEVEL, rules.computers.LEVELS)
    assert computer_level(Player("", former=True), rules) == min(MIDDLE_LEVEL, rules.computers.LEVELS)
    assert computer_level(Player("Ada"), rules) == rules.computers.LEVELS
    assert computer_level(Player("Ada 2"), rules) == rules.computers.LEVELS


def test_every_level_has_two_characters_and_the_guide_names_them() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "computer-players.md").read_text("utf-8")
    said = {
        LEVELS.index(sign) + 1: set(names.split(", "))
        for sign, names in re.findall(r"^\| (.) \| ([A-Za-z, ]+) \|", guide, re.MULTILINE)
    }
    assert said == {number: {name for name, it in CHARACTERS.items() if it.level == number} for number in range(1, 7)}
    assert {len(names) for names in said.values()} == {2}


def test_a_computer_that_gets_another_name_keeps_its_level() -> None:
    for name, character_ in CHARACTERS.items():
        table = lobby.join_lobby(
            opened("diciassette")._replace(players=(Player("player 0", 100), Player(name))), Player(name, 200), NOW
        )
        (other,) = (player for player in table.players if player.user is None)
        assert other.name != name
        assert computer_level(other, table.rules) == character_.level


def test_the_record_says_at_which_level_each_computer_plays() -> None:
    table = opened("diciassette")._replace(players=(Player("player 0", 100), Player("Ada"), Player("Fibo")))
    begun = dealt(table)
    assert [sheet.get("level") for sheet in begun.deal["seats"]] == [None, "6", "1"]
    (entry,) = leaving.leave_game(begun.with_changed_player(Seat(1), user=5, name="somebody"), 100).entries
    assert entry == {"seat": 0, "sits": "computer", "level": "3"}


def test_the_lobby_says_when_a_game_against_computers_counts() -> None:
    table = opened(MEASURED)._replace(players=(Player("anna", 100, rated=True), Player("Ada")))
    line = words("en")("Counts for {name}’s rating, against the computer players.", name="**anna**")
    assert line in str(table_sheet(make_scene(table, None, None), words("en")).payload)
    joined = lobby.join_lobby(table, Player("bruno", 101), NOW)
    assert "ounts for" not in str(table_sheet(make_scene(joined, None, None), words("en")).payload)
    both = words("en")("Counts for the ratings of {names}.", names=words("en").list_and(["**anna**", "**bruno**"]))
    rated = lobby.with_rating_choice(joined, 101, True)
    assert both in str(table_sheet(make_scene(rated, None, None), words("en")).payload)


# The computer players: what they are called, and how long they take, which tells nothing of the cards.

every_game_with_calls = pytest.mark.parametrize(
    "game", [name for name in sorted(CASES) if CASES[name].rules.calls is not None]
)
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
    first = {free_computer_name(TableId(f"table{number}"), ()) for number in range(200)}
    assert first == {name for name, it in CHARACTERS.items() if it.level == MIDDLE_LEVEL}
    assert len({free_computer_name(TableId("abc"), ()) for _ in range(20)}) == 1


def test_when_all_characters_are_taken_they_are_numbered() -> None:
    """No game has so many seats yet."""
    taken: list[str] = []
    while len(taken) < 2 * len(CHARACTERS):
        taken.append(free_computer_name(TableId("abc"), taken))
    first, second = taken[: len(CHARACTERS)], taken[len(CHARACTERS) :]
    assert set(first) == set(CHARACTERS)
    assert second == [f"{name} 2" for name in first]
    assert [character_name(name) for name in second] == first


@pytest.mark.parametrize("write", [str, str.upper, str.lower, " {} ".format])
def test_no_computer_is_called_like_a_person_at_the_table(write: type[str]) -> None:
    """Whoever came first."""
    alone = opened("diciassette")
    name = lobby.add_computer(alone, 100, NOW).players[1].name
    before = lobby.add_computer(lobby.join_lobby(alone, Player(write(name), 200), NOW), 100, NOW)
    after = lobby.join_lobby(lobby.add_computer(alone, 100, NOW), Player(write(name), 200), NOW)
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
    return rules.on_turn(state) is not None and rules.forced_call(state) is None


def moves_at(table: Table) -> int:
    """When the computer player on turn moves, in ms after its turn began."""
    (due,) = [due for due in all_timers(table) if due.timer is Timer.COMPUTER]
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
                    assert set(all_timers(other)) == set(all_timers(now))
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


@pytest.mark.parametrize("game", [name for name in sorted(CASES) if CASES[name].rules.calls is None])
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
