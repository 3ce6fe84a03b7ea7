"""What ``python -m engine.train twelve_days`` has learnt: networks, and a store of hands that were played."""

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.twelve_days.network import Network, from_named

FILE: Final = "knowledge.npz"


class Room(NamedTuple):
    """The numbers of seats that one network plays at."""

    fewest: int
    most: int

    @property
    def opponents(self) -> int:
        """The most opponents at one table."""
        return self.most - 1

    @property
    def tables(self) -> int:
        """How many different numbers of seats there are."""
        return self.most - self.fewest + 1


ROOMS: Final = (Room(2, 2), Room(3, 4), Room(5, 8))


class Knowledge(NamedTuple):
    """All that was learnt."""

    players: dict[Room, Network]
    """What a seat expects of its choices, by what it knows."""
    watchers: dict[Room, Network]
    """What somebody who sees all cards expects."""
    hands: dict[int, NDArray[np.int8]]
    """By number of seats, (hands, seats): hands that were played, seats counted from the leader; 1: won, -1: held the
    most cards, 0: neither."""


def room_of(seats: int) -> Room:
    """The room of a table with *seats*."""
    return next(room for room in ROOMS if seats <= room.most)


@cache
def knowledge() -> Knowledge:
    """What the file holds; it is read once."""
    with files("engine.games.twelve_days").joinpath(FILE).open("rb") as file, np.load(file) as arrays:
        return Knowledge(
            players={room: from_named(arrays, f"player{room.most}.") for room in ROOMS},
            watchers={room: from_named(arrays, f"watcher{room.most}.") for room in ROOMS},
            hands={seats: arrays[f"hands{seats}"] for seats in range(ROOMS[0].fewest, ROOMS[-1].most + 1)},
        )
