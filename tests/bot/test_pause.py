"""Never punished for a coffee: time-outs are said, a game that nobody attends waits, one person alone has no clock (L2,
L3). At a table of every game."""

from typing import Any

import pytest

from bot.i18n import words
from bot.tables import leaving, lobby, play
from bot.tables.errors import Refusal, Why
from bot.tables.model import Ending, HeldMove, Phase, Table
from bot.tables.options import Options
from bot.tables.scene import make_scene
from bot.tables.ticking import serve_due_timer
from bot.tables.timers import IDLE_MS, PAUSED_MS, Timer, next_due
from bot.ui.components import Sheet
from bot.ui.hand_message import hand_sheet
from bot.ui.table_message import table_sheet
from engine.game import Seat
from tests.bot.tables import NORMAL, NOW, on_turn, opened, pass_time, started
from tests.games import CASES

LIMIT = 120_000
EN = words("en")


@pytest.fixture(params=sorted(CASES))
def fresh(request: pytest.FixtureRequest) -> Table:
    """A game of every kind that was dealt at NOW."""
    return started(request.param)


@pytest.fixture
def paused(fresh: Table) -> Table:
    """It, paused: the time of everybody ran out, the turn of whoever is on turn being the last."""
    seat = on_turn(fresh)
    for other in range(len(fresh.players)):
        if other != seat:
            fresh = fresh.with_changed_player(Seat(other), away=True, timed_out=True)
    table = fresh._replace(options=NORMAL).with_changed_player(seat, timeouts=1)
    return pass_time(table, NOW + LIMIT)


def said(sheet: Sheet) -> str:
    """All text of *sheet*."""

    def texts(value: Any) -> list[str]:
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
        own = [str(value["content"])] if isinstance(value, dict) and "content" in value else []
        return [*own, *(line for inner in inside for line in texts(inner))]

    return "\n".join(texts(sheet.payload))


def table_says(t: Table) -> str:
    return said(table_sheet(make_scene(t, None, None), EN))


def hand_says(t: Table, seat: Seat) -> str:
    return said(hand_sheet(make_scene(t, seat, None), EN))


# A time-out is said (L3)


def test_table_and_hand_say_that_a_computer_played_a_turn_and_what_comes_next_l3(fresh: Table) -> None:
    seat = on_turn(fresh)
    after = pass_time(fresh, NOW + LIMIT)
    assert after.overdue == seat
    assert "so a computer played this turn. Once more in a row" in table_says(after)
    assert "Your time ran out, so a computer played for you" in hand_says(after, seat)
    for other in range(len(after.players)):
        if other != seat:
            assert "Your time ran out" not in hand_says(after, Seat(other))


def test_the_table_says_it_until_the_next_move_and_the_hand_until_its_person_moves_l3(fresh: Table) -> None:
    seat = on_turn(fresh)
    after = pass_time(fresh, NOW + LIMIT)
    mover, now = on_turn(after), after.beat_ends
    action = after.rules.legal_actions(after.state, mover)[0]
    moved = play.make_move(after, 100 + mover, after.state.ply, lambda _: action, now, now)
    later = pass_time(moved.table, after.beat_ends + 1000)
    assert later.overdue is None
    assert ("Your time ran out" in hand_says(later, seat)) is (mover != seat)


def test_a_second_time_out_is_said_too_l3(fresh: Table) -> None:
    seat = on_turn(fresh)
    after = pass_time(fresh.with_changed_player(seat, timeouts=1), NOW + LIMIT)
    assert (after.players[seat].away, after.players[seat].timed_out) == (True, True)
    assert "time ran out again: a computer has the seat" in table_says(after)


# Nobody is there (L2)


def test_when_nobody_is_there_and_somebody_may_come_back_the_game_pauses_l2(paused: Table) -> None:
    assert paused.paused
    assert paused.phase is Phase.PLAYING
    assert next_due(paused) == (paused.changed_at + IDLE_MS, Timer.IDLE)
    assert "The game is paused" in table_says(paused)
    for seat in range(len(paused.players)):
        assert "The game is paused" in hand_says(paused, Seat(seat))


