"""The actions that a seat can take in 17."""

from typing import NamedTuple

from engine.game import Seat
from engine.games.diciassette.cards import Card, Face


class Play(NamedTuple):
    """Play *card* at the right end of the queue (D6)."""

    seat: Seat
    card: Card
    face: Face


class Call(NamedTuple):
    """Call "17!": all *seats* that called at the same time, in click order (D8, D9)."""

    seats: tuple[Seat, ...]


Action = Play | Call
