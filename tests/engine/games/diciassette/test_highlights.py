"""What is told of a game of 17 at its end: the bravest call, the best bluff, the traps."""

from fractions import Fraction
from random import Random

from engine.game import Seat, Step
from engine.games.diciassette.actions import Call, Play
from engine.games.diciassette.cards import Card, Face
from engine.games.diciassette.events import Event
from engine.games.diciassette.game import GAME
from engine.games.diciassette.highlights import CERTAIN, NOTHING, FiredTrap, Highlights, add_highlights
from engine.games.diciassette.state import State
from tests.games.diciassette import FAIR, redealt, state

RISKY = state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies="2:5 1:5= 0:5= 0:5?")
"""Everybody but seat 0 sees 15 and one plain back, a 5."""
BLUFF = state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies="2:5 1:5= 0:5= 0:R?")
"""It looks just like ``RISKY``, but the plain back is a Reverse."""


def call(before: State, seat: int, so_far: Highlights = NOTHING) -> Highlights:
    """What is told after a call of *seat*."""
    return add_highlights(so_far, before, step(before, Call((Seat(seat),))))


def step(before: State, action: Call | Play) -> Step[State, Event]:
    return GAME.apply(before, action, FAIR)


def chance(*unseen: str, wanted: str) -> int:
    """How likely one card of *unseen* is one of *wanted*, in ten-thousandths."""
    cards = " ".join(unseen).split()
    return round(CERTAIN * Fraction(sum(card in wanted.split() for card in cards), len(cards)))


def test_the_bravest_call_is_the_right_one_with_the_lowest_chance_that_its_caller_saw() -> None:
    told = call(RISKY, 2)
    assert told.bravest is not None
    assert (told.bravest.caller, told.bravest.total) == (2, 20)
    expected = chance("1 1 1 3 3 3 4 4 4 5 5", "R " * 5, "T " * 5, "X " * 5, "P " * 5, wanted="3 4 5")
    assert told.bravest.chance == expected
    assert told.bluff is None


def test_the_best_bluff_is_the_wrong_call_that_looked_best_to_its_caller() -> None:
    told = call(BLUFF, 2)
    assert told.bluff is not None
    assert (told.bluff.caller, told.bluff.total) == (2, 15)
    assert told.bravest is None
    assert told.bluff.hid == (0,)
    right = call(RISKY, 2).bravest
    assert right is not None
    assert told.bluff.chance == right.chance, "what is hidden changes nothing"


def test_whoever_hid_something_has_bluffed_and_not_whoever_laid_an_open_card_last() -> None:
    """And nobody where everything lay open to the caller."""
    told = call(state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies="2:5 1:R? 0:5= 0:5="), 2)
    assert told.bluff is not None
    assert told.bluff.hid == (1,)
    own = call(state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies="2:5 2:R? 0:5= 0:5="), 2)
    assert own.bluff is None
    both = call(state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies="2:R? 1:R? 0:P? 0:5= 1:5= 0:5="), 2).bluff
    assert both is not None
    assert both.hid == (0, 1)


def test_a_hidden_card_that_counts_as_much_as_it_seems_is_no_bluff() -> None:
    """On average such a card counts 1.3."""
    for hidden, bluffed in (("0:2?", False), ("0:1?", True), ("0:P?", True), ("0:2? 1:R?", True)):
        lies = f"2:5 1:4= 0:5= {hidden}"
        told = call(state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies=lies), 2)
        assert (told.bluff is not None) is bluffed
    assert told.bluff is not None
    assert told.bluff.hid == (1,)


def test_a_call_that_was_hardly_possible_is_no_bluff_worth_telling() -> None:
    """Of two hidden cards both had to be high, with 8 in sight."""
    assert call(state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies="1:R? 0:3= 0:5= 1:P?"), 2).bluff is None


def test_the_chance_is_the_same_however_what_the_caller_cannot_see_was_dealt() -> None:
    chances = set()
    for seed in range(20):
        told = call(redealt(BLUFF, Seat(2), Random(seed)), 2)
        claim = told.bravest or told.bluff
        assert claim is not None
        chances.add(claim.chance)
    assert len(chances) == 1


def test_who_knows_their_own_card_is_not_brave() -> None:
    """Seat 1 laid the plain back: they see 20."""
    certain = state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies="2:5 1:5= 1:5? 0:5=")
    assert call(certain, 1).bravest is None
    assert call(certain, 2).bravest is not None


def test_whoever_is_on_turn_and_calls_instead_of_playing_is_told_of_too() -> None:
    assert RISKY.turn == 1
    assert call(RISKY, 1).bravest is not None


def test_a_call_that_cannot_be_right_is_no_bluff() -> None:
    hopeless = state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies="0:5")
    assert call(hopeless, 1) == NOTHING


def test_who_has_to_call_is_neither_brave_nor_bluffed_d10() -> None:
    for before in (RISKY, BLUFF):
        forced = before._replace(hands=((Card.REVERSE,), (), (Card.TWO,)))
        assert call(forced, 1) == NOTHING
        assert call(forced, 2) != NOTHING


def test_of_equal_calls_the_first_is_told_and_a_better_one_takes_its_place() -> None:
    first = call(RISKY, 2)
    assert call(RISKY._replace(ply=9), 2, first) == first
    braver = state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies="2:5 1:4= 0:4= 0:5?", round_=2)
    told = call(braver._replace(ply=9), 2, first)
    assert told.bravest is not None
    assert told.bravest.ply == 9
    assert call(RISKY._replace(ply=11), 2, told).bravest == told.bravest


def test_of_equal_bluffs_the_first_is_told_and_a_better_one_takes_its_place() -> None:
    first = call(BLUFF, 2)
    assert call(BLUFF._replace(ply=9), 2, first) == first
    better = state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies="2:5 1:5= 0:5= 1:1= 0:R?")
    told = call(better._replace(ply=9), 2, first)
    assert told.bluff is not None
    assert told.bluff.ply == 9
    assert call(BLUFF._replace(ply=11), 2, told).bluff == told.bluff


def test_every_trap_that_fires_is_told_with_who_set_it_and_who_walked_in_d14_d15() -> None:
    trapped = state(["R R T", "1 1 1", "2 2 2"], turn=1, last=0, lies="2:P? 0:P? 1:P 2:P? 0:5")
    told = call(trapped, 1)
    assert told.snaps == (
        FiredTrap(5, Seat(2), Seat(1)),
        FiredTrap(5, Seat(0), Seat(1)),
        FiredTrap(5, Seat(2), Seat(1)),
    )
    again = call(trapped._replace(ply=8), 2, told)
    assert again.snaps == (*told.snaps, *(FiredTrap(8, Seat(owner), Seat(2)) for owner in (2, 0, 2)))


def test_a_card_adds_nothing() -> None:
    told = call(RISKY, 2)
    assert add_highlights(told, RISKY, step(RISKY, Play(Seat(1), Card.ONE, Face.UP))) is told
