"""How a hand of 12 Days has ended for each player, as the deal of the day shows it."""

from engine.game import RoundOutcome, Seat
from engine.games.twelve_days.actions import Pass, Play
from engine.games.twelve_days.daily import round_outcome
from engine.games.twelve_days.game import GAME
from engine.games.twelve_days.state import State
from tests.games.twelve_days import FAIR, cards, state

WON, LOST, OTHER = RoundOutcome.WON, RoundOutcome.LOST, RoundOutcome.OTHER


def outcomes(before: State, *moves: str) -> list[list[RoundOutcome | None]]:
    """By move, "-" being a pass, what it is for each seat."""
    found: list[list[RoundOutcome | None]] = []
    for move in moves:
        action = Pass(before.turn) if move == "-" else Play(before.turn, cards(move))
        step = GAME.apply(before, action, FAIR)
        found.append([round_outcome(step.events, Seat(seat)) for seat in range(len(before.hands))])
        before = step.state
    return found


def test_who_holds_the_most_cards_has_lost_the_hand_t9() -> None:
    open_, last = [None] * 3, outcomes(state(["5", "8 12", "7"], gifts=(0, 2, 1)), "5", "-", "-")
    assert last == [open_, open_, [WON, LOST, OTHER]]


def test_who_has_no_gift_to_give_has_lost_it_too_t9() -> None:
    assert outcomes(state(["5", "8 12", "7 4"], gifts=(0, 0, 1)), "5", "-", "-")[-1] == [WON, LOST, LOST]
