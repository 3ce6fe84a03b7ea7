"""Everything there is to know about a running game of Zebra."""

from typing import NamedTuple

from engine.game import Seat
from engine.games.zebra.actions import Play
from engine.games.zebra.cards import Card


class State(NamedTuple):
    """A game of Zebra between two actions.

    ``ply``, ``turn`` and ``winners`` belong to every game with turns.
    """

    ply: int
    """Actions applied since the deal."""
    turn: Seat
    trick: tuple[Play, ...]
    """The cards on the table, in the order in which they were played."""
    hands: tuple[tuple[Card, ...], ...]
    """By seat, sorted."""
    aside: tuple[Card, ...]
    """What was not dealt, and what has been played in earlier tricks, sorted."""
    tricks: tuple[int, ...]
    """By seat, the tricks won so far."""
    winners: tuple[Seat, ...]
    """Empty while the game runs."""