def test_no_computer_moves_and_no_held_card_lands_during_a_pause_l2(paused: Table) -> None:
    seat = on_turn(paused)
    action = paused.rules.encode_action(paused.rules.legal_actions(paused.state, seat)[0])
    held = paused._replace(held=HeldMove(Seat(1 - seat), action, NOW, NOW + 250))
    for table in (paused, held):
        assert pass_time(table, NOW + PAUSED_MS).state == paused.state


def test_whoever_continues_gets_their_seat_back_and_the_game_goes_on_l2(paused: Table) -> None:
    for user in (100, 101):
        now = NOW + PAUSED_MS // 2
        back = leaving.come_back(paused, user, now)
        assert not back.paused
        assert not back.players[user - 100].automatic
        due = next_due(back)
        assert due is not None
        seat = on_turn(back)
        if seat == user - 100:
            assert (back.turn_began, due.timer) == (now, Timer.REMINDER)
        else:
            assert due.timer is Timer.COMPUTER
            assert pass_time(back, max(due.at, now)).state.ply > back.state.ply


def test_who_has_left_may_continue_too_and_a_stranger_may_not_l2(fresh: Table) -> None:
    left = leaving.leave_game(fresh.with_changed_player(Seat(0), away=True, timed_out=True), 101)
    assert left.paused
    assert not leaving.come_back(left, 101, NOW).paused
    with pytest.raises(Refusal) as no:
        leaving.come_back(left, 999, NOW)
    assert no.value.why is Why.NOT_AT_TABLE


def test_when_everybody_has_left_the_game_is_abandoned_l2(fresh: Table) -> None:
    for user in range(100, 100 + len(fresh.players)):
        fresh = leaving.leave_game(fresh, user)
    assert fresh.ending is Ending.ABANDONED


def test_after_an_hour_a_new_table_may_take_its_place_else_it_closes_after_the_idle_time_l2(paused: Table) -> None:
    began = paused.changed_at
    assert leaving.close_if_paused_for_an_hour(paused, began + PAUSED_MS - 1) == paused
    assert leaving.close_if_paused_for_an_hour(paused, began + PAUSED_MS).ending is Ending.UNATTENDED
    running = leaving.come_back(paused, 100, NOW)
    assert leaving.close_if_paused_for_an_hour(running, began + 2 * PAUSED_MS) == running
    assert serve_due_timer(paused, began + IDLE_MS).ending is Ending.IDLE


# Alone (L3)


@pytest.mark.parametrize("game", sorted(CASES))
def test_one_person_alone_has_no_clock_unless_the_host_sets_one_l3(game: str) -> None:
    least = CASES[game].rules.seats[0]
    alone = started(game, Options(), people=1, computers=least - 1)
    assert alone.turn_ms == 0
    assert make_scene(alone, Seat(0), None).turn_ends is None
    assert started(game, Options(turn_seconds=60), people=1, computers=least - 1).turn_ms == 60_000
    two = started(game, Options())
    assert two.turn_ms == LIMIT


@pytest.mark.parametrize("game", sorted(CASES))
def test_who_is_on_turn_when_somebody_comes_back_gets_a_whole_turn_l3(game: str) -> None:
    table = started(game, Options())
    seat = on_turn(table)
    other = 100 + (1 - seat)
    alone = leaving.leave_game(table, other)
    assert alone.turn_ms == 0
    back = leaving.come_back(alone, other, NOW + 900_000)
    assert make_scene(back, seat, None).turn_ends == NOW + 900_000 + LIMIT
    again = leaving.come_back(leaving.leave_game(back, other), other, NOW + 900_500)
    assert make_scene(again, seat, None).turn_ends == NOW + 900_500 + LIMIT


@pytest.mark.parametrize("game", sorted(CASES))
def test_the_host_chooses_the_limit_or_goes_back_to_the_usual_one(game: str) -> None:
    table = lobby.set_options(opened(game), 100, turn_seconds=0)
    assert table.options.turn_seconds == 0
    assert lobby.set_options(table, 100, turn_seconds=None).options.turn_seconds is None
