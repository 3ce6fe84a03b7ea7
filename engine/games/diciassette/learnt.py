"""The networks of the computer player and the coach, trained by self-play.

``python -m engine.train diciassette`` makes the files (see ``engine.train``). Tables of two have their own networks:
there, one player wins what the other loses.
"""

from functools import cache
from typing import Final, NamedTuple

from engine.games.diciassette.styles import MASTER
from engine.network import Floats, Network, load_networks

FILE_TWO: Final = "two.npz"
FILE_MANY: Final = "many.npz"
"""The files of the networks: for tables of two, and for all others."""


class Networks(NamedTuple):
    """The trained networks for tables of two, or for larger tables: policy, critic and advisor."""

    policy: Network
    """Features of a seat -> a logit for every choice (``choices``)."""
    critic: Network
    """Open features -> a logit for every seat, relative to the player on turn: its chance to win the game."""
    advisor: Network
    """Features of a seat -> for every choice, the log-odds of winning after it. The last number is the log-odds that
    the queue holds 17."""

    def master_logits(self, seen: Floats) -> Floats:
        """The logits of every choice for every row of features *seen*, as a player of the master style weighs them."""
        return MASTER.adjusted_logits(self.policy(seen), seen)


def networks_for(seats: int) -> Networks:
    """The trained networks for tables of *seats*: one set for two seats, one for all others. Each file is read once."""
    return _load_networks(FILE_TWO if seats == 2 else FILE_MANY)


@cache
def _load_networks(file: str) -> Networks:
    """Load the three networks in *file*, which lies in this folder. Cached."""
    return Networks(**load_networks(__package__, file))
