"""What may be told again in 12 Days of Christmas: the trick that lies on the table, and nothing else (T11)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import Cards
from engine.games.twelve_days.events import Event, HandDealt, Passed, Played, TrickWon
from engine.games.twelve_days.state import lowest_of


class Laid(NamedTuple):
    """*seat* has played *cards*; *leads*: first of all; *lowest*: that would have won the trick (T7)."""

    seat: Seat
    cards: Cards
    leads: bool
    lowest: bool


Told = Laid | Passed
"""What a step may be told as."""


def retold(steps: Sequence[tuple[Event, ...]]) -> Sequence[tuple[Told, ...]]:
    """The newest of *steps*, which are as everybody saw them: those of the trick that is being played.

    >>> lead, answer = Played(Seat(0), (8, 8), leads=True), Played(Seat(1), (3, 3), leads=False)
    >>> retold([(lead,), (answer, TrickWon(Seat(1), ())), (lead,)])
    [(Laid(seat=0, cards=(8, 8), leads=True, lowest=True),)]
    """
    over = [number for number, events in enumerate(steps, start=1) if any(map(_ends, events))]
    trick: list[Action] = []
    return [tuple(_told(events, trick)) for events in steps[over[-1] if over else 0 :]]


def _ends(event: Event) -> bool:
    """Whether with *event* a trick is over, or the first one begins."""
    return isinstance(event, TrickWon | HandDealt)


def _told(events: Iterable[Event], trick: list[Action]) -> Iterable[Told]:
    """What *events* of one step may be told as; *trick* are the plays before it, and grows by those in it."""
    for event in events:
        match event:
            case Played(seat, cards, leads):
                trick.append(Play(seat, cards))
                best = lowest_of(tuple(trick))
                yield Laid(seat, cards, leads, lowest=best is trick[-1])
            case Passed():
                yield event
            case _:
                continue
