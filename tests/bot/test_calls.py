"""Calls of 17, decided by Discord's clock: the call window, late arrivals, the call that must be. (D8 - D10)"""

from itertools import count
from random import Random

import pytest

from bot.i18n import words
from bot.tables import leaving
from bot.tables.errors import Refusal, Why
from bot.tables.model import Table
from bot.tables.names import MIDDLE_LEVEL
from bot.tables.options import Options, Pace
from bot.tables.play import ClickEffect, close_call_window
from bot.tables.scene import make_scene
from bot.tables.ticking import serve_due_timer
from bot.tables.timers import Timer, all_timers, next_due
from bot.ui.registry import PRESENTERS
from engine.errors import General, IllegalAction
from engine.game import Seat
from engine.games.diciassette.errors import Refused
from tests.bot.calling import FOUR, THREE, beat, call, lay, table
from tests.bot.tables import NORMAL, NOW, pass_time
from tests.games.diciassette import state

pytestmark = pytest.mark.about("diciassette")

# The window


def test_a_call_stands_for_the_window_then_everybody_sees_it_and_a_breath_later_the_cards() -> None:
    called = call(table(THREE), 2, at=NOW)
    assert called.effect is ClickEffect.CALLED
    seen = pass_time(called.table, NOW + 1000)
    assert (seen.state, make_scene(seen, None, None).callers) == (THREE, (2,))
    assert make_scene(pass_time(called.table, NOW + 999), None, None).callers == ()
    assert pass_time(called.table, NOW + 2499).state == THREE
    assert pass_time(called.table, NOW + 2500).state.round == 2
    assert make_scene(called.table, None, None).turn_ends == NOW + 120_000
    assert make_scene(seen, None, None).turn_ends is None, "nobody can play any more"


def test_without_the_breath_the_cards_are_turned_over_with_the_window_and_who_called_is_still_named() -> None:
    called = call(table(THREE, NORMAL._replace(breath=False)), 2, at=NOW).table
    assert pass_time(called, NOW + 999).state == THREE
    seen = pass_time(called, NOW + 1000)
    assert seen.state.round == 2
    assert make_scene(seen, None, None).callers == ()
    told = PRESENTERS["diciassette"].board.round_end_lines(make_scene(seen, None, 1), words("en"))
    assert told[0] == "### 📣 player 2 called 17! on player 0"


@pytest.mark.parametrize("order", [(2, 3), (3, 2)])
def test_everybody_sees_those_whose_call_counts_and_no_others_d9(order: tuple[int, ...]) -> None:
    called = table(FOUR)
    for seat in order:
        called = call(called, seat, at=NOW + (0 if seat == order[0] else 800), now=NOW + 810).table
    assert make_scene(pass_time(called, NOW + 1100), None, None).callers == order[:1]


@pytest.mark.parametrize("order", [(2, 3, 1), (1, 2, 3), (3, 1, 2), (3, 2, 1)])
def test_simultaneous_calls_count_by_turn_order_in_every_order_of_arrival_d9(order: tuple[int, ...]) -> None:
    stamps = {1: NOW + 700, 2: NOW + 300, 3: NOW}
    called = table(FOUR)
    for arrival, seat in enumerate(order):
        called = call(called, seat, at=stamps[seat], now=NOW + 720 + arrival).table
    after = pass_time(called, NOW + 5000)
    assert after.state.penalty == (0, 1, 0, 0)


def test_a_call_stamped_after_the_window_does_not_count_and_is_told_nothing_d9() -> None:
    """Being nearer in turn order must not pay for reacting to a call."""
    called = call(table(FOUR), 3, at=NOW).table
    late = call(called, 1, at=NOW + 751)
    assert late.effect is ClickEffect.CALLED
    assert pass_time(late.table, NOW + 9000).state.penalty == (0, 0, 0, 1)


def test_a_call_stamped_at_the_end_of_the_window_is_simultaneous_d9() -> None:
    called = call(table(FOUR), 3, at=NOW).table
    last = call(called, 1, at=NOW + 750).table
    assert pass_time(last, NOW + 9000).state.penalty == (0, 1, 0, 0)


def test_a_call_when_everybody_has_seen_one_is_too_late_d9() -> None:
    called = pass_time(call(table(FOUR), 3, at=NOW).table, NOW + 1000)
    with pytest.raises(Refusal) as no:
        call(called, 1, at=NOW + 1100)
    assert (no.value.why, no.value.facts["name"]) == (Why.CALLED_TOO_LATE, "player 3")


def test_an_earlier_call_that_arrives_later_moves_the_window_d9() -> None:
    """First 900, then 100 arrives: 900 is no longer within 750 ms of the first."""
    called = call(table(FOUR), 1, at=NOW + 900).table
    called = call(called, 2, at=NOW + 100, now=NOW + 1000).table
    assert pass_time(called, NOW + 5000).state.penalty == (0, 0, 1, 0)


def test_a_double_click_on_17_does_one_thing() -> None:
    called = call(table(THREE), 2, at=NOW).table
    again = call(called, 2, at=NOW + 80)
    assert again.effect is ClickEffect.REPEATED
    assert again.table.window == called.window


