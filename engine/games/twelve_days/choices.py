"""All possible combinations, numbered, as tables for networks and fast simulations."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.games.twelve_days.cards import DECK, RANKS, Cards, rank_counts
from engine.games.twelve_days.combinations import Kind, combination_kind, playable_combinations

PASS: Final = 0
"""The number of passing; combinations have the numbers from 1."""
KINDS: Final = (None, Kind.SINGLETON, Kind.SET, Kind.STRAIGHT)
"""The kinds of combination by number; 0: none, as for a pass or before the lead."""
COMBINATIONS: Final[tuple[Cards, ...]] = ((), *playable_combinations(DECK))
"""The combinations by number. The first one has no cards and is the pass."""
NUMBER: Final = {cards: number for number, cards in enumerate(COMBINATIONS)}
"""The number of each combination."""

FULL: Final[NDArray[np.int8]] = np.array(rank_counts(DECK), np.int8)
"""The deck, as cards by rank (12)."""
NEEDS: Final[NDArray[np.int8]] = np.array([rank_counts(cards) for cards in COMBINATIONS], np.int8)
"""(combinations, 12): the cards that each combination needs, by rank."""
KIND: Final[NDArray[np.int8]] = np.array([KINDS.index(combination_kind(cards)) for cards in COMBINATIONS], np.int8)
"""The number of the kind of each combination."""
LOW: Final[NDArray[np.int8]] = np.array([cards[0] if cards else 0 for cards in COMBINATIONS], np.int8)
"""The lowest card of each combination; 0: the pass."""
SIZE: Final[NDArray[np.int8]] = NEEDS.sum(axis=1, dtype=np.int8)
"""The number of cards of each combination."""
HIGHEST: Final = RANKS[-1]


def legal_combinations(hands: NDArray[np.int8], kinds: NDArray[np.int8], lows: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Which combinations, and the pass, are legal in each of many situations (T5, T6): booleans of shape (situations,
    combinations).

    *hands* is (situations, 12), cards by rank; *kinds* and *lows* (situations) are those of the lead, both 0 for who
    leads.
    """
    held = np.ones((len(hands), len(NEEDS)), np.bool_)
    for rank in range(HIGHEST):
        held &= hands[:, rank, None] >= NEEDS[:, rank]
    answers = (kinds[:, None] == KIND) & (lows[:, None] >= LOW)
    fits: NDArray[np.bool_] = (kinds == 0)[:, None] | answers
    fits[:, PASS] = kinds != 0
    found: NDArray[np.bool_] = held & fits
    return found
