"""A player of Zebra that sees only its view."""

from random import Random

from engine.game import Seat
from engine.games.zebra.actions import Action, Play
from engine.games.zebra.view import View, playable


def decide(view: View, me: Seat, rng: Random) -> Action:
    """The lowest card that it may play: the high ones are for the last trick.

    If choices were nearly equal, *rng* should draw one by lot, so that nobody can predict it.
    """
    return Play(me, min(playable(view.hand, view.trick)))
