"""The deal of the day, without a store: days, what is dealt, how results and choices compare."""

from collections.abc import Sequence
from functools import cache
from itertools import zip_longest
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cli.verify import report_lines
from bot.clock import snowflake_time
from bot.daily import days
from bot.daily.choices import (
    Choice,
    choice_frequencies_at_moment,
    decode_choices,
    encode_choices,
    encode_chosen_action,
    extract_game_choices,
    replay_daily_attempt,
)
from bot.daily.days import PERSON_SEAT, count_days_in_a_row, day_of_deal, deal_time_ms, make_day_deal
from bot.daily.results import (
    MIN_PEOPLE,
    DayResult,
    Percentile,
    day_result,
    decode_round_outcomes,
    encode_round_outcomes,
    percentile,
    round_outcomes,
)
from bot.store.tables import pack_table, unpack_table
from bot.tables import lobby, start
from bot.tables.contest import NO_CONTEST, determine_rated_contest
from bot.tables.errors import Refusal
from bot.tables.leaving import give_seat_to_computer
from bot.tables.model import NO_SERVER, Ending, Phase, Player, Table, TableId, check_table_values
from bot.tables.names import CHARACTERS, character_name
from bot.tables.options import Options
from engine import record
from engine.fair import SeededChance
from engine.game import RoundOutcome
from engine.policies import find_policy
from engine.record import FINISHED, ActionEntry, Entry, Record, SeatChangeEntry
from engine.registry import GAMES
from engine.replay import replay
from engine.simulate import SimulatedGame
from engine.verify import PlayerNotes, verify
from tests.bot.tables import NOW

DAILY = sorted(name for name, game in GAMES.items() if game.daily is not None)
every_game = pytest.mark.parametrize("game", DAILY)
DAY = "2026-11-28"
SECRET = bytes(range(32))
OTHER_SECRET = bytes(32)
any_days = st.dates().map(lambda it: it.isoformat())
results = st.builds(
    lambda place, score: DayResult(place, () if place is None else score),
    st.none() | st.integers(1, 4),
    st.tuples(st.integers(-1, 3), st.integers(-2, 0)),
)


def day_table(game: str, user: int = 100, name: str = "Zoë", options: Options = Options(), **how: Any) -> Table:  # noqa: B008
    """The lobby of *user* for the deal of the day."""
    host = Player(name, user, active_at=NOW)
    fresh = lobby.new_table(TableId(f"t{user}"), (NO_SERVER, user), game, host, "en", options, OTHER_SECRET, NOW)
    return start.with_deal_of_day(fresh._replace(players=(host,)), DAY, SECRET, practice=how.get("practice", False))


@cache
def day_record(game: str, seed: int = 0, actions: int = 10_000) -> Record:
    """An attempt at the deal of the day by somebody who plays at random, up to so many *actions*."""
    deal, rules = make_day_deal(game, DAY), GAMES[game]
    policies = ["random", *(f"computer:{it.level}" for it in deal.seats[1:])]
    chance = SeededChance(deal.seed(SECRET))
    match = SimulatedGame(rules, [find_policy(rules, it) for it in policies], deal.options, chance, Random(seed))
    entries: list[Entry] = []
    while not match.over and len(entries) < actions:
        action = match.next_action()
        entries.append(ActionEntry(NOW + 1000 * len(entries), rules.encode_action(action)))
        match.apply(action)
    ending = FINISHED if match.over else "ended"
    return record.make_record(deal, SECRET, entries, ending, rules.standings(match.state))


# Days


@given(st.integers(-60_000_000_000_000, 250_000_000_000_000))
def test_every_time_is_in_its_day_alone(ms: int) -> None:
    day = days.utc_day(ms)
    assert days.day_start_ms(day) <= ms < days.day_end_ms(day)
    assert days.day_end_ms(day) == days.day_start_ms(days.next_day(day))


