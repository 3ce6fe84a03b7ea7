"""The clock at a table of every game: the reminder, the time-out, what does not count, a day without anybody."""

import pytest

from bot.tables import play
from bot.tables.model import Call, CallWindow, Ending, HeldMove, Phase, Table
from bot.tables.scene import make_scene
from bot.tables.ticking import serve_due_timer
from bot.tables.timers import LATE_ARRIVAL_MS, DueTimer, Timer, all_timers, limit_future_times, next_due
from engine.game import Seat
from tests.bot.tables import NORMAL, NOW, on_turn, pass_time, started
from tests.games import CASES

LIMIT = 120_000
"""The turn limit, ms."""
HOUR = 3_600_000


@pytest.fixture(params=sorted(CASES))
def fresh(request: pytest.FixtureRequest) -> Table:
    """A game of every kind that was dealt at NOW."""
    return started(request.param)


@pytest.fixture(params=sorted(CASES))
def unhurried(request: pytest.FixtureRequest) -> Table:
    """The same without a turn limit."""
    return started(request.param, NORMAL._replace(turn_seconds=0))


def test_one_time_out_and_the_computer_plays_that_turn_l1(fresh: Table) -> None:
    seat = on_turn(fresh)
    assert pass_time(fresh, NOW + LIMIT - 1).state == fresh.state
    after = pass_time(fresh, NOW + LIMIT)
    assert after.state.ply == 1
    assert after.players[seat].timeouts == 1
    assert not after.players[seat].away


def test_a_second_time_out_in_a_row_and_the_computer_takes_over_l1(fresh: Table) -> None:
    seat = on_turn(fresh)
    after = pass_time(fresh.with_changed_player(seat, timeouts=1), NOW + LIMIT)
    assert after.players[seat].away
    assert after.state.ply == 1
    assert after.phase is Phase.PLAYING


def test_a_move_in_time_forgives_the_time_out_before_l1(fresh: Table) -> None:
    seat = on_turn(fresh)
    action = fresh.rules.legal_actions(fresh.state, seat)[0]
    moved = play.make_move(fresh.with_changed_player(seat, timeouts=1), 100 + seat, 0, lambda _: action, NOW, NOW).table
    assert moved.players[seat].timeouts == 0


