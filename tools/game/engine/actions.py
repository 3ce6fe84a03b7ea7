"""What a seat can ask for in Zebra."""

from typing import NamedTuple

from engine.game import Seat
from engine.games.zebra.cards import Card


class Play(NamedTuple):
    """Play *card* (ruling ZZ2). A game with more kinds of action makes ``Action`` a union: ``Play | Pass``."""

    seat: Seat
    card: Card


Action = Play
