"""What follows from a coach's figures: whether a decision mattered, and which moment was the turning point."""

import pytest

from engine.coaching import Coaching
from engine.decision import Decision
from engine.game import Seat
from engine.swings import Swing


def decision(*, made: str | None = "x", chance: float = 0.4, best: float = 0.5, worst: float = 0.3) -> Decision:
    """One at the moment 7, after which so much was left."""
    return Decision(7, Seat(0), made, "y", chance, best, worst, None)


def test_what_a_decision_cost_and_could_have_cost() -> None:
    it = decision(chance=0.404, best=0.506, worst=0.3)
    assert it.cost == pytest.approx(0.102)
    assert it.points == 51 - 40
    assert it.stake == pytest.approx(0.206)
    assert (it.review_moment, decision(made=None).review_moment) == (7, 6)


@pytest.mark.parametrize(
    ("best", "worst", "mattered", "settled", "won"),
    [
        (0.5, 0.5, False, False, False),
        (0.5, 0.4951, False, False, False),
        (0.5, 0.495, True, False, False),
        (0.004, 0.001, False, True, False),  # as good as lost
        (0.005, 0.0, True, False, False),
        (1.0, 0.996, False, True, True),  # as good as won
        (1.0, 0.995, True, False, False),
    ],
)
def test_whether_a_decision_mattered(best: float, worst: float, mattered: bool, settled: bool, won: bool) -> None:
    it = decision(chance=worst, best=best, worst=worst)
    assert (it.mattered, it.outcome_was_certain_anyway, it.win_was_certain_anyway) == (mattered, settled, won)


def swing(number: int, before: tuple[float, ...], after: tuple[float, ...]) -> Swing:
    return Swing(number, number, number, (before, after))


def turning(end: tuple[float, ...], *swings: Swing) -> int | None:
    """The turning point of a game that ended with these chances, and was decided by *swings*."""
    return Coaching((end,), (end,), (), (), swings, (), False, ()).turning_point


def test_the_turning_point_is_where_the_winner_gained_most() -> None:
    end = (1.0, 0.0, 0.0)
    lost, won = swing(1, (0.4, 0.3, 0.3), (0.1, 0.8, 0.1)), swing(2, (0.1, 0.8, 0.1), (0.5, 0.4, 0.1))
    last = swing(3, (0.6, 0.3, 0.1), (1.0, 0.0, 0.0))
    assert turning(end, lost, won, last) == 2, "of equal ones the first"
    assert turning(end, lost) == 1, "they gained by none: the greatest"
    assert turning(end, swing(1, (0.4, 0.3, 0.3), (0.3, 0.4, 0.3)), lost) == 1
    assert turning(end) is None
    both = (0.5, 0.5, 0.0)
    assert turning(both, swing(1, (0.4, 0.3, 0.3), (0.5, 0.2, 0.3)), swing(2, (0.5, 0.2, 0.3), (0.4, 0.5, 0.1))) == 2
    assert turning((1.0, 0.0), swing(1, (0.5, 0.5), (0.5, 0.5)), swing(2, (0.5, 0.5), (0.51, 0.49))) == 2
