"""What is told of a game of 12 Days at its end: the biggest play, the best hand, who was caught."""

from engine.game import Seat
from engine.games.twelve_days.actions import Pass, Play
from engine.games.twelve_days.game import GAME
from engine.games.twelve_days.highlights import (
    NOTHING,
    BiggestPlay,
    GiftHarvest,
    Highlights,
    PlayersCaught,
    add_highlights,
)
from engine.games.twelve_days.state import State
from tests.games.twelve_days import FAIR, cards, state


def told(before: State, *moves: str, so_far: Highlights = NOTHING) -> Highlights:
    """What is told after the moves, one after the other, "-" being a pass."""
    for move in moves:
        action = Pass(before.turn) if move == "-" else Play(before.turn, cards(move))
        step = GAME.apply(before, action, FAIR)
        so_far, before = add_highlights(so_far, before, step), step.state
    return so_far


def test_the_biggest_play_is_the_one_of_the_most_cards_whoever_takes_the_trick() -> None:
    before = state(["9 9 9 12", "8 8 12", "3 4"])
    assert told(before, "9 9 9", "8 8", "-").biggest == BiggestPlay(7, Seat(0), (9, 9, 9))


def test_of_equal_plays_the_first_is_told_and_a_bigger_one_takes_its_place() -> None:
    first = told(state(["9 9 12", "8 8 12", "3 4"]), "9 9", "8 8", "-")
    assert first.biggest == BiggestPlay(7, Seat(0), (9, 9))
    assert told(state(["7 7 12", "3 4", "3 4"]), "7 7", "-", "-", so_far=first).biggest == first.biggest
    bigger = told(state(["2 3 4 12", "3 4", "3 4"]), "2 3 4", "-", "-", so_far=first)
    assert bigger.biggest == BiggestPlay(7, Seat(0), (2, 3, 4))


def test_single_cards_and_plays_that_are_taken_back_are_not_told_t8() -> None:
    assert told(state(["9 12", "8 12", "3 4"]), "9", "8", "-") == NOTHING
    taken_back = told(state(["9 9 9", "8 8 12", "3 4"]), "9 9 9", "8 8", "-")
    assert taken_back.biggest == BiggestPlay(7, Seat(1), (8, 8))


def test_the_best_hand_brought_the_most_gifts_t9() -> None:
    ended = told(state(["5", "8 12", "7 4"], gifts=(0, 2, 1)), "5", "-", "-")
    assert ended.harvest == GiftHarvest(7, Seat(0), 3)
    fewer = told(state(["5", "8 12", "7"], gifts=(0, 2, 1)), "5", "-", "-", so_far=ended)
    assert fewer.harvest == ended.harvest


def test_a_hand_that_brought_one_gift_alone_is_not_told_t9() -> None:
    assert told(state(["5", "8 12", "7"], gifts=(1, 0, 2)), "5", "-", "-").harvest is None


def test_who_held_the_most_cards_when_somebody_went_out_is_told_t9() -> None:
    ended = told(state(["5", "8 12", "7 4"]), "5", "-", "-")
    assert ended.caught == PlayersCaught(7, Seat(0), (Seat(1), Seat(2)), 2, 1)
    assert told(state(["5", "8", "7"]), "5", "-", "-").caught == ended.caught._replace(cards=1)
    worse = told(state(["5", "8 12", "7 4 4"]), "5", "-", "-", so_far=ended)
    assert worse.caught == PlayersCaught(7, Seat(0), (Seat(2),), 3, 1)
    assert told(state(["5", "8 12 12", "7"]), "5", "-", "-", so_far=worse).caught == worse.caught
