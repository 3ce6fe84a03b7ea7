"""How likely it is that these or those give a gift when a hand ends (T9)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.twelve_days.prospects import giver_sets, giver_subset_probabilities

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
