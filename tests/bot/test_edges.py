"""Clicks at an edge: in the same millisecond as another, with a wrong clock, at a table that waits for nothing."""

import pytest

from bot.refusals import Refusal, Why
from bot.tables.options import Options, Pace
from bot.tables.play import Effect
from engine.errors import General, IllegalAction
from engine.game import Seat
from tests.bot.calling import FOUR, THREE, beat, call, lay, table
from tests.bot.tables import NOW, pass_time
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
