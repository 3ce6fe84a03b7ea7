"""Singletons, sets and straights, and the legal plays on a lead (rulings T5, T6)."""

from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from engine.games.twelve_days.cards import RANKS, Card, Cards


class Kind(Enum):
    """The kinds of combination, in the order in which they are offered."""

    SET = "set"
    """Two or more of one rank."""
    STRAIGHT = "straight"
    """Two or more consecutive ranks, one card each."""
    SINGLETON = "singleton"

    __hash__ = object.__hash__  # faster: Enum's own hashes the name, in Python


class Lead(NamedTuple):
    """What answers to a lead must match: the kind of the leader's combination, and its lowest card (T6)."""

    kind: Kind
    low: Card


@lru_cache(maxsize=4096)
def combination_kind(cards: Cards) -> Kind | None:
    """The kind of combination that *cards* (sorted) make; ``None``: they make none (T5).

    >>> [combination_kind(cards) for cards in ((7,), (8, 8), (2, 3, 4), (2, 4), ())]
    [<Kind.SINGLETON: 'singleton'>, <Kind.SET: 'set'>, <Kind.STRAIGHT: 'straight'>, None, None]
    """
    if not cards:
        return None
    if len(cards) == 1:
        return Kind.SINGLETON
    if cards[0] == cards[-1]:
        return Kind.SET
    return Kind.STRAIGHT if all(after == before + 1 for before, after in pairwise(cards)) else None


@lru_cache(maxsize=4096)
def lead_of_combination(cards: Cards) -> Lead:
    """The kind and the lowest card of the combination *cards* (sorted), which answers must match if it is led (T6).
    Cached."""
    kind = combination_kind(cards)
    assert kind is not None
    return Lead(kind, cards[0])


@lru_cache(maxsize=4096)
def playable_combinations(hand: Cards, lead: Lead | None = None) -> tuple[Cards, ...]:
    """All different combinations in *hand* that answer *lead*, or that may be led (``None``); empty if there are none
    (T5, T6). Cached.

    Sets come first, then straights, then singletons; each from low to high, and from long to short.

    >>> playable_combinations((2, 3, 3), Lead(Kind.SET, 5)), playable_combinations((2, 3, 3), Lead(Kind.STRAIGHT, 1))
    (((3, 3),), ())
    """
    kinds = tuple(Kind) if lead is None else (lead.kind,)
    highest_low = RANKS[-1] if lead is None else lead.low
    found: list[Cards] = []
    for kind in kinds:
        for low in RANKS:
            if low > highest_low:
                break
            found += _combinations_from(hand, kind, low)
    return tuple(found)


def _combinations_from(hand: Cards, kind: Kind, low: Card) -> list[Cards]:
    """The combinations of *kind* in *hand* with the lowest card *low*, the longest first; empty if there are none."""
    match kind:
        case Kind.SINGLETON:
            return [(low,)] if low in hand else []
        case Kind.SET:
            return [(low,) * size for size in range(hand.count(low), 1, -1)]
        case Kind.STRAIGHT:
            end = low
            while end in hand:
                end += 1
            return [tuple(range(low, stop)) for stop in range(end, low + 1, -1)]
