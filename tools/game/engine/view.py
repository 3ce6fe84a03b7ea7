"""What one seat, or the public, may know of a game of Zebra, and what it may do."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.game import Seat
from engine.games.zebra.actions import Action, Play
from engine.games.zebra.cards import Card
from engine.games.zebra.events import Event, Shuffled
from engine.games.zebra.state import State


class View(NamedTuple):
    """What *seat* (``None``: the public) may know. ``seat``, ``turn`` and ``winners`` belong to every game with
    turns."""

    seat: Seat | None
    turn: Seat
    trick: tuple[Play, ...]
    hand: tuple[Card, ...]
    """The viewer's own; empty for the public."""
    hand_sizes: tuple[int, ...]
    tricks: tuple[int, ...]
    winners: tuple[Seat, ...]


def view(state: State, seat: Seat | None) -> View:
    """What *seat* may know of *state*; ``None``: a spectator.

    Other hands and what was set aside are hidden (ZZ1).
    """
    return View(
        seat=seat,
        turn=state.turn,
        trick=state.trick,
        hand=() if seat is None else state.hands[seat],
        hand_sizes=tuple(map(len, state.hands)),
        tricks=state.tricks,
        winners=state.winners,
    )


def playable(hand: Sequence[Card], trick: Sequence[Play]) -> tuple[Card, ...]:
    """The cards of *hand* that may be played on *trick* (ZZ2).

    They are those that beat its highest card, or all if none does.

    >>> playable((2, 5, 9), (Play(Seat(0), 4),)), playable((2, 3), (Play(Seat(0), 4),))
    ((5, 9), (2, 3))
    """
    highest = max((play.card for play in trick), default=0)
    return tuple(card for card in hand if card > highest) or tuple(hand)


def actions(view: View, seat: Seat) -> tuple[Action, ...]:
    """Every play of a card that may be played."""
    return tuple(Play(seat, card) for card in playable(view.hand, view.trick))


def witness(event: Event, seat: Seat | None) -> Event:
    """*event* as everybody saw it: only the order of the deck is hidden."""
    return Shuffled(None) if isinstance(event, Shuffled) else event
