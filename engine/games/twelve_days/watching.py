"""The input of the coach's network: a situation with all cards open, as it concerns one seat."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.twelve_days.features import RANKS, Floats, Ints
from engine.games.twelve_days.network import OUTCOMES, Network

_UP_TO: Final = np.arange(RANKS, dtype=np.int8)
SEAT: Final = 5 * RANKS + 5
"""The count of numbers for one seat."""
TABLE: Final = 2 * RANKS + 5
"""The count of numbers for the trick, without the number of seats."""


class OpenSituations(NamedTuple):
    """Many situations with all cards open, one in each row: hands, turn and trick. Seats are counted as at the
    table."""

    held: Ints
    """(n, seats, 12)."""
    turn: NDArray[np.intp]
    kind: Ints
    low: Ints
    lowest: Ints
    best: NDArray[np.intp]
    acted: Ints
    passes: NDArray[np.bool_]
    """(n, seats)."""

    def select_rows(self, rows: NDArray[np.intp]) -> "OpenSituations":
        """Copy the situations at *rows* (numbers, which may repeat), in that order."""
        return OpenSituations(
            self.held[rows],
            self.turn[rows],
            self.kind[rows],
            self.low[rows],
            self.lowest[rows],
            self.best[rows],
            self.acted[rows],
            self.passes[rows],
        )


def open_feature_count(seats: int, tables: int) -> int:
    """How many numbers describe a situation with all cards open, with room for *seats*, and for *tables* different
    numbers of seats."""
    return TABLE + tables + SEAT * seats


def features_with_open_cards(now: OpenSituations, viewers: NDArray[np.intp], most: int, fewest: int) -> Floats:
    """The situations *now* with all cards open, each from the side of one seat (*viewers*), as numbers for the network:
    (n, ``open_feature_count``).

    There is room for *most* seats; *fewest* is the smallest number of seats of the tables that one network judges.
    """
    n, seats, _ = now.held.shape
    tables = most - fewest + 1
    around = (viewers[:, None] + np.arange(seats)) % seats
    rows = np.arange(n)[:, None]
    held = now.held[rows, around]
    cards = held.sum(axis=2, dtype=np.int8)
    lies = now.acted[:, None] > 0
    first = (now.turn - now.acted) % seats
    found = np.zeros((n, open_feature_count(most, tables)), np.float32)
    each = found[:, TABLE + tables :].reshape(n, most, SEAT)[:, :seats]
    for least in range(1, 4):
        each[:, :, (least - 1) * RANKS : least * RANKS] = held >= least
    each[:, :, 3 * RANKS : 4 * RANKS] = held / 4
    each[:, :, 4 * RANKS : 5 * RANKS] = cards[:, :, None] == _UP_TO + 1
    each[:, :, -5] = 1
    each[:, :, -4] = around == now.turn[:, None]
    each[:, :, -3] = ((around - first[:, None]) % seats) < now.acted[:, None]
    each[:, :, -2] = now.passes[rows, around]
    each[:, :, -1] = lies & (around == now.best[:, None])
    found[:, 0:4] = now.kind[:, None] == _UP_TO[:4]
    found[:, 4] = now.acted / (seats - 1)
    found[:, 5 : 5 + RANKS] = now.low[:, None] == _UP_TO + 1
    found[:, 5 + RANKS : TABLE] = now.lowest[:, None] == _UP_TO + 1
    found[:, TABLE + seats - fewest] = 1
    return found


def hand_outcome_chances_by_seat(now: OpenSituations, network: Network, most: int, fewest: int) -> Floats:
    """How likely every seat wins the hand, gives a gift or neither, by *network* with all cards open: (n, seats, 3).

    The chances to win add up to 1 in each situation. *most* and *fewest* are as in ``open_features``.
    """
    n, seats, _ = now.held.shape
    repeated = now.select_rows(np.repeat(np.arange(n), seats))
    features = features_with_open_cards(repeated, np.tile(np.arange(seats), n), most, fewest)
    rows = np.arange(len(features))
    nothing = np.zeros((len(features), 0), np.float32)
    found: Floats = network.outcomes(features, rows, np.zeros_like(rows), nothing).reshape(n, seats, OUTCOMES)
    found[:, :, 0] /= found[:, :, 0].sum(axis=1, keepdims=True)
    return found
