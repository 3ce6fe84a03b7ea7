"""The tokens that are given at the end of a round, and what they decide (D14-D17)."""

from collections.abc import Sequence
from typing import Final

from engine.game import Seat, made
from engine.games.diciassette.cards import VICTORIES_TO_WIN
from engine.games.diciassette.events import Because, Event, PenaltiesDiscarded, Token, TokenGiven, TokenWithheld

_VICTORY: Final = Token.VICTORY
_PENALTY: Final = Token.PENALTY
"""Constants, since looking up a member of an enum costs more than comparing it."""


class Tokens:
    """Everybody's tokens while those of one round are given, one after the other (D14-D16); adds to *events*."""

    __slots__ = ("_events", "_rewarded", "penalty", "victory")

    def __init__(self, victory: Sequence[int], penalty: Sequence[int], events: list[Event]) -> None:
        self.victory = list(victory)
        self.penalty = list(penalty)
        self._rewarded: set[Seat] = set()
        self._events = events

    def give_victory(self, seat: Seat, because: Because) -> None:
        """Give *seat* a victory token, unless it has had one in this round."""
        if seat in self._rewarded:  # ruling D15
            self._events.append(TokenWithheld(seat, because))
            return
        self._rewarded.add(seat)
        self.victory[seat] += 1
        self._events.append(made(TokenGiven, (seat, _VICTORY, because)))

    def give_penalty(self, seat: Seat, because: Because) -> None:
        """Give *seat* a penalty token; a second one is paid for at once."""
        self.penalty[seat] += 1
        self._events.append(made(TokenGiven, (seat, _PENALTY, because)))
        if self.penalty[seat] == 2:  # ruling D16
            self.penalty[seat] = 0
            lost = self.victory[seat] > 0
            self.victory[seat] -= lost
            self._events.append(PenaltiesDiscarded(seat, lost))

    def winners(self) -> tuple[Seat, ...]:
        """Of the seats with three victory tokens those with the fewest penalty tokens; empty: there are none (D17)."""
        if max(self.victory) < VICTORIES_TO_WIN:
            return ()
        ahead = [Seat(seat) for seat, tokens in enumerate(self.victory) if tokens >= VICTORIES_TO_WIN]
        fewest = min(self.penalty[seat] for seat in ahead)
        return tuple(seat for seat in ahead if self.penalty[seat] == fewest)
