"""What is counted of people in 17: calls, bluffs that worked, traps that somebody else's call has snapped."""

from collections import Counter
from random import Random

import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette.actions import Call, Play
from engine.games.diciassette.cards import Card, Face
from engine.games.diciassette.events import Because, Token, TokenGiven
from engine.games.diciassette.game import GAME
from engine.games.diciassette.state import State
from engine.games.diciassette.tallies import count_increments
from tests.games.diciassette import FAIR, state

HANDS = ["R R T", "1 1 1", "2 2 2"]


def lies(queue: str, last: int = 0, hands: list[str] = HANDS) -> State:
    """Everybody may call but *last*, who has played the last card of *queue*; the next seat is on turn."""
    return state(hands, turn=(last + 1) % len(hands), last=last, lies=queue)


def call(before: State, *seats: int) -> list[tuple[int, str]]:
    """What a call of *seats* adds."""
    step = GAME.apply(before, Call(tuple(Seat(seat) for seat in seats)), FAIR)
    return list(count_increments(before, step))


def test_a_call_is_right_from_17_on() -> None:
    assert call(lies("2:5 1:5= 0:5= 0:2?"), 2) == [(2, "right_calls")]
    assert call(lies("2:5 1:5= 0:5= 0:1?"), 2)[0] == (2, "wrong_calls")


def test_of_several_who_call_at_once_only_the_one_who_counts_has_called_d9() -> None:
    assert call(lies("2:5 1:5= 0:5= 0:2?"), 2, 1) == [(1, "right_calls")]


@pytest.mark.parametrize(
    ("queue", "bluffed"),
    [
        ("2:5 1:5= 0:5= 0:1?", True),
        ("0:R? 1:5= 2:3= 0:4=", True),
        ("2:5 1:5= 0:5= 0:1", False),
        ("2:5 1:5= 0:5= 0:1=?", False),
        ("0:1? 2:5 0:5= 1:5=", True),
        ("2:1? 1:5= 0:5=", False),
        ("1:1? 2:5 0:5= 1:5=", False),
        ("0:1? 2:1 1:1", False),
    ],
    ids=["hidden", "hidden before", "face up", "open back", "played before", "the caller’s", "another’s", "impossible"],
)
def test_a_bluff_has_worked_if_others_hid_cards_and_a_call_that_could_be_right_was_wrong(
    queue: str, bluffed: bool
) -> None:
    assert ((0, "bluffs") in call(lies(queue), 2)) is bluffed


def test_it_is_the_bluff_of_everybody_who_hid_but_the_caller() -> None:
    """As the highlights and the coach tell it."""
    assert call(lies("2:3? 1:5= 1:1? 0:5= 0:1?"), 2) == [(2, "wrong_calls"), (0, "bluffs"), (1, "bluffs")]


def test_a_call_that_had_to_be_is_wrong_and_no_bluff_d10() -> None:
    forced = lies("2:3? 1:5= 0:5= 0:1?", hands=["R R T", "", "2 2 2"])
    assert call(forced, 1) == [(1, "wrong_calls")]
    assert call(forced, 2) == [(2, "wrong_calls"), (0, "bluffs")]


def test_every_trap_counts_for_who_set_it_but_not_against_themselves_d14() -> None:
    trapped = lies("2:P? 0:P? 1:P 2:P? 1:P? 0:5=")
    assert call(trapped, 1) == [
        (1, "wrong_calls"),
        (0, "bluffs"),
        (2, "bluffs"),
        (2, "traps"),
        (0, "traps"),
        (2, "traps"),
    ]


def test_a_card_adds_nothing() -> None:
    before = lies("2:5 1:5= 0:1?")
    step = GAME.apply(before, Play(Seat(1), Card.ONE, Face.UP), FAIR)
    assert list(count_increments(before, step)) == []


@pytest.mark.parametrize("seats", GAME.seats)
def test_calls_are_as_many_as_the_tokens_for_them(seats: int) -> None:
    """A right call costs whoever played last a penalty, a wrong one the caller, whatever else happens (D14)."""
    counts: Counter[str] = Counter()
    tokens: Counter[Because] = Counter()
    for seed in range(20):
        rng, chance = Random(seed), SeededChance(seed.to_bytes(32, "big"))
        now = GAME.new(seats, {}, chance).state
        while GAME.on_turn(now) is not None:
            options = [action for seat in range(seats) for action in GAME.legal_actions(now, Seat(seat))]
            step = GAME.apply(now, rng.choice(options), chance)
            counts.update(what for _, what in count_increments(now, step))
            tokens.update(it.because for it in step.events if isinstance(it, TokenGiven) and it.token is Token.PENALTY)
            now = step.state
    assert (counts["right_calls"], counts["wrong_calls"]) == (
        tokens[Because.RIGHT_CALL],
        tokens[Because.WRONG_CALL],
    )
    assert 0 < counts["bluffs"] <= (seats - 1) * counts["wrong_calls"]
    assert 0 < counts["traps"] <= tokens[Because.TRAP]
