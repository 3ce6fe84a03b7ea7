"""The deal of the day of 12 Days: one person against four computer players, in a short game."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from engine.game import RoundOutcome, Seat
from engine.games.twelve_days.events import Event, GiftGiven, HandWon, NoGiftToGive
from engine.games.twelve_days.rules import LENGTH, SHORT

SEATS: Final = 5
OPTIONS: Final[Mapping[str, str]] = MappingProxyType({LENGTH: SHORT})
LEVEL: Final = 4


def round_outcome(events: Sequence[Event], seat: Seat) -> RoundOutcome | None:
    """How the hand that ended in *events* has ended for *seat*: won, lost (it had to give a gift), else OTHER;
    ``None``: no hand ended.

    Lost is a hand in which *seat* held the most unplayed cards, so that it had to give a gift (T9).
    """
    won = next((event for event in events if isinstance(event, HandWon)), None)
    if won is None:
        return None
    if won.seat == seat:
        return RoundOutcome.WON
    most = any(isinstance(event, GiftGiven | NoGiftToGive) and event.seat == seat for event in events)
    return RoundOutcome.LOST if most else RoundOutcome.OTHER
