"""The trained networks and the store of played hands, made by ``python -m engine.train twelve_days``."""

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.twelve_days.network import Network, from_named_arrays

FILE: Final = "knowledge.npz"


class SeatGroup(NamedTuple):
    """A range of numbers of seats that share one network."""

    fewest: int
    most: int

    @property
    def opponents(self) -> int:
        """The most opponents at one table."""
        return self.most - 1

    @property
    def tables(self) -> int:
        """The count of different numbers of seats."""
        return self.most - self.fewest + 1


SEAT_GROUPS: Final = (SeatGroup(2, 2), SeatGroup(3, 4), SeatGroup(5, 8))


class Knowledge(NamedTuple):
    """All trained data: the networks of computer players and of the coach, and the store of played hands."""

    players: dict[SeatGroup, Network]
    """The networks that predict the outcomes of a seat's choices, from what the seat knows."""
    watchers: dict[SeatGroup, Network]
    """The networks that predict the outcomes with all cards open."""
    hands: dict[int, NDArray[np.int8]]
    """By number of seats, (hands, seats): played hands, with seats counted from the leader; 1: won, -1: held the most
    cards, 0: neither."""


def seat_group_of(seats: int) -> SeatGroup:
    """The group of table sizes, with networks of its own, to which a table with *seats* belongs."""
    return next(room for room in SEAT_GROUPS if seats <= room.most)


@cache
def load_knowledge() -> Knowledge:
    """Load the trained networks and the store of played hands from their file, which is read once. Cached."""
    with files("engine.games.twelve_days").joinpath(FILE).open("rb") as file, np.load(file) as arrays:
        return Knowledge(
            players={room: from_named_arrays(arrays, f"player{room.most}.") for room in SEAT_GROUPS},
            watchers={room: from_named_arrays(arrays, f"watcher{room.most}.") for room in SEAT_GROUPS},
            hands={seats: arrays[f"hands{seats}"] for seats in range(SEAT_GROUPS[0].fewest, SEAT_GROUPS[-1].most + 1)},
        )
