"""The state of a running game of 12 Days of Christmas."""

from typing import Final, NamedTuple

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import Cards
from engine.games.twelve_days.combinations import Lead, lead_of_combination

SEATS: Final = range(2, 9)
"""The possible numbers of players."""
NEXT: Final = tuple(tuple(Seat((seat + 1) % seats) for seat in range(seats)) for seats in range(SEATS.stop))
"""The next seat in turn order, by the number of seats and by the seat."""


def lead_of_trick(trick: tuple[Action, ...]) -> Lead | None:
    """What every answer in *trick* must match, the kind and lowest card of its first play; ``None`` while nothing has
    been played."""
    if not trick:
        return None
    first = trick[0]
    assert isinstance(first, Play)
    return lead_of_combination(first.cards)


def lowest_play(trick: tuple[Action, ...]) -> Play | None:
    """The play that wins *trick* so far: the lowest card, of equal ones the later (T7); ``None`` if nothing was played.

    >>> lowest_play((Play(Seat(1), (8, 8)), Play(Seat(2), (3, 3)), Play(Seat(0), (3, 3, 3))))
    Play(seat=0, cards=(3, 3, 3))
    """
    lowest: Play | None = None
    for action in trick:
        if isinstance(action, Play) and (lowest is None or action.cards[0] <= lowest.cards[0]):
            lowest = action
    return lowest


class State(NamedTuple):
    """A game of 12 Days of Christmas between two actions."""

    ply: int
    """The number of actions applied since the first deal."""
    hand_number: int
    """The number of the current hand, from 1."""
    hands_total: int
    """12 in a full game, 3 in a short one (T3)."""
    leader: Seat
    """The seat that leads, or has led, this trick."""
    turn: Seat
    trick: tuple[Action, ...]
    """The plays and passes so far, the lead first."""
    hands: tuple[Cards, ...]
    """The hands by seat, without the cards played in the trick."""
    aside: Cards
    """The undealt rest of the deck, which nobody sees (T2)."""
    gone: Cards
    """The cards played in this hand's earlier tricks, sorted. Players may remember them, but not look them up (T11)."""
    gifts: tuple[int, ...]
    supply: int
    """The number of gifts that nobody has claimed yet."""
    shuffles: int
    """The number of shuffles so far: the index of the next one."""
    winners: tuple[Seat, ...]
    """Empty while the game runs."""

    @property
    def lead(self) -> Lead | None:
        """The lead that the player on turn must answer; ``None``: they lead."""
        return lead_of_trick(self.trick)
