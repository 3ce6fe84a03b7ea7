"""The deck of 12 Days of Christmas: one 1, two 2s ... twelve 12s (ruling T1)."""

from collections.abc import Iterable
from typing import Final

Card = int
"""A rank, 1 to 12. Cards of one rank are interchangeable."""

Cards = tuple[Card, ...]
"""Sorted ascending."""

RANKS: Final = range(1, 13)
DECK: Final[tuple[Card, ...]] = tuple(rank for rank in RANKS for _ in range(rank))
"""All 78 cards, unshuffled."""

GIFTS: Final = 12
FULL_HANDS: Final = 12
SHORT_HANDS: Final = 3


def hand_size(seats: int) -> int:
    """The number of cards dealt to each player at a table of *seats* (T2).

    >>> [hand_size(seats) for seats in range(2, 9)]
    [12, 12, 12, 12, 12, 11, 9]
    """
    return {7: 11, 8: 9}.get(seats, 12)


def without_cards(hand: Cards, cards: Cards) -> Cards:
    """Return *hand*, the cards that a player holds, without *cards*, in order; or raise ValueError if one is missing.

    Raises:
        ValueError: *hand* does not hold all of them.

    >>> without_cards((3, 3, 5), (3, 5))
    (3,)
    """
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


def rank_counts(cards: Iterable[Card]) -> tuple[int, ...]:
    """Count *cards* by rank: 12 numbers, for the ranks 1 to 12.

    >>> rank_counts((2, 2, 12))
    (0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
    """
    found = [0] * len(RANKS)
    for card in cards:
        found[card - 1] += 1
    return tuple(found)
