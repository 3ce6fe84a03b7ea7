"""What ``python -m engine.train twelve_days`` has learnt: networks, and a store of hands that were played."""

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.twelve_days.network import Network, from_named_arrays

FILE: Final = "knowledge.npz"


class SeatGroup(NamedTuple):
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


SEAT_GROUPS: Final = (SeatGroup(2, 2), SeatGroup(3, 4), SeatGroup(5, 8))


class Knowledge(NamedTuple):
    """All that was learnt."""

    players: dict[SeatGroup, Network]
    """What a seat expects of its choices, by what it knows."""
    watchers: dict[SeatGroup, Network]
    """What somebody who sees all cards expects."""
    hands: dict[int, NDArray[np.int8]]
    """By number of seats, (hands, seats): hands that were played, seats counted from the leader; 1: won, -1: held the
    most cards, 0: neither."""


def seat_group_of(seats: int) -> SeatGroup:
    """The room of a table with *seats*."""
    return next(room for room in SEAT_GROUPS if seats <= room.most)


@cache
def load_knowledge() -> Knowledge:
    """What the file holds; it is read once."""
    with files("engine.games.twelve_days").joinpath(FILE).open("rb") as file, np.load(file) as arrays:
        return Knowledge(
            players={room: from_named_arrays(arrays, f"player{room.most}.") for room in SEAT_GROUPS},
            watchers={room: from_named_arrays(arrays, f"watcher{room.most}.") for room in SEAT_GROUPS},
            hands={seats: arrays[f"hands{seats}"] for seats in range(SEAT_GROUPS[0].fewest, SEAT_GROUPS[-1].most + 1)},
        )
