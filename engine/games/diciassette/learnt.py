"""What was learnt by self-play: the networks that the computer player and the coach use.

``python -m engine.train diciassette`` has made the file ``networks.npz``; docs of the training: ``engine.train``.
"""

from functools import cache
from typing import NamedTuple

from engine.games.diciassette.styles import MASTER
from engine.network import Floats, Network, load

FILE = "networks.npz"


class Learnt(NamedTuple):
    """The networks."""

    policy: Network
    """Features of a seat -> a logit for every choice (``choices``)."""
    critic: Network
    """Open features -> a logit for every seat, relative to the player on turn: who will win."""
    advisor: Network
    """Features of a seat -> for every choice the log-odds of winning after it; last those that the queue holds 17."""


@cache
def learnt() -> Learnt:
    """The networks, read once."""
    networks = load(__package__, FILE)
    return Learnt(networks["policy"], networks["critic"], networks["advisor"])


def master(seen: Floats) -> Floats:
    """A logit for every choice of every row of features *seen*, as who plays just by the network."""
    return MASTER.judged(learnt().policy(seen), seen)
