"""The decision that mattered most in a game of 12 Days."""

from collections.abc import Sequence

from engine.game import Seat, Step
from engine.games.twelve_days.actions import Pass, Play
from engine.games.twelve_days.events import Event
from engine.games.twelve_days.game import GAME
from engine.games.twelve_days.state import State
from engine.games.twelve_days.turning_point import TurningPoint
from tests.games.twelve_days import FAIR, cards, state

Course = list[tuple[State, Step[State, Event]]]


def hand(number: int, gifts: Sequence[int], hands: Sequence[str], *moves: str, total: int = 3) -> Course:
    """The end of the hand with that *number*, of *total*: seat 0 leads, everybody makes one of *moves*, "-" being a
    pass."""
    before = state(hands, hand=number, hands_total=total, gifts=gifts)._replace(ply=10 * number)
    course: Course = []
    for move in moves:
        step = GAME.apply(before, Pass(before.turn) if move == "-" else Play(before.turn, cards(move)), FAIR)
        course.append((before, step))
        before = step.state
    return course


ONE = ["5", "8 12", "7 4"]
"""Seat 0 goes out; both others hold the most."""


def test_it_is_the_play_that_won_the_hand_which_changed_the_winners_lead_most() -> None:
    course = [*hand(1, (1, 1, 1), ONE, "5", "-", "-"), *hand(3, (3, 0, 0), ONE, "5", "-", "-")]
    assert GAME.turning_point(course) == TurningPoint(10, Seat(0), (5,), 1, 4)


def test_a_late_change_counts_more_than_an_early_one() -> None:
    course = [*hand(1, (1, 1, 1), ONE, "5", "-", "-"), *hand(3, (3, 1, 1), ONE, "5", "-", "-")]
    assert GAME.turning_point(course) == TurningPoint(30, Seat(0), (5,), 3, 4)


def test_the_ply_is_that_of_the_play_wherever_in_the_trick_it_was() -> None:
    course = hand(3, (0, 3, 0), ["9 12", "5", "7 4"], "9", "5", "-")
    assert GAME.turning_point(course) == TurningPoint(31, Seat(1), (5,), 3, 1)


def test_somebody_elses_hand_may_decide_it_for_the_winner() -> None:
    """Seat 1 wins the hand, and seat 2, the only rival of seat 0, gives a gift."""
    taken = hand(2, (5, 0, 3), ["9 12", "5", "7 4 4"], "9", "5", "-")
    last = hand(3, (5, 2, 2), ["9 12", "8 12 12", "5"], "9", "-", "5")
    assert last[-1][1].state.winners == (0,)
    assert GAME.turning_point([*taken, *last]) == TurningPoint(21, Seat(1), (5,), 2, 1)


def test_without_a_winner_or_where_all_win_together_there_is_none() -> None:
    assert GAME.turning_point([]) is None
    assert GAME.turning_point(hand(1, (1, 1, 1), ONE, "5", "-", "-")) is None
    together = hand(3, (0, 3), ["5", "8"], "5", "-")
    assert together[-1][1].state.winners == (0, 1)
    assert GAME.turning_point(together) is None
