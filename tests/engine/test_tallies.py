"""What people have done in a game that is over: counted once, for whoever sat there then."""

from collections import Counter
from typing import Any

import pytest

from engine.errors import BadRecord
from engine.game import Seat
from engine.record import FINISHED, ActionEntry, Record, SeatChangeEntry
from engine.registry import GAMES
from engine.replay import replay
from engine.tallies import PLAYED, WON, totals_by_person
from tests.engine.recorded import BEGAN, recorded, sheets
from tests.games import ANY, CASES

every_size = pytest.mark.parametrize(
    ("game", "seats"), [(game, n) for game in sorted(CASES) for n in CASES[game].rules.seats]
)
about_any = pytest.mark.about(ANY)


def by_hand(record: Record) -> dict[str, Counter[str]]:
    """``tallies``, from the moments of a replay one by one."""
    game, found = GAMES[record.deal.game], {}
    everything: list[Any] = list(replay(record))
    for moment in everything[1:]:
        if not isinstance(moment.entry, ActionEntry):
            continue
        for seat, what in game.tallies.count_increments(moment.before, moment.step) if game.tallies else ():
            sitting = moment.seats[seat]
            clock = moment.entry.by_clock and seat == game.on_turn(moment.before)
            if sitting.kind == "person" and not clock:
                found.setdefault(sitting.id, Counter())[what] += 1
    if record.ending == FINISHED:
        for seat, sitting in enumerate(everything[-1].seats):
            place = next(it.place for it in record.standings if it.seat == seat)
            if sitting.kind == "person":
                found.setdefault(sitting.id, Counter()).update([PLAYED, *([WON] if place == 1 else [])])
    return found


@every_size
def test_everything_is_counted_for_whoever_sat_there_then(game: str, seats: int) -> None:
    for number in range(3):
        record = recorded(game, seats, number)
        found = totals_by_person(record)
        assert found == by_hand(record)
        known = {PLAYED, WON, *CASES[game].counts}
        assert all(set(counts) <= known for counts in found.values())
        computers = {it.id for it in sheets(seats) if it.kind == "computer"}
        assert not found.keys() & computers


@pytest.mark.parametrize("game", sorted(CASES))
def test_the_names_of_counts_are_the_games_own(game: str) -> None:
    counts = CASES[game].counts
    assert len(set(counts)) == len(counts)
    assert not {PLAYED, WON} & set(counts)
    assert all(0 < len(what) <= 32 for what in counts)


@about_any
def test_who_has_left_at_the_end_has_no_game_and_who_has_sat_down_has_one() -> None:
    """The person of seat 0 leaves for good, somebody sits down in seat 1."""
    record = recorded(ANY, 2)
    late = "abcdefabcdefabcd"
    changes = (
        SeatChangeEntry(BEGAN, Seat(0), "computer", "", "middle"),
        SeatChangeEntry(BEGAN, Seat(1), "person", late),
    )
    acted = [it._replace(by_clock=False) for it in record.entries if isinstance(it, ActionEntry)]
    found = totals_by_person(record._replace(entries=(*changes, *acted)))
    assert set(found) == {late}
    assert found[late][PLAYED] == 1
    assert found[late][WON] == (record.standings[0].seat == 1)


@about_any
def test_a_game_that_was_ended_counts_what_was_done_in_it_and_is_no_game() -> None:
    record = recorded(ANY, 2, stop=3)
    assert not any(counts[PLAYED] or counts[WON] for counts in totals_by_person(record).values())


@about_any
def test_a_record_that_cannot_be_played_anew_is_a_bad_record() -> None:
    record = recorded(ANY, 2)
    with pytest.raises(BadRecord):
        totals_by_person(record._replace(entries=record.entries[1:]))
