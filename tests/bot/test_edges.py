"""Clicks at an edge: in the same millisecond as another, with a wrong clock, at a table that waits for nothing; and
which computer players call."""

from itertools import count
from random import Random

import pytest

from bot.refusals import Refusal, Why
from bot.tables import leaving
from bot.tables.characters import MIDDLE_LEVEL
from bot.tables.model import Table
from bot.tables.options import Options, Pace
from bot.tables.play import Effect
from bot.tables.ticking import tick
from bot.tables.timers import next_due
from engine.errors import General, IllegalAction
from engine.game import Seat
from tests.bot.calling import FOUR, THREE, beat, call, lay, table
from tests.bot.tables import NORMAL, NOW, pass_time
from tests.games.diciassette import state

pytestmark = pytest.mark.about("diciassette")


# In the same millisecond who arrived first comes first


def test_a_card_stamped_like_the_call_before_it_is_too_late() -> None:
    called = call(table(THREE), 2, at=NOW + 100).table
    held = lay(called, 1, at=NOW + 100, now=NOW + 110).table
    assert held.window is not None
    assert pass_time(held, NOW + 9000).state.round == 2


def test_a_call_stamped_like_the_card_before_it_is_too_late() -> None:
    held = lay(table(THREE), 1, at=NOW + 100).table
    with pytest.raises(Refusal) as no:
        call(held, 2, at=NOW + 100, now=NOW + 110)
    assert no.value.why is Why.CARD_WAS_FIRST


@pytest.mark.parametrize(("at", "effect"), [(20, Effect.CALLED), (50, Effect.CALLED), (51, Effect.REPEATED)])
def test_who_clicked_a_card_after_the_first_call_cannot_call_whenever_the_click_arrives_d9(
    at: int, effect: Effect
) -> None:
    called = call(beat(table(THREE), NOW + 2000), 2, at=NOW + 50).table
    held = lay(called, 1, at=NOW + at, now=NOW + 60).table
    assert call(held, 1, at=NOW + 100).effect is effect


# Who has called


def test_a_second_click_on_17_does_nothing_also_where_others_have_called() -> None:
    both = call(call(table(FOUR), 2, at=NOW).table, 3, at=NOW + 10).table
    again = call(both, 2, at=NOW + 20)
    assert (again.effect, again.table.window) == (Effect.REPEATED, both.window)


def test_who_is_too_late_is_told_who_called_first() -> None:
    called = call(call(table(FOUR), 2, at=NOW + 300).table, 3, at=NOW, now=NOW + 310).table
    with pytest.raises(Refusal) as no:
        call(pass_time(called, NOW + 1400), 1, at=NOW + 1400)
    assert (no.value.why, no.value.facts["name"]) == (Why.CALLED_TOO_LATE, "player 3")


def test_whoever_calls_is_there_again_l1() -> None:
    before = table(THREE).with_player(Seat(2), timeouts=1)
    for called in (call(before, 2, at=NOW + 700), call(call(before, 1, at=NOW).table, 2, at=NOW + 700)):
        player = called.table.players[2]
        assert (player.timeouts, player.active_at) == (0, NOW + 700)


def test_before_the_first_card_of_a_round_there_is_nothing_to_call_d8() -> None:
    with pytest.raises(IllegalAction) as no:
        call(table(state(["1 2 3", "4 5 1", "2 3 4"], turn=1)), 2, at=NOW)
    assert no.value.reason is General.NOTHING_TO_CALL


# Wrong clocks


@pytest.mark.parametrize(("at", "counts"), [(60_000, 0), (-60_000, -3000)])
def test_a_call_stamped_far_from_our_clock_counts_as_nearly_now(at: int, counts: int) -> None:
    window = call(table(THREE), 2, at=NOW + at, now=NOW).table.window
    assert window is not None
    assert window.first == NOW + counts


# Tables that wait for nothing


def test_where_no_window_is_wanted_the_first_call_counts_at_once() -> None:
    called = call(table(FOUR, Options(pace=Pace.OFF, window_ms=0, hold_ms=0)), 3, at=NOW)
    assert called.effect is Effect.LANDED
    assert called.table.state.penalty == (0, 0, 0, 1)


def test_where_cards_are_not_held_they_still_wait_for_an_open_window_d9() -> None:
    called = call(table(THREE, Options(pace=Pace.OFF, hold_ms=0)), 2, at=NOW).table
    assert lay(called, 1, at=NOW + 100).effect is Effect.HELD


