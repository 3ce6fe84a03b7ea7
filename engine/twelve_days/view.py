"""What one seat, or the public, may know of a game of 12 Days of Christmas (ruling T11)."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.game import Seat
from engine.twelve_days.actions import Action, Play
from engine.twelve_days.cards import Hand
from engine.twelve_days.combinations import Lead, plays
from engine.twelve_days.events import DeckShuffled, Event
from engine.twelve_days.state import State, lead_of, lowest_of


class View(NamedTuple):
    """Built from what *seat* may know (``None``: the public)."""

    seat: Seat | None
    seats: int
    number: int
    """Of the hand, from 1."""
    hands_total: int
    leader: Seat
    turn: Seat
    trick: tuple[Action, ...]
    hand: Hand
    """The viewer's own; empty for the public."""
    hand_sizes: tuple[int, ...]
    gone: Hand
    """What was played in this hand's earlier tricks: for a memory, not to be shown (T11)."""
    gifts: tuple[int, ...]
    supply: int
    winners: tuple[Seat, ...]

    @property
    def lead(self) -> Lead | None:
        """What must be answered; ``None``: the player on turn leads."""
        return lead_of(self.trick)

    @property
    def plays(self) -> tuple[Hand, ...]:
        """What the viewer may play now; nothing when it is not their turn."""
        if self.seat is None or self.seat != self.turn or self.winners:
            return ()
        return plays(self.hand, self.lead)

    @property
    def lowest(self) -> Play | None:
        """The play that would win the trick if nobody played any more (T7)."""
        return lowest_of(self.trick)


def view(state: State, seat: Seat | None) -> View:
    """What *seat* may know of *state*; ``None`` is a spectator."""
    return View(
        seat=seat,
        seats=len(state.hands),
        number=state.hand,
        hands_total=state.hands_total,
        leader=state.leader,
        turn=state.turn,
        trick=state.trick,
        hand=() if seat is None else state.hands[seat],
        hand_sizes=tuple(map(len, state.hands)),
        gone=state.gone,
        gifts=state.gifts,
        supply=state.supply,
        winners=state.winners,
    )


def witnessed(events: Iterable[Event]) -> tuple[Event, ...]:
    """*events* as everybody saw them: all is public but the order of the deck (T11)."""
    return tuple(DeckShuffled(None) if isinstance(event, DeckShuffled) else event for event in events)
