"""Clicks that make a move, at a table of every game: whose turn it is, which message they were made on."""

from typing import Any

import pytest

from bot.tables import play
from bot.tables.errors import Refusal, Why
from bot.tables.model import Table
from bot.tables.options import Options, Pace
from bot.tables.play import ClickEffect, ClickResult
from engine.errors import General, IllegalAction
from tests.bot.tables import NOW, on_turn, started
from tests.games import CASES

AT_ONCE = Options(pace=Pace.OFF, turn_seconds=0, window_ms=0, hold_ms=0)


def move(t: Table, user: int, ply: int) -> ClickResult:
    """*user* clicks on the first move that there is, on a message that showed *ply*."""
    return play.make_move(t, user, ply, lambda _: t.rules.legal_actions(t.state, on_turn(t))[0], NOW, NOW)


def others(t: Table) -> list[int]:
    """The users who are not on turn."""
    return [100 + seat for seat in range(len(t.players)) if seat != on_turn(t)]


@pytest.fixture(params=sorted(CASES))
def later(request: pytest.FixtureRequest) -> Table:
    """A game of every kind after one move."""
    fresh = started(request.param, AT_ONCE)
    return move(fresh, 100 + on_turn(fresh), 0).table


def test_a_move_lands_at_once_where_nothing_must_be_waited_for(later: Table) -> None:
    ply = later.state.ply
    assert ply == 1
    clicked = move(later, 100 + on_turn(later), ply)
    assert clicked.effect is ClickEffect.LANDED
    assert clicked.table.state.ply == 2


def test_a_move_out_of_turn_is_refused(later: Table) -> None:
    for user in others(later):
        with pytest.raises(IllegalAction) as no:
            move(later, user, later.state.ply)
        assert no.value.reason is General.NOT_YOUR_TURN


def test_a_move_from_an_old_message_is_refused_on_turn_and_off_turn(later: Table) -> None:
    with pytest.raises(Refusal) as no:
        move(later, 100 + on_turn(later), 0)
    assert no.value.why is Why.HAND_CHANGED
    with pytest.raises(IllegalAction) as illegal:
        move(later, others(later)[0], 0)
    assert illegal.value.reason is General.NOT_YOUR_TURN


def test_a_version_from_the_future_is_a_dead_button(later: Table) -> None:
    with pytest.raises(Refusal) as no:
        move(later, 100 + on_turn(later), later.state.ply + 1)
    assert no.value.why is Why.BUTTON_DEAD


def test_somebody_who_does_not_play_here_is_refused(later: Table) -> None:
    with pytest.raises(Refusal) as no:
        move(later, 77, later.state.ply)
    assert no.value.why is Why.NOT_AT_TABLE


@pytest.mark.parametrize("game", [game for game in sorted(CASES) if CASES[game].rules.calls is None])
def test_where_there_are_no_calls_the_button_for_one_is_forged(game: str) -> None:
    t = started(game)
    for user in range(100, 100 + len(t.players)):
        with pytest.raises(Refusal) as no:
            play.make_call(t, user, 0, NOW, NOW)
        assert no.value.why is Why.BUTTON_DEAD


def test_a_pick_changes_nothing_of_the_game_and_is_for_the_player_on_turn_alone(later: Table) -> None:
    ply = later.state.ply
    picked = play.record_pick(later, 100 + on_turn(later), ply, NOW + 5)
    assert picked == later.with_changed_player(on_turn(later), active_at=NOW + 5)
    refused: list[Any] = []
    for user in others(later):
        with pytest.raises(IllegalAction) as no:
            play.record_pick(later, user, ply, NOW)
        refused.append(no.value.reason)
    assert refused == [General.NOT_YOUR_TURN] * (len(later.players) - 1)


def test_a_move_of_a_seat_that_a_computer_has_is_refused(later: Table) -> None:
    away = later.with_changed_player(on_turn(later), away=True)
    with pytest.raises(Refusal) as no:
        move(away, 100 + on_turn(away), away.state.ply)
    assert no.value.why is Why.AWAY
