"""The deal of the day of 17: one person against three computer players."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from engine.game import RoundOutcome, Seat
from engine.games.diciassette.events import Event, Revealed, Token, TokenGiven

SEATS: Final = 4
OPTIONS: Final[Mapping[str, str]] = MappingProxyType({})
LEVEL: Final = 4


def round_outcome(events: Sequence[Event], seat: Seat) -> RoundOutcome | None:
    """How the round that ended in *events* has ended for *seat*: won with a victory token, lost with a penalty token
    (D14), else OTHER; ``None``: no round ended.

    A trap can bring somebody both; then it is OTHER.
    """
    if not any(isinstance(event, Revealed) for event in events):
        return None
    tokens = {event.token for event in events if isinstance(event, TokenGiven) and event.seat == seat}
    if tokens == {Token.VICTORY}:
        return RoundOutcome.WON
    return RoundOutcome.LOST if tokens == {Token.PENALTY} else RoundOutcome.OTHER
