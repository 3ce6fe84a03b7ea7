"""The computer player of version 0.2, kept as a measured opponent.

It counts what has been played, so it knows how likely each lead is to hold (``odds``), and splits its hand into few
plays of which some keep the lead (``plan``). What a play is worth is what it leaves: the plan for the cards that are
left, the chance of having the lead then, and how exposed it is if somebody goes out now (T9). Going out only counts
when the last play wins its trick (T8).

Near-equal choices are drawn by lot. How long it takes depends on its own cards alone.
"""

from random import Random
from typing import Final

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import RANKS, Cards, without
from engine.games.twelve_days.combinations import Kind, kind_of
from engine.games.twelve_days.view import View
from engine.train.twelve_days.odds import Counts, holds, unseen
from engine.train.twelve_days.plan import Planner

GOING_OUT: Final = 6.0
"""What winning the hand is worth, in tricks."""
LEAD: Final = 0.9
"""What having the lead is worth, in tricks."""
EXPOSED: Final = 0.05
"""What every card still held costs, more as an opponent gets near to going out."""
CLOSE_ENOUGH: Final = 0.01


def _hand_sizes_after(view: View, me: Seat) -> tuple[int, ...]:
    """The hand sizes of those who play after *me* in this trick, in playing order."""
    remaining = view.seats - len(view.trick) - 1
    return tuple(view.hand_sizes[(me + offset) % view.seats] for offset in range(1, remaining + 1))


def _win_chance(view: View, me: Seat, cards: Cards, pool: Counts) -> float:
    """The chance that *cards*, played now, win the trick (T7)."""
    lowest = view.lowest
    if lowest is not None and cards[0] > lowest.cards[0]:
        return 0.0
    kind = kind_of(cards)
    assert kind is not None
    return holds(pool, _hand_sizes_after(view, me), kind, cards[0])


def decide(view: View, me: Seat, rng: Random) -> Action:
    """The action of the computer player in seat *me*, who is on turn.

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
        left = without(view.hand, cards)
        wins = _win_chance(view, me, cards, pool)
        going_out = wins * GOING_OUT + (1.0 - wins) * left_with(view.hand)
        options.append((left_with(left) + LEAD * wins if left else going_out, Play(me, cards)))
    if view.trick:
        options.append((left_with(view.hand), Pass(me)))
    best = max(value for value, _ in options)
    return rng.choice([action for value, action in options if value >= best - CLOSE_ENOUGH])
