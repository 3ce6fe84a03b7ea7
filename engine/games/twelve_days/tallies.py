"""What is counted of each seat in 12 Days, over all games: hands, tricks, gifts."""

from collections.abc import Sequence
from typing import Any, Final

from engine.game import Seat, Step
from engine.games.twelve_days.events import Event, GiftClaimed, GiftGiven, HandWon, TrickWon
from engine.games.twelve_days.state import State

HANDS: Final = "hands"
TRICKS: Final = "tricks"
GIFTS: Final = "gifts"
"""Gifts received, whatever has become of them (T9); not those that everybody has at the start (T3)."""
COUNTS: Final = (HANDS, TRICKS, GIFTS)


def counted(before: State, step: Step[Any, Event]) -> Sequence[tuple[Seat, str]]:
    """What *step*, which an action led to from *before*, adds to whose counts: (seat, one of ``COUNTS``), one each
    time."""
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