def test_no_card_can_be_laid_between_the_first_call_and_its_resolution_d9() -> None:
    """Until everybody sees the call a card is held like any other; then it stays in the hand."""
    called = call(table(THREE), 2, at=NOW).table
    held = lay(called, 1, at=NOW + 100)
    assert held.effect is ClickEffect.HELD
    assert held.table.held == lay(table(THREE), 1, at=NOW + 100).table.held
    seen = pass_time(held.table, NOW + 1000)
    assert (seen.held, seen.state) == (None, THREE)
    with pytest.raises(Refusal) as no:
        lay(seen, 1, at=NOW + 1100)
    assert (no.value.why, no.value.facts["names"]) == (Why.CALL_STANDS, ["player 2"])


def test_who_clicked_a_card_after_the_first_call_cannot_call_any_more_d9() -> None:
    called = lay(call(table(THREE), 2, at=NOW).table, 1, at=NOW + 100).table
    barred = call(called, 1, at=NOW + 200)
    assert barred.effect is ClickEffect.REPEATED
    assert pass_time(barred.table, NOW + 9000).state.penalty == (0, 0, 1)


def test_who_clicked_a_card_before_the_first_call_may_still_call_d9() -> None:
    kept = lay(beat(table(THREE), NOW + 2000), 1, at=NOW - 100, now=NOW).table
    both = call(call(kept, 2, at=NOW + 50).table, 1, at=NOW + 100)
    assert both.effect is ClickEffect.CALLED
    assert pass_time(both.table, NOW + 9000).state.penalty == (0, 1, 0)


def test_a_call_in_the_beat_beats_the_kept_card() -> None:
    kept = lay(beat(table(THREE), NOW + 2000), 1, at=NOW + 100).table
    after = pass_time(call(kept, 2, at=NOW + 1500).table, NOW + 9000)
    assert after.state.round == 2
    assert after.held is None


def test_a_computer_calls_within_the_beat_and_people_may_join_the_window() -> None:
    certain = state(["1 2 3", "4 5 1", "2 3 4"], turn=1, last=0, lies="0:5 1:5 2:5 0:5")
    waiting = beat(table(certain, computers=(2,)), NOW + 2000)
    due = next_due(waiting)
    assert due is not None
    assert NOW + 800 <= due.at <= NOW + 1800
    called = pass_time(waiting, due.at)
    assert called.window is not None
    assert [it.seat for it in called.window.calls] == [2]
    both = call(called, 1, at=due.at + 100).table
    assert pass_time(both, NOW + 9000).state.victory == (0, 1, 0)


def test_computers_decide_in_an_open_window_too_and_not_once_everybody_sees_who_called_d9() -> None:
    called = call(table(FOUR, computers=(3,)), 2, at=NOW).table
    assert Timer.COMPUTERS_CALL in {due.timer for due in all_timers(called)}
    seen = close_call_window(called, called.window, NOW + 1000) if called.window else called
    assert {due.timer for due in all_timers(seen)} == {Timer.REVEAL, Timer.IDLE}


# Late arrivals: Discord's clock is the referee


def test_a_call_stamped_before_the_play_wins_although_it_arrives_later() -> None:
    held = lay(table(THREE), 1, at=NOW + 100).table
    called = call(held, 2, at=NOW + 90, now=NOW + 300)
    assert called.effect is ClickEffect.CALLED
    assert pass_time(called.table, NOW + 9000).state.round == 2


def test_a_call_stamped_after_the_play_is_for_the_next_queue() -> None:
    held = lay(table(THREE), 1, at=NOW + 100).table
    with pytest.raises(Refusal) as no:
        call(held, 2, at=NOW + 110)
    assert no.value.why is Why.CARD_WAS_FIRST


def test_a_play_stamped_before_the_call_wins_although_it_arrives_later() -> None:
    called = call(table(THREE), 2, at=NOW + 100).table
    held = lay(called, 1, at=NOW + 90, now=NOW + 200)
    assert held.effect is ClickEffect.HELD
    assert held.table.window is None
    assert pass_time(held.table, NOW + 450).state.last == 1


def test_a_play_clicked_in_the_beat_counts_from_its_end() -> None:
    called = call(beat(table(THREE), NOW + 2000), 2, at=NOW + 1000).table
    held = lay(called, 1, at=NOW + 500, now=NOW + 1100)
    assert held.effect is ClickEffect.HELD
    assert pass_time(held.table, NOW + 9000).state.round == 2


# Must call


def test_the_bot_calls_for_an_empty_hand_when_its_time_to_play_comes_d10() -> None:
    before = state(["1 2 3", "", "2 3 4"], turn=1, last=0, lies="0:5", draw="", discard="")
    waiting = beat(table(before), NOW + 2000)
    due = next_due(waiting)
    assert due is not None
    assert due.timer is Timer.FORCED
    assert pass_time(waiting, NOW + 2000).state.round == 1
    assert pass_time(waiting, NOW + 2250).state.round == 2