@given(any_days.filter(lambda it: it not in ("0001-01-01", "9999-12-31")))
def test_the_day_before_the_next_is_the_day_itself(day: str) -> None:
    assert days.previous_day(days.next_day(day)) == days.next_day(days.previous_day(day)) == day
    assert days.previous_day(day) < day < days.next_day(day), "days sort as text"


@given(st.lists(st.booleans(), max_size=40), st.booleans())
def test_days_in_a_row_end_with_the_first_that_is_missing(played: Sequence[bool], today: bool) -> None:
    day, found = DAY, set[str]()
    for it in (today, *played):
        found |= {day} if it else set()
        day = days.previous_day(day)
    expected = next((n for n, it in enumerate(played) if not it), len(played))
    assert count_days_in_a_row(found, DAY) == expected + today


# What is dealt


@every_game
@given(day=st.dates().map(lambda it: it.isoformat()))
def test_a_deal_tells_its_day(game: str, day: str) -> None:
    deal = make_day_deal(game, day)
    assert day_of_deal(deal) == day
    assert record.parse_deal(deal.to_json()) == deal
    assert day_of_deal(deal._replace(message=None)) is None
    assert day_of_deal(deal._replace(message=1 << 60)) is None
    assert day_of_deal(deal._replace(message=20261332)) is None, "there is no such month"
    changed = deal.seats[0]._replace(id="00000000000000ff")
    assert day_of_deal(deal._replace(seats=(changed, *deal.seats[1:]))) is None


@every_game
def test_everybody_gets_the_same_cards_and_computers_whatever_they_are_called(game: str) -> None:
    one = start.start_daily_game(day_table(game), 100, NOW)
    computer = one.players[1].name
    other = start.start_daily_game(day_table(game, 101, "Anna", Options(game=())), 101, NOW + 5)
    assert (one.phase, one.state, one.seed, one.deal) == (Phase.PLAYING, other.state, other.seed, other.deal)
    assert one.seed != start.start_daily_game(day_table(game)._replace(secret=OTHER_SECRET.hex()), 100, NOW).seed
    assert [it.name for it in one.players[1:]] == [it.name for it in other.players[1:]]
    called_alike = start.start_daily_game(day_table(game, 102, computer), 102, NOW)
    assert len({it.name for it in called_alike.players}) == len(called_alike.players)
    for table in (one, other, called_alike):
        assert table.players[PERSON_SEAT].user == table.host
        assert {CHARACTERS[character_name(it.name)].level for it in table.players[1:]} == {GAMES[game].daily.LEVEL}  # type: ignore[union-attr]
        check_table_values(table)
        assert unpack_table(pack_table(table)) == table


@every_game
def test_hints_are_for_practice_and_nothing_of_a_day_is_rated(game: str) -> None:
    hinted = Options(hints=True)
    tables = [start.start_daily_game(day_table(game, options=hinted, practice=it), 100, NOW) for it in (False, True)]
    assert [(it.has_hints, it.counted) for it in tables] == [(False, True), (True, False)]
    for table in tables:
        assert determine_rated_contest(table.with_changed_player(PERSON_SEAT, rated=True)) == NO_CONTEST


@every_game
def test_it_starts_once_and_only_for_the_person_of_the_table(game: str) -> None:
    table = day_table(game)
    with pytest.raises(Refusal):
        start.start_daily_game(table, 101, NOW)
    started = start.start_daily_game(table, 100, NOW)
    with pytest.raises(Refusal):
        start.start_daily_game(started, 100, NOW)
    with pytest.raises(ValueError, match="of one person"):
        start.start_daily_game(table._replace(day=""), 100, NOW)
    with pytest.raises(ValueError, match="of one person"):
        start.start_daily_game(lobby.join_lobby(table, Player("Anna", 101), NOW), 100, NOW)


@every_game
def test_a_table_with_the_cards_of_another_day_is_damaged(game: str) -> None:
    started = start.start_daily_game(day_table(game), 100, NOW)
    for damaged in ("2026-11-27", "2026-13-01", "today"):
        with pytest.raises(ValueError):
            check_table_values(started._replace(day=damaged))
    with pytest.raises(ValueError):
        check_table_values(started._replace(day="", practice=True))


