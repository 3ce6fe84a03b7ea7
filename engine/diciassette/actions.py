"""What a seat can ask for in 17."""

from typing import NamedTuple

from engine.diciassette.cards import Card, Face
from engine.game import Seat


class Play(NamedTuple):
    """Lay *card* at the right end of the queue (D6)."""

    seat: Seat
    card: Card
    face: Face


class Call(NamedTuple):
    """Call "17!": all *seats* that called at the same time, in click order (D8, D9)."""

    seats: tuple[Seat, ...]


Action = Play | Call
