"""The actions that a seat can take in 12 Days of Christmas."""

from typing import NamedTuple

from engine.game import Seat
from engine.games.twelve_days.cards import Cards


class Play(NamedTuple):
    """Play the combination *cards*, as the lead or as an answer to it (T5, T6)."""

    seat: Seat
    cards: Cards


class Pass(NamedTuple):
    """Play nothing in this trick (T6)."""

    seat: Seat


Action = Play | Pass