@every_game
def test_the_record_of_a_day_can_be_checked_with_the_code_that_was_published_before(game: str) -> None:
    found = record.decompress_record(record.compress_record(day_record(game)))
    verdict = verify(found, PlayerNotes(code=found.commitment, message=20261128))
    assert verdict.seed == make_day_deal(game, DAY).seed(SECRET)


@every_game
def test_a_days_deal_was_dealt_when_somebody_began(game: str) -> None:
    found = day_record(game)
    assert deal_time_ms(found) == NOW
    assert deal_time_ms(found._replace(entries=())) == days.day_start_ms(DAY)
    ordinary = found._replace(deal=found.deal._replace(message=1 << 60))
    assert deal_time_ms(ordinary) == snowflake_time(1 << 60)


@every_game
def test_the_command_line_says_which_day_it_was(game: str) -> None:
    said = report_lines(day_record(game), PlayerNotes())
    assert "deal of the day: 2026-11-28, begun 2027-01-15 08:00:00.000+00:00" in said
    assert not [line for line in said if line.startswith("table message")]


PAGE: dict[str, tuple[int, dict[str, str]]] = {"diciassette": (4, {}), "twelve_days": (5, {"length": "short"})}
"""What docs/fairness.md says of a day: how many seats, which options."""


@pytest.mark.parametrize("game", sorted(PAGE))
def test_the_sheet_of_a_day_is_that_of_the_page(game: str) -> None:
    seats, options = PAGE[game]
    computers = [{"id": f"000000000000000{seat}", "kind": "computer", "level": "4"} for seat in range(1, seats)]
    assert make_day_deal(game, DAY).to_json() == {
        "v": 1,
        "game": game,
        "rules": GAMES[game].rules_version,
        "options": options,
        "seats": [{"id": "0000000000000000", "kind": "person"}, *computers],
        "message": "20261128",
    }


# Results


@given(st.lists(results, min_size=MIN_PEOPLE, max_size=40), st.data())
def test_a_percentile_counts_those_who_did_worse(everybody: list[DayResult], data: st.DataObject) -> None:
    own = data.draw(st.sampled_from(everybody))
    found = percentile(own, everybody)
    assert found is not None
    assert found.people == len(everybody)

    def better(one: DayResult, other: DayResult) -> bool:
        if not one.finished or not other.finished:
            return one.finished and not other.finished
        assert one.place is not None
        assert other.place is not None
        return one.place < other.place or (one.place == other.place and one.score > other.score)

    assert found.percent == 100 * sum(better(own, it) for it in everybody) // len(everybody)


def test_nobody_is_compared_before_twenty_have_played() -> None:
    best, left = DayResult(1, (3, 0)), DayResult(None)
    assert percentile(best, [best] + [left] * 18) is None
    assert percentile(best, [best] + [left] * 19) == Percentile(95, 20)
    assert percentile(left, [best] + [left] * 19) == Percentile(0, 20)


@every_game
def test_who_has_left_has_not_finished(game: str) -> None:
    table = start.start_daily_game(day_table(game), 100, NOW)
    left = give_seat_to_computer(table, PERSON_SEAT)
    assert (left.ending, day_result(left)) == (Ending.ABANDONED, DayResult(None))
    moments = list(replay(day_record(game)))
    over = table._replace(phase=Phase.OVER, ending=Ending.FINISHED, state=moments[-1].after)
    (own,) = [it for it in day_record(game).standings if it.seat == PERSON_SEAT]
    assert day_result(over) == DayResult(own.place, own.score)
    assert day_result(over.with_changed_player(PERSON_SEAT, away=True)) == DayResult(None)
    assert day_result(over._replace(ending=Ending.IDLE)) == DayResult(None)


