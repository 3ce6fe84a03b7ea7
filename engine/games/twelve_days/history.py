"""What may be told again in 12 Days of Christmas: the trick that lies on the table, and nothing else (T11)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import Cards
from engine.games.twelve_days.events import Event, HandDealt, Passed, Played, TrickWon
from engine.games.twelve_days.state import lowest_of


class CardsPlayed(NamedTuple):
    """*seat* has played *cards*; *leads*: first of all; *lowest*: that would have won the trick (T7)."""

    seat: Seat
    cards: Cards
    leads: bool
    lowest: bool


RetoldEvent = CardsPlayed | Passed
"""What a step may be told as."""


def retold(steps: Sequence[tuple[Event, ...]]) -> Sequence[tuple[RetoldEvent, ...]]:
    """The newest of *steps*, which are as everybody saw them: those of the trick that is being played.

    >>> lead, answer = Played(Seat(0), (8, 8), leads=True), Played(Seat(1), (3, 3), leads=False)
    >>> retold([(lead,), (answer, TrickWon(Seat(1), ())), (lead,)])
    [(Laid(seat=0, cards=(8, 8), leads=True, lowest=True),)]
    """
    over = [number for number, events in enumerate(steps, start=1) if any(map(_ends_trick, events))]
    trick: list[Action] = []
    return [tuple(_retell_events(events, trick)) for events in steps[over[-1] if over else 0 :]]


def _ends_trick(event: Event) -> bool:
    """Whether with *event* a trick is over, or the first one begins."""
    return isinstance(event, TrickWon | HandDealt)


def _retell_events(events: Iterable[Event], trick: list[Action]) -> Iterable[RetoldEvent]:
    """What *events* of one step may be told as; *trick* are the plays before it, and grows by those in it."""
    for event in events:
        match event:
            case Played(seat, cards, leads):
                trick.append(Play(seat, cards))
                best = lowest_of(tuple(trick))
                yield CardsPlayed(seat, cards, leads, lowest=best is trick[-1])
            case Passed():
                yield event
            case _:
                continue
