"""How likely a play is to win its trick, from what the viewer cannot see.

Every opponent's hand is taken for a draw without replacement from the unseen cards: the others' hands and the rest
that was set aside. Ranks are taken as independent of each other, which is close enough to choose by.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Final

from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.cards import DECK, RANKS, Card, counts
from engine.games.twelve_days.combinations import Kind
from engine.games.twelve_days.view import View

WILLING: Final = 0.9
"""The chance that somebody who can take a trick does."""

Counts = tuple[int, ...]
"""By rank, 1 to 12."""


def unseen(view: View) -> Counts:
    """How many cards of each rank the viewer cannot see: those in other hands and those set aside."""
    lying = [card for action in view.trick if isinstance(action, Play) for card in action.cards]
    seen = counts((*view.hand, *view.gone, *lying))
    return tuple(there - known for there, known in zip(counts(DECK), seen, strict=True))


def _at_least(needed: int, available: int, size: int, pool: int) -> float:
    """The chance that *size* cards drawn from *pool* hold *needed* (1 or 2) or more of *available* particular ones."""
    if available < needed or size < needed:
        return 0.0
    everything = comb(pool, size)
    fewer = comb(pool - available, size)
    if needed == 2:
        fewer += available * comb(pool - available, size - 1)
    return 1.0 - fewer / everything


@lru_cache(maxsize=4096)
def can_beat(pool: Counts, size: int, kind: Kind) -> tuple[float, ...]:
    """For every rank r, 1 to 12: the chance that a hand can play a combination of *kind* whose lowest card is r or
    lower.

    The hand is *size* cards drawn from *pool*.

    >>> [round(chance, 2) for chance in can_beat((0, 2, 2) + (0,) * 9, 1, Kind.SINGLETON)[:3]]
    [0.0, 0.5, 1.0]
    """
    total = sum(pool)
    size = min(size, total)
    one = [_at_least(1, available, size, total) for available in pool]
    chances: list[float] = []
    without = 1.0
    for index, available in enumerate(pool):
        match kind:
            case Kind.SINGLETON:
                without = 1.0 - _at_least(1, sum(pool[: index + 1]), size, total)
            case Kind.SET:
                without *= 1.0 - _at_least(2, available, size, total)
            case Kind.STRAIGHT:
                if index + 1 < len(pool) and size > 1:
                    without *= 1.0 - one[index] * one[index + 1]
        chances.append(1.0 - without)
    return tuple(chances)


def holds(pool: Counts, sizes: Sequence[int], kind: Kind, low: Card) -> float:
    """The chance that a play of *kind* whose lowest card is *low* is not beaten by those who still have to play.

    *sizes* are their hand sizes, *pool* is what they may hold. An equally low card beats it, being played later (T7).
    """
    chance = 1.0
    for size in sizes:
        chance *= 1.0 - WILLING * can_beat(pool, size, kind)[low - RANKS[0]]
    return chance
