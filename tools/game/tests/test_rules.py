"""Zebra, sentence by sentence.

Tests named after a ruling (zz1 ...) follow engine/games/zebra/rulings.md.
"""

import pytest

from engine.errors import General, IllegalAction
from engine.fair import SeededChance
from engine.game import Seat
from engine.games.zebra.actions import Play
from engine.games.zebra.errors import Refused
from engine.games.zebra.events import GameEnded, TrickTaken
from engine.registry import GAMES
from tests.games.zebra import state

FAIR = SeededChance(bytes(32))
GAME = GAMES["zebra"]


@pytest.mark.parametrize("size", [3, 2])
def test_three_or_two_cards_each_the_rest_is_set_aside_zz1(size: int) -> None:
    for seats in GAME.seats:
        start = GAME.new(seats, {"cards": str(size)}, FAIR).state
        assert [len(hand) for hand in start.hands] == [size] * seats
        assert len(start.aside) == 12 - size * seats
        assert "aside" not in GAME.views.view(start, Seat(0))._fields


def test_whoever_can_beat_the_highest_card_must_zz2() -> None:
    before = state(["2 9", "1 3 4"], lies=(5,))
    with pytest.raises(IllegalAction) as no:
        GAME.apply(before, Play(Seat(0), 2), FAIR)
    assert no.value.reason is Refused.MUST_BEAT
    assert GAME.legal_actions(before, Seat(0)) == (Play(Seat(0), 9),)
    with pytest.raises(IllegalAction) as no:
        GAME.apply(before, Play(Seat(0), 7), FAIR)
    assert no.value.reason is General.NOT_IN_HAND


def test_whoever_cannot_beat_it_plays_any_card_zz2() -> None:
    before = state(["2 3", "1 4 6"], lies=(5,))
    assert GAME.legal_actions(before, Seat(0)) == (Play(Seat(0), 2), Play(Seat(0), 3))


def test_the_highest_card_takes_the_trick_and_leads_next_zz3() -> None:
    step = GAME.apply(state(["1 9", "2", "3"], lies=(5, 7)), Play(Seat(0), 9), FAIR)
    assert TrickTaken(Seat(0), 9) in step.events
    assert (step.state.turn, step.state.trick, step.state.tricks) == (0, (), (1, 0, 0))


def test_the_most_tricks_win_and_ties_are_joint_zz4() -> None:
    step = GAME.apply(state(["9", ""], lies=(5,), tricks=(0, 1)), Play(Seat(0), 9), FAIR)
    assert step.events[-1] == GameEnded((Seat(0), Seat(1)))
    assert [(it.seat, it.place) for it in GAME.standings(step.state)] == [(0, 1), (1, 1)]
