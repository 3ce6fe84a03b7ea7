"""A player of Zebra that sees only its view."""

from random import Random

from engine.game import Seat
from engine.games.zebra.actions import Action, Play
from engine.games.zebra.view import View, playable


def decide(view: View, me: Seat, rng: Random) -> Action:
    """The lowest card that it may play: the high ones are for the last trick. Near-equal choices would be drawn by
    *rng*, so that nobody can read it like a book."""
    return Play(me, min(playable(view.hand, view.trick)))
