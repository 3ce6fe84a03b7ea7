"""The computer player of version 0.2, kept as a measured opponent.

It counts what has been played, so it knows how likely each lead is to hold (``holds``), and splits its hand into few
plays of which some keep the lead (``Planner``). What a play is worth is what it leaves: the plan for the cards that are
left, the chance of having the lead then, and how exposed it is if somebody goes out now (T9). Going out only counts
when the last play wins its trick (T8).

Every opponent's hand is taken for a draw without replacement from the unseen cards: the others' hands and the rest
that was set aside. Ranks are taken as independent of each other, which is close enough to choose by.

Near-equal choices are drawn by lot. How long it takes depends on its own cards alone.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb
from random import Random
from typing import Final

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import DECK, RANKS, Card, Cards, rank_counts, without_cards
from engine.games.twelve_days.combinations import Kind, combination_kind
from engine.games.twelve_days.view import View

GOING_OUT: Final = 6.0
"""What winning the hand is worth, in tricks."""
LEAD: Final = 0.9
"""What having the lead is worth, in tricks."""
EXPOSED: Final = 0.05
"""What every card still held costs, more as an opponent gets near to going out."""
CLOSE_ENOUGH: Final = 0.01
WILLING: Final = 0.9
"""The chance that somebody who can take a trick does."""

Counts = tuple[int, ...]
"""By rank, 1 to 12."""
Strength = Mapping[Kind, tuple[float, ...]]
"""For every kind and lowest card (1 to 12): how likely such a lead is to win its trick."""

LOSES_LEAD: Final = 1.1
"""What a play that loses the lead costs, besides the play itself."""
LAST_LOSES: Final = 1.0
"""What it costs to hold no play that surely wins the last trick (T8)."""


def unseen(view: View) -> Counts:
    """Count the cards of each rank that the viewer cannot see: those in other hands and those set aside."""
    lying = [card for action in view.trick if isinstance(action, Play) for card in action.cards]
    seen = rank_counts((*view.hand, *view.gone, *lying))
    return tuple(there - known for there, known in zip(rank_counts(DECK), seen, strict=True))


def _chance_of_at_least(needed: int, available: int, size: int, pool: int) -> float:
    """The chance that *size* cards drawn from *pool* cards hold *needed* (1 or 2) or more of *available* particular
    ones."""
    if available < needed or size < needed:
        return 0.0
    everything = comb(pool, size)
    fewer = comb(pool - available, size)
    if needed == 2:
        fewer += available * comb(pool - available, size - 1)
    return 1.0 - fewer / everything


@lru_cache(maxsize=4096)
def combination_chances_by_rank(pool: Counts, size: int, kind: Kind) -> tuple[float, ...]:
    """For every rank r, 1 to 12: the chance that a hand can play a combination of *kind* whose lowest card is r or
    lower.

    The hand is *size* cards drawn from *pool*.

    >>> [round(chance, 2) for chance in combination_chances_by_rank((0, 2, 2) + (0,) * 9, 1, Kind.SINGLETON)[:3]]
    [0.0, 0.5, 1.0]
    """
    total = sum(pool)
    size = min(size, total)
    one = [_chance_of_at_least(1, available, size, total) for available in pool]
    chances: list[float] = []
    without = 1.0
    for index, available in enumerate(pool):
        match kind:
            case Kind.SINGLETON:
                without = 1.0 - _chance_of_at_least(1, sum(pool[: index + 1]), size, total)
            case Kind.SET:
                without *= 1.0 - _chance_of_at_least(2, available, size, total)
            case Kind.STRAIGHT:
                if index + 1 < len(pool) and size > 1:
                    without *= 1.0 - one[index] * one[index + 1]
        chances.append(1.0 - without)
    return tuple(chances)


def holds(pool: Counts, sizes: Sequence[int], kind: Kind, low: Card) -> float:
    """The chance that a play of *kind* with the lowest card *low* is not beaten by the players who still have to act.

    *sizes* are their hand sizes, *pool* is what they may hold. An equally low card beats it, being played later (T7).
    """
    chance = 1.0
    for size in sizes:
        chance *= 1.0 - WILLING * combination_chances_by_rank(pool, size, kind)[low - RANKS[0]]
    return chance


class Planner:
    """The cost of getting rid of hands, for given chances to win tricks; it remembers what it has computed."""

    def __init__(self, strength: Strength) -> None:
        self._strength = strength
        self._known: dict[Cards, tuple[float, float]] = {(): (0.0, 0.0)}

    def strength(self, kind: Kind, low: Card) -> float:
        """The chance that a lead of *kind* with the lowest card *low* wins its trick."""
        return self._strength[kind][low - RANKS[0]]

    def cost(self, hand: Cards) -> float:
        """The cost of getting rid of *hand*, in tricks: one for each play, and more where the lead will be lost; 0 for
        no cards."""
        if not hand:
            return 0.0
        cost, best = self._find_cheapest_split(hand)
        return cost + LAST_LOSES * (1.0 - best)

    def _find_cheapest_split(self, hand: Cards) -> tuple[float, float]:
        """Split *hand* into plays in the cheapest way: (its cost in tricks, the strength of the strongest of these
        plays)."""
        known = self._known.get(hand)
        if known is not None:
            return known
        cheapest = (float("inf"), 0.0)
        for kind, cards in _combinations_with_highest_card(hand):
            left = list(hand)
            for card in cards:
                left.remove(card)
            cost, best = self._find_cheapest_split(tuple(left))
            strength = self.strength(kind, cards[0])
            best = max(best, strength)
            cost += 1.0 + LOSES_LEAD * (1.0 - strength)
            if cost - LAST_LOSES * best < cheapest[0] - LAST_LOSES * cheapest[1]:
                cheapest = (cost, best)
        self._known[hand] = cheapest
        return cheapest


def _combinations_with_highest_card(hand: Cards) -> list[tuple[Kind, Cards]]:
    """Every combination in *hand*, with its kind, that holds the highest card: any split has exactly one of them."""
    high = hand[-1]
    found: list[tuple[Kind, Cards]] = [(Kind.SINGLETON, (high,))]
    found += [(Kind.SET, (high,) * size) for size in range(hand.count(high), 1, -1)]
    low = high
    while low - 1 in hand:
        low -= 1
        found.append((Kind.STRAIGHT, tuple(range(low, high + 1))))
    return found


def _hand_sizes_after(view: View, me: Seat) -> tuple[int, ...]:
    """The numbers of cards of the players who act after *me* in this trick, in playing order."""
    remaining = view.seats - len(view.trick) - 1
    return tuple(view.hand_sizes[(me + offset) % view.seats] for offset in range(1, remaining + 1))


def _win_chance(view: View, me: Seat, cards: Cards, pool: Counts) -> float:
    """The chance that *cards*, if *me* plays them now, win the trick (T7); 0 if the trick has lower ones."""
    lowest = view.lowest
    if lowest is not None and cards[0] > lowest.cards[0]:
        return 0.0
    kind = combination_kind(cards)
    assert kind is not None
    return holds(pool, _hand_sizes_after(view, me), kind, cards[0])


def decide(view: View, me: Seat, rng: Random) -> Action:
    """Choose the action of the computer player of version 0.2 in seat *me*, who is on turn; among near-equal ones at
    random.

    The same *view* and state of *rng* give the same action.
    """
    pool = unseen(view)
    others = tuple(size for seat, size in enumerate(view.hand_sizes) if seat != me)
    planner = Planner({kind: tuple(holds(pool, others, kind, low) for low in RANKS) for kind in Kind})
    danger = EXPOSED * (1.0 + 6.0 / max(1, min(others)))

    def left_with(hand: Cards) -> float:
        return -planner.cost(hand) - danger * len(hand)

    options: list[tuple[float, Action]] = []
    for cards in view.plays:
        left = without_cards(view.hand, cards)
        wins = _win_chance(view, me, cards, pool)
        going_out = wins * GOING_OUT + (1.0 - wins) * left_with(view.hand)
        options.append((left_with(left) + LEAD * wins if left else going_out, Play(me, cards)))
    if view.trick:
        options.append((left_with(view.hand), Pass(me)))
    best = max(value for value, _ in options)
    return rng.choice([action for value, action in options if value >= best - CLOSE_ENOUGH])
