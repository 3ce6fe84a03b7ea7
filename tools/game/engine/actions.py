"""What a seat can ask for in Zebra."""

from typing import NamedTuple

from engine.game import Seat
from engine.games.zebra.cards import Card


class Play(NamedTuple):
    """Play *card* (ruling ZZ2).

    If a game has more kinds of action, ``Action`` is a union of them: ``Play | Pass``.
    """

    seat: Seat
    card: Card


Action = Play
