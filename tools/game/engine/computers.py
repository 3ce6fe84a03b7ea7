"""A player of Zebra that sees only its view."""

from random import Random
from typing import Final

from engine.game import Seat
from engine.games.zebra.actions import Action, Play
from engine.games.zebra.view import View, playable

LEVELS: Final = 1
"""There is only one strength; a game with more of them chooses by *level*."""


def decide(view: View, me: Seat, rng: Random, level: int, memory: None) -> Action:
    """The lowest card that it may play: the high ones are for the last trick.

    If choices were nearly equal, *rng* should draw one by lot, so that nobody can predict it.
    """
    return Play(me, min(playable(view.hand, view.trick)))
