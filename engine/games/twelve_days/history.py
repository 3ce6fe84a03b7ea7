"""What players may read again in 12 Days of Christmas: the current trick, and nothing else (T11)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import Cards
from engine.games.twelve_days.events import Event, HandDealt, Passed, Played, TrickWon
from engine.games.twelve_days.state import lowest_play


class CardsPlayed(NamedTuple):
    """*seat* has played *cards*. *leads*: it was the first play of the trick; *lowest*: it was winning the trick then
    (T7)."""

    seat: Seat
    cards: Cards
    leads: bool
    lowest: bool


RetoldEvent = CardsPlayed | Passed
"""The forms in which events are retold."""


def readable_events(steps: Sequence[tuple[Event, ...]]) -> Sequence[tuple[RetoldEvent, ...]]:
    """What players may read again of the current trick: its plays and passes, a tuple for each step.

    *steps* are all steps since the deal, each with its events as everybody saw them.

    >>> lead, answer = Played(Seat(0), (8, 8), leads=True), Played(Seat(1), (3, 3), leads=False)
    >>> readable_events([(lead,), (answer, TrickWon(Seat(1), ())), (lead,)])
    [(CardsPlayed(seat=0, cards=(8, 8), leads=True, lowest=True),)]
    """
    over = [number for number, events in enumerate(steps, start=1) if any(map(_is_trick_boundary, events))]
    trick: list[Action] = []
    return [tuple(_to_readable_events(events, trick)) for events in steps[over[-1] if over else 0 :]]


def _is_trick_boundary(event: Event) -> bool:
    """Whether *event* ends a trick or begins the first one."""
    return isinstance(event, TrickWon | HandDealt)


def _to_readable_events(events: Iterable[Event], trick: list[Action]) -> Iterable[RetoldEvent]:
    """Yield the plays and passes of *events*, one step, as players may read them again, and append its plays to
    *trick*.

    *trick* holds the plays before it.
    """
    for event in events:
        match event:
            case Played(seat, cards, leads):
                trick.append(Play(seat, cards))
                best = lowest_play(tuple(trick))
                yield CardsPlayed(seat, cards, leads, lowest=best is trick[-1])
            case Passed():
                yield event
            case _:
                continue