def test_the_player_is_reminded_before_the_clock_acts(fresh: Table) -> None:
    due = next_due(fresh)
    assert due is not None
    assert (due.timer, due.at) == (Timer.REMINDER, NOW + LIMIT * 3 // 4)
    reminded = serve_due_timer(fresh, due.at)
    assert reminded == fresh._replace(reminded=fresh.turn_began)
    assert next_due(reminded) == (NOW + LIMIT, Timer.TURN)


def test_while_a_move_is_held_no_clock_runs(fresh: Table) -> None:
    held = fresh._replace(held=HeldMove(on_turn(fresh), {}, NOW + 2 * LIMIT, NOW + 2 * LIMIT))
    assert {due.timer for due in all_timers(held)} == {Timer.LANDING, Timer.IDLE}


def test_nothing_happens_before_it_is_due(fresh: Table) -> None:
    assert serve_due_timer(fresh, NOW + LIMIT * 3 // 4 - 1) is fresh
    over = fresh._replace(phase=Phase.OVER)
    assert serve_due_timer(over, NOW + 2 * LIMIT) is over


def test_no_clock_is_a_choice(unhurried: Table) -> None:
    assert next_due(unhurried) == (NOW + 86_400_000, Timer.IDLE)


def test_a_table_at_which_nothing_happens_for_a_day_is_closed(unhurried: Table) -> None:
    assert pass_time(unhurried, NOW + 86_399_999) == unhurried
    after = pass_time(unhurried, NOW + 86_400_000)
    assert (after.phase, after.ending) == (Phase.OVER, Ending.IDLE)


def test_time_in_which_nobody_could_be_served_does_not_count(fresh: Table) -> None:
    seat, before = on_turn(fresh), fresh._replace(turn_credit=60_000)
    assert pass_time(before, NOW + 60_000 + LIMIT - 1).players[seat].timeouts == 0
    assert make_scene(before, None, None).turn_ends == NOW + 60_000 + LIMIT
    landed = pass_time(before, NOW + 60_000 + LIMIT)
    assert landed.players[seat].timeouts == 1
    assert landed.turn_credit == 0


def test_no_clock_runs_against_a_computer(fresh: Table) -> None:
    assert make_scene(fresh, None, None).turn_ends == NOW + LIMIT
    away = fresh.with_changed_player(on_turn(fresh), away=True)
    assert make_scene(away, None, None).turn_ends is None
    due = next_due(away)
    assert due is not None
    assert due.timer is Timer.COMPUTER


def test_a_table_that_a_fast_clock_wrote_waits_no_longer_than_it_should(fresh: Table) -> None:
    """An hour fast, and set right by the restart: the beat would end in an hour."""
    ahead = fresh._replace(changed_at=NOW + HOUR, turn_began=NOW + HOUR - 500, beat_ends=NOW + HOUR + 1_500)
    right = limit_future_times(ahead, NOW)
    assert (right.changed_at, right.turn_began, right.beat_ends) == (NOW, NOW - 500, NOW + 1_500)
    assert limit_future_times(right, NOW) is right
    assert limit_future_times(fresh._replace(changed_at=NOW + 1), NOW).changed_at == NOW


def test_moves_and_calls_at_a_table_that_a_fast_clock_wrote_wait_as_long_as_before(fresh: Table) -> None:
    held = HeldMove(on_turn(fresh), {}, NOW + HOUR + 1_500, NOW + HOUR + 1_700)
    calls = (Call(Seat(0), NOW + HOUR - 20), Call(Seat(1), NOW + HOUR - 10))
    ahead = fresh._replace(changed_at=NOW + HOUR, turn_began=NOW + HOUR - 500, beat_ends=NOW + HOUR + 1_500)
    right = limit_future_times(ahead._replace(reminded=ahead.turn_began, held=held), NOW)
    assert right.reminded == right.turn_began == NOW - 500
    assert right.held == held._replace(lands_at=NOW + 1_500, due=NOW + 1_700)
    played = held._replace(lands_at=NOW + HOUR - 100, due=NOW + HOUR + 100)  # after the beat
    right = limit_future_times(ahead._replace(beat_ends=NOW + HOUR - 300, held=played), NOW)
    assert right.held == played._replace(lands_at=NOW - 100, due=NOW + 100)
    right = limit_future_times(ahead._replace(window=CallWindow(calls, NOW + HOUR + 900)), NOW)
    assert right.reminded == 0
    assert right.window == CallWindow((Call(Seat(0), NOW - 20), Call(Seat(1), NOW - 10)), NOW + 900)


def test_a_result_may_be_looked_at_for_its_time_after_a_restart_and_a_call_keeps_its_own(fresh: Table) -> None:
    far = NOW + HOUR
    assert limit_future_times(fresh._replace(beat_ends=NOW + 5_000), NOW).beat_ends == NOW + 5_000
    assert limit_future_times(fresh._replace(beat_ends=far), NOW).beat_ends == NOW + 5_000
    assert limit_future_times(fresh._replace(reserved_until=far), NOW).reserved_until == NOW + 120_000
    resting = fresh._replace(beat_ends=NOW + 2_000, held=HeldMove(on_turn(fresh), {}, far, far))
    right = limit_future_times(resting, NOW).held
    assert right is not None
    assert (right.lands_at, right.due) == (NOW + 2_000, NOW + 2_250)
    window = CallWindow((Call(Seat(0), NOW - 40), Call(Seat(1), far)), NOW + 900)
    right_window = limit_future_times(fresh._replace(window=window), NOW).window
    assert right_window == CallWindow((Call(Seat(0), NOW - 40), Call(Seat(1), NOW)), NOW + 900)


def test_no_single_time_lies_further_ahead_than_it_can(fresh: Table) -> None:
    """As if somebody had written into the database: nothing waits longer than what it waits for lasts."""
    far = NOW + 300 * 24 * HOUR
    for name in ("turn_began", "turn_credit", "beat_ends", "reserved_until"):
        due = next_due(limit_future_times(fresh._replace(**{name: far}), NOW))
        assert due is not None
        assert due.at <= NOW + LIMIT
    options = fresh.options
    held = HeldMove(on_turn(fresh), {}, far, far)
    due = next_due(limit_future_times(fresh._replace(held=held), NOW))
    assert due == DueTimer(fresh.beat_ends + options.hold_ms, Timer.LANDING)
    window = CallWindow((Call(Seat(0), far),), far)
    assert next_due(limit_future_times(fresh._replace(window=window), NOW)) == DueTimer(
        NOW + options.window_ms + LATE_ARRIVAL_MS, Timer.WINDOW
    )
    due = next_due(limit_future_times(fresh._replace(window=window._replace(closed=True)), NOW))
    assert due == DueTimer(NOW + options.reveal_delay_ms, Timer.REVEAL)
