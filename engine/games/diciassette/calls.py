"""Who may call "17!", and the call that is forced (D8-D10)."""

from engine.game import Seat
from engine.games.diciassette.actions import Action, Call
from engine.games.diciassette.state import State


def may_call(state: State) -> tuple[Seat, ...]:
    """Everybody but the player whose turn has just ended, between turns (D8)."""
    return state.may_call


def call(seats: tuple[Seat, ...]) -> Action:
    """The call of all *seats*, in click order (D9)."""
    return Call(seats)


def forced(state: State) -> Action | None:
    """The call of a player on turn with an empty hand (D10)."""
    return None if state.hands[state.turn] else Call((state.turn,))