# Computer players call where they are sure

SURE = state(["1 2 3", "4 5 1", "2 3 4", "2 2 2"], turn=1, last=0, lies="0:5 1:5 2:5 0:5")
UNSURE = state(["1 2 3", "4 5 1", "2 3 4", "2 2 2"], turn=1, last=0, lies="0:1")


def sure(options: Options = NORMAL, computers: tuple[int, ...] = ()) -> Table:
    """A table at which everybody knows that it is 17, with dice by which every computer calls that may: one of the
    middle level hesitates now and then."""
    for number in count():
        found = table(SURE, options, computers)._replace(seed=f"{number:064x}")
        rules, ply = found.rules, SURE.ply
        dice = {seat: Random(f"{found.seed}/{ply}/{seat}") for seat in SURE.may_call}
        decided = [rules.decide(rules.view(SURE, seat), it, MIDDLE_LEVEL) for seat, it in dice.items()]
        if decided == [rules.call((seat,)) for seat in SURE.may_call]:
            return found
    raise AssertionError


def callers(t: Table) -> list[int]:
    """Who has called by the end of the beat."""
    seen = pass_time(t, NOW + 1999)
    assert seen.window is not None
    return [it.seat for it in seen.window.calls]


def test_computers_off_turn_call_and_nobody_else_does() -> None:
    assert callers(beat(sure(computers=(1, 2)), NOW + 2000)) == [2]
    assert callers(beat(sure(computers=(2, 3)), NOW + 2000)) == [2, 3]
    assert pass_time(beat(table(UNSURE, computers=(2, 3)), NOW + 2000), NOW + 1999).window is None


def test_computers_join_a_window_and_nobody_calls_twice_d9() -> None:
    late = NOW + 700
    called = call(beat(sure(computers=(3,)), NOW + 2000), 2, at=late).table
    seen = pass_time(called, late + 990).window
    assert seen is not None
    assert sorted(it.seat for it in seen.calls) == [2, 3]
    gone = pass_time(leaving.leave(called, 102), late + 990).window
    assert gone is not None
    assert sorted(it.seat for it in gone.calls) == [2, 3]


def test_where_no_window_is_wanted_one_computer_calls_and_the_round_is_over() -> None:
    quick = Options(pace=Pace.OFF, window_ms=0, hold_ms=0)
    after = pass_time(sure(quick, computers=(2, 3)), NOW)
    assert (after.state.round, after.state.victory) == (2, (0, 0, 1, 0))


def test_a_computer_on_turn_that_calls_opens_a_window_like_anybody_d9() -> None:
    due = next_due(sure(computers=(1,)))
    assert due is not None
    called = tick(sure(computers=(1,)), due.at)
    assert called.state == SURE
    assert called.window is not None
    assert [it.seat for it in called.window.calls] == [1]


def test_a_computer_that_calls_for_somebody_whose_time_is_up_tells_nobody_yet_d9_l1() -> None:
    late = pass_time(sure(), NOW + 120_000)
    assert late.window is not None
    assert [it.seat for it in late.window.calls] == [1]
    assert (late.players[1].timeouts, late.overdue) == (1, None)


@pytest.mark.parametrize("window_ms", [750, 0])
@pytest.mark.parametrize("breath", [True, False])
def test_such_a_call_is_the_clocks_in_the_record(window_ms: int, breath: bool) -> None:
    options = NORMAL._replace(window_ms=window_ms, breath=breath)
    (entry,) = pass_time(sure(options), NOW + 130_000).entries[:1]
    assert entry == {"call": [1], "by": "clock"}


def test_it_is_the_clocks_too_if_somebody_calls_at_the_same_time() -> None:
    """The turn was played by the clock, whoever's call counts."""
    late = pass_time(sure(), NOW + 120_000)
    joined = call(late, 2, at=NOW + 120_100).table
    (entry,) = pass_time(joined, NOW + 130_000).entries[:1]
    assert entry == {"call": [1, 2], "by": "clock"}


def test_a_call_of_ones_own_and_one_that_must_be_are_nobodys_clock_d10() -> None:
    (own,) = pass_time(call(table(THREE), 2, at=NOW + 100).table, NOW + 9000).entries[:1]
    must = state(["1 2 3", "", "2 3 4"], turn=1, last=0, lies="0:5")
    (forced,) = pass_time(table(must), NOW + 9000).entries[:1]
    assert "by" not in own and "call" in own
    assert forced == {"call": [1]}
