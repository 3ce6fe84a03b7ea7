"""What one seat, or the public, may know of a game of 17 (ruling D2)."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from engine.diciassette.cards import Card, Face
from engine.diciassette.events import CardPlayed, CardsDrawn, CardTrashed, Event, PileShuffled
from engine.diciassette.state import State
from engine.game import Seat


class Seen(NamedTuple):
    """A card of the queue as the viewer sees it; ``card`` is ``None`` for a plain back."""

    seat: Seat
    card: Card | None
    face: Face


class View(NamedTuple):
    """Built from what *seat* may know (``None``: the public)."""

    seat: Seat | None
    seats: int
    ply: int
    round: int
    starter: Seat
    direction: int
    turn: Seat
    owed: int
    duty: int
    doubled: bool
    last: Seat | None
    may_call: tuple[Seat, ...]
    """In seat order."""
    queue: tuple[Seen, ...]
    """Left to right."""
    hand: tuple[Card, ...]
    """The viewer's own; empty for the public."""
    hand_sizes: tuple[int, ...]
    open_backs: tuple[tuple[int, ...], ...]
    """By seat, the numbers on the backs of its two-sided cards, sorted: position reveals nothing."""
    draw_size: int
    draw_top: int | None
    """The number on the back of the draw pile's top card; ``None``: a plain back, or no card."""
    discard_size: int
    victory: tuple[int, ...]
    penalty: tuple[int, ...]
    winners: tuple[Seat, ...]

    @property
    def visible_sum(self) -> int:
        """The total of the cards that the viewer can see."""
        return sum(seen.card.number for seen in self.queue if seen.card is not None)

    @property
    def hidden_count(self) -> int:
        """How many cards of the queue the viewer cannot see."""
        return sum(seen.card is None for seen in self.queue)

    @property
    def must_call(self) -> bool:
        """Whether the player on turn has no card left and can only call (D10)."""
        return not self.winners and self.hand_sizes[self.turn] == 0


_EVERYBODY: Final = tuple(tuple(Seat(seat) for seat in range(seats)) for seats in range(7))
"""By the number of seats."""


@lru_cache(4096)
def _open_backs(hand: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(sorted([card.number for card in hand if card.open_back]))


def view(state: State, seat: Seat | None) -> View:
    """What *seat* may know of *state*; ``None`` is a spectator."""
    hands = state.hands
    seats = len(hands)
    draw = state.draw
    last = state.last
    # Lists made tuples, and no generators: this is run for every action and every onlooker.
    queue = tuple(
        [
            Seen(owner, card if face is Face.UP or card.open_back or owner == seat else None, face)
            for owner, card, face in state.queue
        ]
    )
    callable_now = last is not None and state.owed == state.duty and not state.winners
    # By position, and in the order of the fields: names cost a fifth of it.
    return View(
        seat,
        seats,
        state.ply,
        state.round,
        state.starter,
        state.direction,
        state.turn,
        state.owed,
        state.duty,
        state.doubled,
        last,
        _EVERYBODY[seats][:last] + _EVERYBODY[seats][last + 1 :] if callable_now and last is not None else (),
        queue,
        () if seat is None else hands[seat],
        tuple(map(len, hands)),
        tuple(map(_open_backs, hands)),
        len(draw),
        draw[0].number if draw and draw[0].open_back else None,
        len(state.discard),
        state.victory,
        state.penalty,
        state.winners,
    )


def witnessed(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """*events* as *seat* saw them: other players' plain backs stay hidden, shuffles are seen by nobody (D2)."""
    return tuple(_witnessed(event, seat) for event in events)


def _witnessed(event: Event, seat: Seat | None) -> Event:
    match event:
        case CardPlayed(player, card, face) | CardTrashed(player, card, face):
            seen = card if face is Face.UP or player == seat or (card and card.open_back) else None
            return event._replace(card=seen)
        case CardsDrawn(player, cards):
            if player == seat:
                return event
            return CardsDrawn(player, tuple(card if card and card.open_back else None for card in cards))
        case PileShuffled(size, _):
            return PileShuffled(size, None)
        case _:
            return event
