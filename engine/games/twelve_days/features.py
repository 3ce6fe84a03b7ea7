"""The features of the computer player's network: a situation as one seat knows it, and each choice, as numbers.

Seats are counted from the viewer's, clockwise: 0 is the viewer. Training and playing use the same functions, training
with thousands of situations at once.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.twelve_days.choices import FULL, LOW, NEEDS, SIZE

Ints = NDArray[np.int8]
Floats = NDArray[np.float32]

RANKS: Final = 12
_UP_TO: Final = np.arange(RANKS, dtype=np.int8)
OPPONENT: Final = 16 + 3 * RANKS + 4 * RANKS
"""The count of numbers for one opponent."""
TABLE: Final = 3 * RANKS + RANKS + RANKS + 4 + RANKS + RANKS + 3
"""The count of numbers for the rest of the situation, without the number of seats."""
CHOICE: Final = 5 * RANKS + 5
"""The count of numbers for the result of a choice, besides the choice's own number."""


class Situations(NamedTuple):
    """Many situations in which a player must decide, one in each row, as that player knows them."""

    hand: Ints
    """(n, 12): own cards by rank."""
    pool: Ints
    """(n, 12): the unseen cards by rank, which may be in any unknown hand or set aside."""
    sizes: Ints
    """(n, seats)."""
    kind: Ints
    """(n): of the lead, as in ``choices.KINDS``; 0: the viewer leads."""
    low: Ints
    """(n): the lead's lowest card; 0: none."""
    lowest: Ints
    """(n): the lowest card in the trick; 0: none."""
    best: Ints
    """(n): the seat that played it; 0, which is the viewer and impossible, if nothing was played."""
    acted: Ints
    """(n): the number of seats that have acted in this trick."""
    passes: NDArray[np.bool_]
    """(n, seats): whether each seat has passed in this trick."""
    declined: Ints
    """(n, seats, 3): the highest lead of singletons, sets and straights that each seat has passed on in this hand; 0:
    none."""
    known: Ints
    """(n, seats, 12): the known hands, which were taken back (T8), by rank; other hands are 0."""
    played: Ints
    """(n, seats, 12): the cards that each seat has played in this hand, by rank."""
    stake: Floats
    """(n): the cost of giving a gift, relative to the gain of winning the hand."""


def feature_count(opponents: int, tables: int) -> int:
    """How many numbers describe a situation, with room for *opponents*, and for *tables* different numbers of seats."""
    return TABLE + tables + OPPONENT * opponents


def situation_features(now: Situations, opponents: int, fewest: int, tables: int) -> Floats:
    """What the deciding players in the situations *now* know, as numbers for the network, of shape (n,
    ``feature_count(opponents, tables)``).

    There is room for more *opponents* than there are; *fewest* is the smallest number of seats of the *tables* that
    one network plays at.
    """
    n, seats = now.sizes.shape
    found = np.zeros((n, feature_count(opponents, tables)), np.float32)
    pool = now.pool
    hidden = np.where(now.known.any(axis=2), 0, now.sizes)[:, 1:].sum(axis=1)
    share = hidden / np.maximum(1, pool.sum(axis=1, dtype=np.int16))
    parts: list[NDArray[np.generic]] = [
        pool >= 1,
        pool >= 2,
        pool / FULL,
        np.minimum(1.5, pool * share[:, None]),
        now.hand / 4,
        now.kind[:, None] == _UP_TO[:4],
        now.low[:, None] == _UP_TO + 1,
        now.lowest[:, None] == _UP_TO + 1,
        np.stack([now.acted / (seats - 1), now.stake, share], axis=1),
    ]
    at = 0
    for part in parts:
        found[:, at : at + part.shape[1]] = part
        at += part.shape[1]
    found[:, at + seats - fewest] = 1
    at += tables
    for seat in range(1, seats):
        blocks: list[NDArray[np.generic]] = [
            now.sizes[:, seat, None] == _UP_TO + 1,
            np.stack(
                [
                    np.ones(n, np.bool_),
                    seat >= seats - now.acted,
                    now.passes[:, seat],
                    now.best == seat,
                ],
                axis=1,
            ),
            (now.declined[:, seat, :, None] > _UP_TO).reshape(n, 3 * RANKS),
            now.known[:, seat] >= 1,
            now.known[:, seat] >= 2,
            now.played[:, seat] >= 1,
            now.played[:, seat] / 4,
        ]
        for block in blocks:
            found[:, at : at + block.shape[1]] = block
            at += block.shape[1]
    return found


def choice_features(now: Situations, rows: NDArray[np.intp], numbers: NDArray[np.intp]) -> Floats:
    """The network's input for each choice: the hand that it leaves, whether it beats the trick so far or goes out;
    shape (choices, ``CHOICE``).

    Choice i plays the combination ``numbers[i]`` (an index of ``combinations``) in the situation ``rows[i]`` of *now*.
    """
    left = now.hand[rows] - NEEDS[numbers]
    found = np.empty((len(rows), CHOICE), np.float32)
    for least in range(1, 5):
        found[:, (least - 1) * RANKS : least * RANKS] = left >= least
    found[:, 4 * RANKS : 5 * RANKS] = left / 4
    lows, lowest = LOW[numbers], now.lowest[rows]
    cards = now.sizes[rows, 0] - SIZE[numbers]
    wins = (lows > 0) & ((lowest == 0) | (lows <= lowest))
    found[:, -5] = wins
    found[:, -4] = cards == 0
    found[:, -3] = wins & (cards == 0)
    found[:, -2] = cards / RANKS
    found[:, -1] = wins & (now.acted[rows] == now.sizes.shape[1] - 1)
    return found
