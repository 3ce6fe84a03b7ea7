"""The counts of each seat over all games of 12 Days: hands, tricks, gifts."""

from collections.abc import Sequence
from typing import Any, Final

from engine.game import Seat, Step
from engine.games.twelve_days.events import Event, GiftClaimed, GiftGiven, HandWon, TrickWon
from engine.games.twelve_days.state import State

HANDS: Final = "hands"
TRICKS: Final = "tricks"
GIFTS: Final = "gifts"
"""Gifts received, even if they were given away later (T9); not the gifts that everybody has at the start (T3)."""
COUNTS: Final = (HANDS, TRICKS, GIFTS)


def count_increments(before: State, step: Step[Any, Event]) -> Sequence[tuple[Seat, str]]:
    """What *step* adds to the players' counts of hands and tricks won and gifts received: (seat, one of ``COUNTS``)
    each; empty if nothing.

    *step* is the result of an action in the state *before*.
    """
    found: list[tuple[Seat, str]] = []
    for event in step.events:
        match event:
            case TrickWon(seat, _):
                found.append((seat, TRICKS))
            case HandWon(_, seat, _):
                found.append((seat, HANDS))
            case GiftClaimed(seat, _) | GiftGiven(_, seat):
                found.append((seat, GIFTS))
            case _:
                continue
    return found
