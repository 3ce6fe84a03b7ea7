"""What players may read again about the current round of 17: nothing about cards that have left the queue (D19)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.game import Seat
from engine.games.diciassette.cards import Card, Face
from engine.games.diciassette.events import (
    CardPlayed,
    CardsDrawn,
    CardTrashed,
    DirectionReversed,
    Doubled,
    Event,
    PileShuffled,
    RoundStarted,
)


class PlayedThenTrashed(NamedTuple):
    """*seat* has played a card that a Trash has taken since. Its kind, its face and its effect are not told, because
    the effect would reveal the kind."""

    seat: Seat


class Trashed(NamedTuple):
    """*seat* has played a Trash. *victim* is the owner of the card that it took; ``None``: it took none (D11)."""

    seat: Seat
    victim: Seat | None


class Drawn(NamedTuple):
    """*seat* has drawn *size* cards. Their backs are not told, because the cards may have left the table since."""

    seat: Seat
    size: int


RetoldEvent = CardPlayed | PlayedThenTrashed | Trashed | DirectionReversed | Doubled | Drawn | PileShuffled
"""The forms in which events are retold. A card in ``CardPlayed`` still lies in the queue."""


def readable_events(steps: Sequence[tuple[Event, ...]]) -> Sequence[tuple[RetoldEvent, ...]]:
    """What players may read again of the current round: its newest *steps*, without any card that a Trash has taken
    since.

    *steps* are all steps since the deal, each with its events as everybody saw them.

    >>> seat, other = Seat(0), Seat(1)
    >>> four, trash = CardPlayed(seat, Card.FOUR, Face.UP), CardPlayed(other, Card.TRASH, Face.UP)
    >>> readable_events([(four,), (trash, CardTrashed(seat, Card.FOUR, Face.UP))])
    [(PlayedThenTrashed(seat=0),), (Trashed(seat=1, victim=0),)]
    """
    begun = [
        number for number, events in enumerate(steps, start=1) if any(isinstance(it, RoundStarted) for it in events)
    ]
    since = steps[begun[-1] if begun else 0 :]
    gone = _numbers_of_steps_later_trashed(since)
    return [tuple(_to_readable_events(events, is_gone=number in gone)) for number, events in enumerate(since)]


def _numbers_of_steps_later_trashed(steps: Sequence[tuple[Event, ...]]) -> set[int]:
    """The numbers of *steps*, all of one round, that played a card that a Trash has taken since."""
    queue: list[int] = []
    gone = set()
    for number, events in enumerate(steps):
        for event in events:
            match event:
                case CardPlayed(_, card, face) if not _is_trash(card, face):
                    queue.append(number)
                case CardTrashed() if queue:
                    gone.add(queue.pop())
    return gone


def _is_trash(card: Card | None, face: Face) -> bool:
    """Whether a played card is a Trash face up, which goes to the discard pile at once and never lies in the queue
    (D11)."""
    return card is Card.TRASH and face is Face.UP


def _to_readable_events(events: Iterable[Event], *, is_gone: bool) -> Iterable[RetoldEvent]:
    """Convert *events* of one step to what players may read again; *is_gone*: its card has left the queue since."""
    events = tuple(events)
    victim = next((event.seat for event in events if isinstance(event, CardTrashed)), None)
    for event in events:
        match event:
            case CardPlayed(seat, card, face) if _is_trash(card, face):
                yield Trashed(seat, victim)
            case CardPlayed(seat):
                yield PlayedThenTrashed(seat) if is_gone else event
            case DirectionReversed() | Doubled() if not is_gone:
                yield event
            case CardsDrawn(seat, cards):
                yield Drawn(seat, len(cards))
            case PileShuffled():
                yield event
            case _:
                continue
