"""Everything there is to know about a running game of 17."""

from typing import NamedTuple

from engine.diciassette.cards import Card, Face
from engine.game import Seat


class Laid(NamedTuple):
    """A card lying in the queue: who laid it, what it is, which way it lies."""

    seat: Seat
    card: Card
    face: Face


class State(NamedTuple):
    """A game of 17 between two actions. A NamedTuple: as frozen as a dataclass, and a third of its price."""

    ply: int
    """Actions applied since the deal."""
    round: int
    """From 1."""
    starter: Seat
    direction: int
    """1: clockwise (seat order), -1: against it (D5)."""
    turn: Seat
    owed: int
    """Cards the player on turn has still to play this turn."""
    duty: int
    """Cards the player on turn had to play when the turn began, and draws at its end (D6)."""
    doubled: bool
    """Whether an x2 lies face up in this turn, so that the next player plays two (D6)."""
    last: Seat | None
    """Who played the most recent card of this round."""
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
    """Shuffles so far: the index of the next one."""
    winners: tuple[Seat, ...]
    """Empty while the game runs."""

    @property
    def between_turns(self) -> bool:
        """Whether no turn is half done (D8)."""
        return self.owed == self.duty

    def may_call(self, seat: Seat) -> bool:
        """Whether *seat* may call "17!" now (D8)."""
        return self.last is not None and self.last != seat and self.owed == self.duty and not self.winners
