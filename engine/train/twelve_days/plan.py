"""How best to split a hand into plays: few of them, some of which keep the lead."""

from collections.abc import Mapping
from typing import Final

from engine.games.twelve_days.cards import RANKS, Card, Cards
from engine.games.twelve_days.combinations import Kind

Strength = Mapping[Kind, tuple[float, ...]]
"""For every kind and lowest card (1 to 12): how likely such a lead is to win its trick."""

LOSES_LEAD: Final = 1.1
"""What a play that loses the lead costs, besides the play itself."""
LAST_LOSES: Final = 1.0
"""What it costs to hold no play that surely wins the last trick (T8)."""


class Planner:
    """The cost of getting rid of hands, for given chances to win tricks; it remembers what it has computed."""

    def __init__(self, strength: Strength) -> None:
        self._strength = strength
        self._known: dict[Cards, tuple[float, float]] = {(): (0.0, 0.0)}

    def strength(self, kind: Kind, low: Card) -> float:
        """The chance that a lead of *kind* with the lowest card *low* wins its trick."""
        return self._strength[kind][low - RANKS[0]]

    def cost(self, hand: Cards) -> float:
        """The cost of getting rid of *hand*, in tricks: one per play, and more where the lead will be lost. 0 for no
        cards."""
        if not hand:
            return 0.0
        cost, best = self._split(hand)
        return cost + LAST_LOSES * (1.0 - best)

    def _split(self, hand: Cards) -> tuple[float, float]:
        """(cost of the best way to split *hand* into plays, strength of the strongest of these plays)."""
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
    """Every combination in *hand* that holds its highest card: any split has exactly one of them."""
    high = hand[-1]
    found: list[tuple[Kind, Cards]] = [(Kind.SINGLETON, (high,))]
    found += [(Kind.SET, (high,) * size) for size in range(hand.count(high), 1, -1)]
    low = high
    while low - 1 in hand:
        low -= 1
        found.append((Kind.STRAIGHT, tuple(range(low, high + 1))))
    return found
