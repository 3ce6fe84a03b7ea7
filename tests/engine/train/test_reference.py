"""The computer player of version 0.2, a measured opponent: its odds, its plans, its choices."""

from itertools import combinations
from random import Random

import pytest

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import DECK, Cards, rank_counts
from engine.games.twelve_days.combinations import Kind, combination_kind, playable_combinations
from engine.games.twelve_days.state import State
from engine.games.twelve_days.view import view
from engine.train.twelve_days import reference
from engine.train.twelve_days.reference import Planner, combination_chances_by_rank, holds, unseen
from tests.games.twelve_days import cards, state

pytestmark = pytest.mark.one_in(4)

EVEN = Planner(dict.fromkeys(Kind, (0.5,) * 12))


def chosen(before: State) -> Action:
    return reference.decide(view(before, before.turn), before.turn, Random(1))


def test_unseen_leaves_out_hand_trick_and_what_was_played() -> None:
    before = state(["2 5", "3 9"], lies="1:10 10", gone="1 12")
    pool = unseen(view(before, Seat(0)))
    assert sum(pool) == 78 - 2 - 2 - 2
    assert (pool[0], pool[1], pool[9], pool[11]) == (0, 1, 8, 11)


def exact(pool: Cards, size: int, kind: Kind, low: int) -> float:
    """By counting every hand there is."""
    hands = [tuple(sorted(hand)) for hand in combinations(pool, size)]
    good = sum(
        any(combination_kind(play) is kind and play[0] <= low for play in playable_combinations(hand)) for hand in hands
    )
    return good / len(hands)


@pytest.mark.parametrize("low", [2, 4, 6])
def test_the_odds_of_a_singleton_are_exact_those_of_sets_and_straights_near(low: int) -> None:
    pool = cards("2 2 3 3 3 4 4 5 6 6 6 6")
    for kind, error in ((Kind.SINGLETON, 1e-9), (Kind.SET, 0.15), (Kind.STRAIGHT, 0.15)):
        assert combination_chances_by_rank(rank_counts(pool), 4, kind)[low - 1] == pytest.approx(
            exact(pool, 4, kind, low), abs=error
        )


def test_nobody_beats_the_1_and_more_opponents_are_more_dangerous() -> None:
    pool = tuple(there - (rank == 1) for rank, there in enumerate(rank_counts(DECK), start=1))
    assert holds(pool, (12, 12), Kind.SINGLETON, 1) == 1.0
    assert holds(pool, (12,), Kind.SINGLETON, 3) > holds(pool, (12, 12, 12), Kind.SINGLETON, 3) > 0


@pytest.mark.parametrize(
    ("hand", "tricks"), [("3", 1), ("3 3 3", 1), ("3 4 5 6", 1), ("3 3 4 5", 2), ("2 4 6", 3), ("3 4 5 5 5", 2)]
)
def test_a_hand_is_split_into_the_fewest_plays(hand: str, tricks: int) -> None:
    assert EVEN.cost(cards(hand)) == pytest.approx(tricks * EVEN.cost(cards("3")) - (tricks - 1) * 0.5)


def test_it_does_not_break_a_straight_in_the_middle_for_a_trick_it_cannot_win() -> None:
    move = chosen(state(["3 4 5 6 7 12 12", "9 9 9", "1 7 7"], lies="1:8, 2:1"))
    assert move in (Pass(Seat(0)), Play(Seat(0), (3,)), Play(Seat(0), (7,)))
