"""How a round of 17 has ended for each player, as the deal of the day shows it."""

import pytest

from engine.game import RoundOutcome, Seat
from engine.games.diciassette.actions import Call
from engine.games.diciassette.daily import round_outcome
from engine.games.diciassette.game import GAME
from tests.games.diciassette import FAIR, state

HANDS = ["R R T", "1 1 1", "2 2 2"]
WON, LOST, OTHER = RoundOutcome.WON, RoundOutcome.LOST, RoundOutcome.OTHER


@pytest.mark.parametrize(
    ("queue", "expected"),
    [
        ("2:5 1:5= 0:5= 0:2?", [LOST, OTHER, WON]),
        ("2:5 1:5= 0:5= 0:1?", [WON, OTHER, LOST]),
        ("1:P? 2:5 1:5= 0:5=", [WON, WON, LOST]),
        ("2:P? 2:5 1:5= 0:5=", [WON, OTHER, OTHER]),
    ],
    ids=["right", "wrong", "a trap of another", "a trap of one's own"],
)
def test_tokens_say_who_has_won_and_lost_a_round_d14(queue: str, expected: list[RoundOutcome]) -> None:
    """Seat 0 has played the last card, and seat 2 calls."""
    step = GAME.apply(state(HANDS, turn=1, last=0, lies=queue), Call((Seat(2),)), FAIR)
    assert [round_outcome(step.events, Seat(seat)) for seat in range(3)] == expected


def test_a_play_ends_no_round() -> None:
    before = state(HANDS, turn=0, last=2, lies="2:5")
    step = GAME.apply(before, GAME.legal_actions(before, Seat(0))[0], FAIR)
    assert round_outcome(step.events, Seat(0)) is None
