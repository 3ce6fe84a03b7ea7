"""How best to split a hand into plays: few of them, and some that keep the lead."""

from collections.abc import Mapping
from typing import Final

from engine.games.twelve_days.cards import RANKS, Card, Cards
from engine.games.twelve_days.combinations import Kind

Strength = Mapping[Kind, tuple[float, ...]]
"""For every kind and lowest card (1 to 12): how likely such a lead is to win its trick."""

LOSES_LEAD: Final = 1.1
"""What a play that loses the lead costs, next to the play itself."""
LAST_LOSES: Final = 1.0
"""What it costs to have nothing that surely wins for the last trick (T8)."""


class Planner:
    """The cost of hands under one table of strengths; remembers what it has worked out."""

    def __init__(self, strength: Strength) -> None:
        self._strength = strength
        self._known: dict[Cards, tuple[float, float]] = {(): (0.0, 0.0)}

    def strength(self, kind: Kind, low: Card) -> float:
        """How likely a lead of *kind* with that lowest card is to win its trick."""
        return self._strength[kind][low - RANKS[0]]

    def cost(self, hand: Cards) -> float:
        """How many tricks it takes to get rid of *hand*, more where the lead will be lost; 0 for no cards."""
        if not hand:
            return 0.0
        cost, best = self._split(hand)
        return cost + LAST_LOSES * (1.0 - best)

    def _split(self, hand: Cards) -> tuple[float, float]:
        """(the cost of the cheapest split, the strength of its strongest play)."""
        known = self._known.get(hand)
        if known is not None:
            return known
        cheapest = (float("inf"), 0.0)
        for kind, cards in _with_highest(hand):
            left = list(hand)
            for card in cards:
                left.remove(card)
            cost, best = self._split(tuple(left))
            strength = self.strength(kind, cards[0])
            best = max(best, strength)
            cost += 1.0 + LOSES_LEAD * (1.0 - strength)
            if cost - LAST_LOSES * best < cheapest[0] - LAST_LOSES * cheapest[1]:
                cheapest = (cost, best)
        self._known[hand] = cheapest
        return cheapest


def _with_highest(hand: Cards) -> list[tuple[Kind, Cards]]:
    """Every combination that holds the highest card of *hand*: one of them is in any split."""
    high = hand[-1]
    found: list[tuple[Kind, Cards]] = [(Kind.SINGLETON, (high,))]
    found += [(Kind.SET, (high,) * size) for size in range(hand.count(high), 1, -1)]
    low = high
    while low - 1 in hand:
        low -= 1
        found.append((Kind.STRAIGHT, tuple(range(low, high + 1))))
    return found
