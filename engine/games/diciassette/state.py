"""The state of a running game of 17."""

from typing import Final, NamedTuple

from engine.game import Seat
from engine.games.diciassette.cards import Card, Face

SEATS: Final = range(2, 7)
"""The possible numbers of players."""
ALL_SEATS: Final = tuple(tuple(Seat(seat) for seat in range(seats)) for seats in range(SEATS.stop))
"""All seats of a table, by the number of seats (0 to 6)."""
_OTHERS: Final = tuple(tuple(table[:seat] + table[seat + 1 :] for seat in table) for table in ALL_SEATS)
"""All seats except one, by the number of seats and by that seat."""


class Laid(NamedTuple):
    """A card in the queue: the seat that played it, the card, and its face."""

    seat: Seat
    card: Card
    face: Face

    def __str__(self) -> str:
        """Seat, card, and a question mark if the card lies face down: ``1:5=?``."""
        return f"{self.seat}:{self.card.value}{'?' if self.face is Face.DOWN else ''}"


class State(NamedTuple):
    """A game of 17 between two actions.

    A NamedTuple: as immutable as a frozen dataclass, and three times as fast to make.
    """

    ply: int
    """The number of actions applied since the deal."""
    round: int
    """From 1."""
    starter: Seat
    direction: int
    """1: clockwise (seat order), -1: against it (D5)."""
    turn: Seat
    owed: int
    """The number of cards that the player on turn still has to play this turn."""
    duty: int
    """The number of cards that the player on turn had to play when the turn began, and draws at its end (D6)."""
    doubled: bool
    """Whether an x2 was played face up in this turn, so that the next player plays two cards (D6)."""
    last: Seat | None
    """The seat that played the most recent card of this round."""
    draw: tuple[Card, ...]
    """Top first."""
    discard: tuple[Card, ...]
    """Oldest first."""
    queue: tuple[Laid, ...]
    """Left to right."""
    hands: tuple[tuple[Card, ...], ...]
    """By seat; the newest card last."""
    victory: tuple[int, ...]
    penalty: tuple[int, ...]
    shuffles: int
    """The number of shuffles so far: the index of the next one."""
    winners: tuple[Seat, ...]
    """Empty while the game runs."""

    @property
    def between_turns(self) -> bool:
        """Whether the player on turn has not played a card of this turn yet (D8)."""
        return self.owed == self.duty

    @property
    def may_call(self) -> tuple[Seat, ...]:
        """The seats that may call "17!" now, in seat order (D8)."""
        return seats_that_may_call(self.last, self.owed, self.duty, len(self.hands), self.winners)


def seats_that_may_call(
    last: Seat | None, owed: int, duty: int, seats: int, winners: tuple[Seat, ...]
) -> tuple[Seat, ...]:
    """The seats that may call (D8), in seat order: all but *last*, between turns; empty if nobody may.

    It takes fields of the state and the number of *seats*. Views have these fields at hand and are made for every
    action.
    """
    return () if last is None or owed != duty or winners else _OTHERS[seats][last]
