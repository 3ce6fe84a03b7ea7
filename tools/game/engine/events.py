"""What happened in Zebra: facts, never sentences.

``None`` in place of cards: the witness did not see them.
"""

from typing import NamedTuple

from engine.game import Seat
from engine.games.zebra.cards import Card


class Shuffled(NamedTuple):
    """The deck was shuffled; *order* begins with the cards of seat 0 (``None``: unseen)."""

    order: tuple[Card, ...] | None


class Started(NamedTuple):
    """*seat* was drawn to lead."""

    seat: Seat


class Played(NamedTuple):
    """*seat* has played *card*, for everybody to see."""

    seat: Seat
    card: Card


class TrickTaken(NamedTuple):
    """*seat* played the highest card, and leads next."""

    seat: Seat
    card: Card


class GameEnded(NamedTuple):
    """All cards are played."""

    winners: tuple[Seat, ...]


Event = Shuffled | Started | Played | TrickTaken | GameEnded