def test_others_may_call_before_the_empty_hand_does_d10() -> None:
    before = state(["1 2 3", "", "2 3 4"], turn=1, last=0, lies="0:5", draw="", discard="")
    called = call(beat(table(before), NOW + 2000), 2, at=NOW + 1900).table
    assert pass_time(called, NOW + 9000).state.penalty == (0, 0, 1)


# Refused: nothing changes


def test_a_call_from_an_old_message_is_refused_by_what_is_the_case_now() -> None:
    with pytest.raises(Refusal) as no:
        call(table(THREE), 2, at=NOW, ply=THREE.ply - 1)
    assert no.value.why is Why.MOVED_ON
    fresh_round = state(["1 2 3", "4 5 1", "2 3 4"], turn=1)
    with pytest.raises(Refusal) as no:
        call(table(fresh_round), 2, at=NOW, ply=fresh_round.ply - 1)
    assert no.value.why is Why.ROUND_OVER
    with pytest.raises(IllegalAction) as illegal:
        call(table(THREE), 0, at=NOW, ply=THREE.ply - 1)
    assert illegal.value.reason is Refused.OWN_TURN_JUST_ENDED


def test_a_version_from_the_future_is_a_dead_button_for_calls() -> None:
    with pytest.raises(Refusal) as no:
        call(table(THREE), 1, at=NOW, ply=THREE.ply + 1)
    assert no.value.why is Why.BUTTON_DEAD


def test_somebody_who_does_not_play_here_cannot_call() -> None:
    with pytest.raises(Refusal) as no:
        call(table(THREE), 77, at=NOW)
    assert no.value.why is Why.NOT_AT_TABLE


def test_whoever_has_left_cannot_call_l1() -> None:
    with pytest.raises(Refusal) as no:
        call(table(THREE).with_changed_player(Seat(2), away=True), 2, at=NOW)
    assert no.value.why is Why.AWAY


# Clicks at an edge: in the same millisecond as another, with a wrong clock, at a table that waits for nothing; and
# which computer players call.

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


@pytest.mark.parametrize(
    ("at", "effect"), [(20, ClickEffect.CALLED), (50, ClickEffect.CALLED), (51, ClickEffect.REPEATED)]
)
def test_who_clicked_a_card_after_the_first_call_cannot_call_whenever_the_click_arrives_d9(
    at: int, effect: ClickEffect
) -> None:
    called = call(beat(table(THREE), NOW + 2000), 2, at=NOW + 50).table
    held = lay(called, 1, at=NOW + at, now=NOW + 60).table
    assert call(held, 1, at=NOW + 100).effect is effect


# Who has called


def test_a_second_click_on_17_does_nothing_also_where_others_have_called() -> None:
    both = call(call(table(FOUR), 2, at=NOW).table, 3, at=NOW + 10).table
    again = call(both, 2, at=NOW + 20)
    assert (again.effect, again.table.window) == (ClickEffect.REPEATED, both.window)


def test_who_is_too_late_is_told_who_called_first() -> None:
    called = call(call(table(FOUR), 2, at=NOW + 300).table, 3, at=NOW, now=NOW + 310).table
    with pytest.raises(Refusal) as no:
        call(pass_time(called, NOW + 1400), 1, at=NOW + 1400)
    assert (no.value.why, no.value.facts["name"]) == (Why.CALLED_TOO_LATE, "player 3")


def test_whoever_calls_is_there_again_l1() -> None:
    before = table(THREE).with_changed_player(Seat(2), timeouts=1)
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
    assert window.first_call_at == NOW + counts


# Tables that wait for nothing


def test_where_no_window_is_wanted_the_first_call_counts_at_once() -> None:
    called = call(table(FOUR, Options(pace=Pace.OFF, window_ms=0, hold_ms=0)), 3, at=NOW)
    assert called.effect is ClickEffect.LANDED
    assert called.table.state.penalty == (0, 0, 0, 1)


def test_where_cards_are_not_held_they_still_wait_for_an_open_window_d9() -> None:
    called = call(table(THREE, Options(pace=Pace.OFF, hold_ms=0)), 2, at=NOW).table
    assert lay(called, 1, at=NOW + 100).effect is ClickEffect.HELD


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
        decided = [rules.decide(rules.views.view(SURE, seat), it, MIDDLE_LEVEL) for seat, it in dice.items()]
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
    gone = pass_time(leaving.leave_game(called, 102), late + 990).window
    assert gone is not None
    assert sorted(it.seat for it in gone.calls) == [2, 3]


def test_where_no_window_is_wanted_one_computer_calls_and_the_round_is_over() -> None:
    quick = Options(pace=Pace.OFF, window_ms=0, hold_ms=0)
    after = pass_time(sure(quick, computers=(2, 3)), NOW)
    assert (after.state.round, after.state.victory) == (2, (0, 0, 1, 0))


def test_a_computer_on_turn_that_calls_opens_a_window_like_anybody_d9() -> None:
    due = next_due(sure(computers=(1,)))
    assert due is not None
    called = serve_due_timer(sure(computers=(1,)), due.at)
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
