"""The computer player of 17: sees its view alone, is deterministic, and plays well."""

from itertools import combinations
from random import Random

import pytest

from engine.game import Seat
from engine.games.diciassette.actions import Call, Play
from engine.games.diciassette.cards import PLAIN_BACKED, Card, copies
from engine.games.diciassette.odds import Pool, estimate, odds, unseen
from engine.games.diciassette.view import view
from engine.registry import GAMES
from tests.games.diciassette import state

GAME = GAMES["diciassette"]


def test_the_odds_are_the_exact_hypergeometric_ones() -> None:
    pool = Pool((2, 1, 0, 1, 0), traps=1, blanks=2)
    cards = [1, 1, 2, 4, 0, 0, 0]
    draws = list(combinations(cards, 3))
    exact = odds(pool, 3)
    for threshold in range(18):
        counted = sum(sum(draw) >= threshold for draw in draws) / len(draws)
        assert exact.reaches[threshold] == pytest.approx(counted)
    assert exact.traps == pytest.approx(3 / 7)


def test_unseen_leaves_out_hand_and_queue() -> None:
    before = state(["1 P R", "2 3 4"], turn=0, last=1, lies="1:5 0:2? 1:3?")
    pool = unseen(view(before, Seat(0)))
    assert pool.numbers == (2, 2, 3, 3, 2)
    assert pool.traps == 4
    assert pool.size == sum(copies(card) for card in PLAIN_BACKED) - 5


def test_it_calls_when_the_sum_is_certain() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5 1:5 2:5 0:5")
    assert GAME.decide(view(before, Seat(0)), Random(1)) == Call((Seat(0),))
    assert GAME.decide(view(before, Seat(1)), Random(1)) == Call((Seat(1),))


def test_it_keeps_still_when_the_sum_is_hopeless() -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:1")
    assert GAME.decide(view(before, Seat(1)), Random(1)) is None
    assert isinstance(GAME.decide(view(before, Seat(0)), Random(1)), Play)


def test_it_adds_nothing_to_a_high_queue_when_it_can() -> None:
    before = state(["5= R 5", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5 1:5 2:4")
    chosen = GAME.decide(view(before, Seat(0)), Random(1))
    assert isinstance(chosen, Play)
    assert chosen.card is Card.REVERSE


def test_it_must_call_with_an_empty_hand_d10() -> None:
    before = state(["", "4 5 1"], turn=0, last=1, lies="1:1", draw="")
    assert GAME.decide(view(before, Seat(0)), Random(1)) == Call((Seat(0),))


def test_the_estimate_is_certain_without_hidden_cards() -> None:
    assert estimate(view(state(["1", "2"], last=1, lies="1:5= 0:5 1:5 0:2"), Seat(0))).seventeen == 1.0
    assert estimate(view(state(["1", "2"], last=1, lies="1:5=? 0:5 1:5 0:1"), Seat(0))).seventeen == 0.0