@every_game
def test_there_is_an_outcome_for_every_round(game: str) -> None:
    rules = GAMES[game]
    moments = list(replay(day_record(game)))
    outcomes = round_outcomes(rules, moments)
    assert len(outcomes) == sum(rules.ends_round(moment.events) for moment in moments) > 0
    assert decode_round_outcomes(encode_round_outcomes(outcomes)) == outcomes


@given(st.lists(st.sampled_from(RoundOutcome)))
def test_rounds_come_back(outcomes: list[RoundOutcome]) -> None:
    assert decode_round_outcomes(encode_round_outcomes(outcomes)) == tuple(outcomes)


def test_other_letters_are_no_rounds() -> None:
    with pytest.raises(ValueError, match="letter"):
        decode_round_outcomes("wx")


# Choices


@every_game
def test_those_who_have_done_the_same_are_at_the_same_moment(game: str) -> None:
    one, other = (extract_game_choices(GAMES[game], replay(day_record(game, seed))) for seed in (0, 1))
    assert one == extract_game_choices(GAMES[game], replay(day_record(game, 0)))
    keys = [it.choice.moment for it in one]
    assert len(set(keys)) == len(keys), "nobody comes to a moment twice"
    both = zip_longest(day_record(game, 0).entries, day_record(game, 1).entries)
    apart = 1 + next(number for number, (mine, theirs) in enumerate(both) if mine != theirs)
    assert [it for it in one if it.number < apart] == [it for it in other if it.number < apart]
    late = [{it.choice.moment for it in all_ if it.number > apart} for all_ in (one, other)]
    assert not late[0] & late[1]


@every_game
def test_every_choice_is_what_the_person_did(game: str) -> None:
    rules, moments = GAMES[game], list(replay(day_record(game)))
    found = {it.number: it.choice.chosen for it in extract_game_choices(rules, moments)}
    for moment in moments[1:]:
        own = rules.action_of_seat(PERSON_SEAT, moment.action)
        if moment.number in found:
            assert found[moment.number] == encode_chosen_action(rules, own)
        else:
            assert own is None or len(rules.legal_actions(moment.before, PERSON_SEAT)) == 1


@every_game
def test_what_a_computer_did_for_somebody_is_no_choice_of_theirs(game: str) -> None:
    found = day_record(game)
    rules = GAMES[game]
    own = extract_game_choices(rules, replay(found))
    taken = found._replace(entries=(SeatChangeEntry(NOW, PERSON_SEAT, "computer", level="3"), *found.entries))
    assert extract_game_choices(rules, replay(taken)) == []
    on_turn = next(it for it in own if rules.on_turn(list(replay(found))[it.number].before) == PERSON_SEAT)
    entries = list(found.entries)
    entries[on_turn.number - 1] = entries[on_turn.number - 1]._replace(by_clock=True)  # type: ignore[call-arg]
    late = extract_game_choices(rules, replay(found._replace(entries=tuple(entries))))
    assert [it.number for it in late] == [it.number for it in own if it != on_turn]


@every_game
def test_the_choices_of_an_attempt_come_back(game: str) -> None:
    found = replay_daily_attempt(day_record(game))
    assert found.choices
    assert decode_choices(encode_choices(found.choices)) == found.choices


@given(st.binary(max_size=40))
def test_other_bytes_are_no_choices(data: bytes) -> None:
    with pytest.raises(ValueError, match="no choices"):
        decode_choices(data)
    with pytest.raises(ValueError, match="no choices"):
        decode_choices(encode_choices([Choice("a", "b")])[:-1])


def test_shares_are_of_those_who_came_to_the_moment() -> None:
    call, wait, elsewhere = (Choice("m", "call"),), (Choice("m", "-"), Choice("n", "-")), (Choice("o", "x"),)
    everybody = [call] * 6 + [wait] * 2 + [elsewhere] * 12
    found = choice_frequencies_at_moment(everybody, "m")
    assert found is not None
    assert (found.people, found.shares) == (8, {"call": 0.75, "-": 0.25})
    assert choice_frequencies_at_moment(everybody, "q") is None
    assert choice_frequencies_at_moment(everybody[1:], "m") is None, "nineteen have played"
