"""How likely it is that these or those give a gift when a hand ends (T9)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Seat
from engine.games.twelve_days.prospects import (
    chance_with_open_givers,
    chances_after_hand,
    chances_from_outcomes,
    giver_sets,
    giver_subset_probabilities,
    mean_givers_per_hand,
)

GIVES = st.lists(st.floats(0, 1), min_size=2, max_size=8)


@given(GIVES.filter(lambda it: sum(it) >= 1))
def test_everybody_gives_as_often_as_they_are_likely_to(gives: list[float]) -> None:
    found = giver_subset_probabilities(np.array([gives]))
    assert found[0, 0] == 0
    assert found[0].sum() == pytest.approx(1)
    assert (found @ giver_sets(len(gives)))[0] == pytest.approx(gives, abs=1e-6)


@given(GIVES.filter(lambda it: 0.01 < sum(it) <= 1))
def test_where_there_is_one_giver_at_most_each_gives_alone(gives: list[float]) -> None:
    found = giver_subset_probabilities(np.array([gives]))[0]
    alone = [found[1 << seat] for seat in range(len(gives))]
    assert alone == pytest.approx([it / sum(gives) for it in gives], abs=1e-6)


def test_who_is_sure_to_give_is_in_every_set() -> None:
    found = giver_subset_probabilities(np.array([[1.0, 1.0, 0.25]]))[0]
    assert found[0b111] == pytest.approx(0.25)
    assert found[0b011] == pytest.approx(0.75)


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_beside_a_giver_others_give_as_often_as_in_played_hands(seats: int) -> None:
    """Seat 0 has won the last hand, and seat 1 gives: whether seat 2 gives too decides between a win and a draw."""
    winner, me, other = map(Seat, range(3))
    gifts = (2, 6, 1, *(0,) * (seats - 3))
    alone, both = (chances_after_hand(gifts, winner, givers, 0)[me] for givers in ((me,), (me, other)))
    assert alone > both
    beside = (mean_givers_per_hand(seats) - 1) / (seats - 2)
    found = chance_with_open_givers(gifts, winner, [other], 0, me, 1.0)
    assert found == pytest.approx(beside * both + (1 - beside) * alone)
    assert chance_with_open_givers(gifts, winner, [], 0, me, 1.0) == pytest.approx(alone)


@pytest.mark.parametrize("seats", [4, 6])
def test_who_gives_nothing_is_not_among_those_of_whom_one_gives(seats: int) -> None:
    """Seat 0 has won the last hand, and seat 2 or seat 3 gives: whether both do decides between a draw and a defeat."""
    winner, me, *others = map(Seat, range(4))
    gifts = (2, 4, 1, 1, *(0,) * (seats - 4))
    alone, both = (chances_after_hand(gifts, winner, tuple(givers), 0)[me] for givers in (others[:1], others))
    assert alone > both
    beside = (mean_givers_per_hand(seats) - 1) / (seats - 2)
    found = chance_with_open_givers(gifts, winner, others, 0, me, 0.0)
    assert found == pytest.approx(beside * both + (1 - beside) * alone)
    assert chance_with_open_givers(gifts, winner, others[:1], 0, me, 0.0) == pytest.approx(alone)


@pytest.mark.parametrize("likely", [0.0, 5e-7, 2e-6, 1e-3, 0.5])
def test_somebody_gives_though_hardly_anybody_is_likely_to_and_rather_whoever_is_likelier(likely: float) -> None:
    """Seat 0 has won the last hand, and shares the win with whoever keeps both gifts."""
    outcomes = np.array([(1, 0, 0), (0, likely, 1 - likely), (0, 0, 1)], np.float32)
    first, second, third = chances_from_outcomes(outcomes, (0, 2, 2), 0)
    assert (first, second + third) == pytest.approx((0.5, 0.5))
    assert 0 <= second < third if likely else second == pytest.approx(third)
