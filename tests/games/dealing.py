"""Dealing anew, for games with hidden hands and cards that were set aside."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

C = TypeVar("C")

Hand = tuple[C, ...]


def dealt(
    hands: Sequence[Hand[C]], aside: Sequence[C], held: Mapping[int, Sequence[C]], rng: Random | None = None
) -> tuple[tuple[Hand[C], ...], Hand[C]]:
    """(*hands*, *aside*) dealt anew, all of them sorted.

    A seat in *held* gets those cards first of all. Then every hand is filled up to the size it had, with the lowest
    cards that are left, or as *rng* shuffles them. What is left over is set aside: a draw pile made of it must still be
    shuffled.

    Raises:
        ValueError: *held* has a card that lies nowhere, or more cards than fit into a hand.

    >>> dealt([(2, 5), (7, 8)], (1, 9), {0: (9,)})
    (((1, 9), (2, 5)), (7, 8))
    >>> dealt([(), ()], (), {})
    (((), ()), ())
    """
    pool = Counter([*aside, *(card for hand in hands for card in hand)])
    pool.subtract([card for cards in held.values() for card in cards])
    if min(pool.values(), default=0) < 0 or any(len(cards) > len(hands[seat]) for seat, cards in held.items()):
        raise ValueError(f"these hands cannot be dealt: {held}")
    rest = sorted(pool.elements())
    if rng is not None:
        rng.shuffle(rest)
    filled = []
    for seat, hand in enumerate(hands):
        first = held.get(seat, ())
        more = len(hand) - len(first)
        filled.append(tuple(sorted([*first, *rest[:more]])))
        del rest[:more]
    return tuple(filled), tuple(sorted(rest))
