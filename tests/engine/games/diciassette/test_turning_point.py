"""The decision that mattered most in a game of 17."""

from collections.abc import Sequence
from random import Random

from engine.game import Seat, Step
from engine.games.diciassette.actions import Call
from engine.games.diciassette.events import Event
from engine.games.diciassette.game import GAME
from engine.games.diciassette.highlights import CERTAIN
from engine.games.diciassette.odds import estimate
from engine.games.diciassette.state import State
from engine.games.diciassette.view import view
from tests.games.diciassette import FAIR, redealt, state

Called = tuple[State, Step[State, Event]]


def called(lies: str, by: int, ply: int, victory: Sequence[int], hand: str = "2 2 2") -> Called:
    """A call of seat *by*, number *ply* of the game, when *lies* lay there, the last card by seat 0, and the players
    had these *victory* tokens."""
    before = state(["R R T", "1 1 1", hand], turn=1, last=0, lies=lies, victory=victory)._replace(ply=ply)
    return before, GAME.apply(before, Call((Seat(by),)), FAIR)


RISKY = "2:5 1:5= 0:5= 0:5?"
"""Everybody but seat 0 sees 15 and one plain back, a 5."""
BLUFF = "2:5 1:5= 0:5= 0:R?"
SURE = "2:5 1:5= 0:5= 0:5"


def test_it_is_the_call_that_was_the_greatest_surprise() -> None:
    course = [called(SURE, 2, 3, (0, 0, 0)), called(RISKY, 2, 5, (0, 0, 1)), called(SURE, 2, 9, (0, 0, 2))]
    point = GAME.turning_point(course)
    assert (point.ply, point.caller, point.winner, point.total) == (5, 2, 2, 20)
    before = course[1][0]
    assert point.chance == round(estimate(view(before, Seat(2))).seventeen * CERTAIN)
    assert 0 < point.chance < CERTAIN


def test_of_equal_surprises_it_is_the_one_with_more_at_stake() -> None:
    course = [called(RISKY, 2, 3, (0, 0, 1)), called(RISKY, 2, 9, (0, 0, 2))]
    assert GAME.turning_point(course).ply == 9


def test_a_wrong_call_that_looked_good_decides_for_who_laid_the_last_card() -> None:
    course = [called(SURE, 2, 3, (1, 0, 0)), called(BLUFF, 2, 5, (1, 0, 1)), called("0:1", 1, 9, (2, 0, 1))]
    point = GAME.turning_point(course)
    assert (point.ply, point.caller, point.winner, point.total) == (5, 2, 0, 15)


def test_a_call_that_brought_the_winner_no_token_does_not_count() -> None:
    course = [called(BLUFF, 2, 5, (0, 0, 1)), called(SURE, 2, 9, (0, 0, 2))]
    assert GAME.turning_point(course).ply == 9


def test_only_the_last_three_tokens_of_the_winner_count() -> None:
    """A token that was lost again (D16) may have been any."""
    sure = [called(SURE, 2, 9 + n, (0, 0, n)) for n in range(3)]
    assert GAME.turning_point([called(RISKY, 2, 3, (0, 0, 0)), *sure]).ply == 11


def test_a_call_that_had_to_be_made_surprises_nobody_d10() -> None:
    before = state(["R R T", "", "2 2 2"], turn=1, last=0, lies=RISKY, victory=(0, 1, 0))._replace(ply=5)
    forced = before, GAME.apply(before, Call((Seat(1),)), FAIR)
    course = [forced, called(SURE, 1, 9, (0, 2, 0))]
    assert GAME.turning_point(course).ply == 9


def test_a_trap_of_the_winner_surprises_as_much_as_it_was_unlikely_d14() -> None:
    trapped = called("2:5 0:P? 1:5= 0:5= 0:5", 2, 5, (1, 0, 0))
    course = [trapped, called("0:1", 1, 9, (2, 0, 0))]
    point = GAME.turning_point(course)
    assert (point.ply, point.caller, point.winner, point.total) == (5, 2, 0, 20)


def test_what_the_caller_could_not_see_changes_nothing_but_the_outcome() -> None:
    before = called(RISKY, 2, 5, (0, 0, 2))[0]
    chances = set()
    for seed in range(20):
        other = redealt(before, Seat(2), Random(seed))
        step = GAME.apply(other, Call((Seat(2),)), FAIR)
        if step.state.winners:
            chances.add(GAME.turning_point([(other, step)]).chance)
    assert len(chances) == 1


def test_without_a_winner_there_is_none() -> None:
    assert GAME.turning_point([]) is None
    assert GAME.turning_point([called(RISKY, 2, 5, (0, 0, 0))]) is None
