"""The seats that may call "17!", and the forced call (D8-D10)."""

from engine.game import Seat
from engine.games.diciassette.actions import Action, Call
from engine.games.diciassette.state import State


def may_call(state: State) -> tuple[Seat, ...]:
    """The seats that may call, in seat order: between turns, every seat except the one that has just ended its turn
    (D8)."""
    return state.may_call


def call(seats: tuple[Seat, ...]) -> Action:
    """The call action of all *seats* that called at the same time, in click order (D9)."""
    return Call(seats)


def forced_call(state: State) -> Action | None:
    """The call of the player on turn if their hand is empty (D10); otherwise ``None``."""
    return None if state.hands[state.turn] else Call((state.turn,))
