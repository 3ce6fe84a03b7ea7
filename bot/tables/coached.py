"""What the coach says of a game that is over, as presenters get it. Pure."""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from bot.tables.course import Course
from bot.tables.model import TableId
from bot.tables.reviewing import Cast, Open, opened
from engine.coaching import Balance, Coaching, Decision
from engine.game import Seat

SHOWN: Final = 3
"""So many of somebody's worst decisions are shown."""
WORTH_IT: Final = 0.02
"""A decision is worth looking at again if it has cost as much of the chance to win."""


class Deciding(NamedTuple):
    """A moment that has changed the chances to win."""

    shown: Open[Any, Any, Any]
    number: int
    before: tuple[float, ...]
    """Every seat's chance to win before it, all cards open ..."""
    after: tuple[float, ...]
    """... and after it."""
    greatest: bool
    """Whether none has changed them more: it is the turning point."""

    @property
    def favoured(self) -> Seat:
        """Whose chance has risen most."""
        return Seat(max(range(len(self.after)), key=lambda seat: self.after[seat] - self.before[seat]))


class Coached(NamedTuple):
    """What the coach says of a whole game."""

    table: TableId
    end: Open[Any, Any, Any]
    """How the game stood at its end."""
    courses: tuple[tuple[float, ...], ...]
    """After every action, the deal first: every seat's chance to win, all cards open."""
    deciding: tuple[Deciding, ...]
    """The moments that have changed the chances most, in their order."""
    marks: tuple[int, ...]
    """Their places in *courses*."""
    balances: tuple[Balance, ...]
    """By seat."""
    own: Seat | None
    """The reader's seat; ``None``: they did not play."""
    worst: tuple[Decision, ...]
    """The reader's decisions that have cost most, in their order."""


def coached(table: TableId, course: Course, said: Coaching, cast: Cast, ids: Collection[str]) -> Coached:
    """What the coach has *said* of *course*, which was played at *table*; *ids* is what the record calls the reader
    (empty: they did not play)."""
    moments = course.moments
    acted = [it.number for it in moments if it.action is not None or it.entry is None]
    deciding = []
    for number in said.decisive:
        shown = opened(table, course, cast, moments[number])
        greatest = number == said.turning
        deciding.append(Deciding(shown, number, said.courses[number - 1], said.courses[number], greatest))
    own = course.seat_at(course.last, ids)
    costly = [it for it in said.decisions if it.seat == own and it.cost >= WORTH_IT]
    worst = sorted(sorted(costly, key=lambda it: -it.cost)[:SHOWN], key=lambda it: it.number)
    return Coached(
        table,
        opened(table, course, cast, moments[-1]),
        tuple(said.courses[number] for number in acted),
        tuple(deciding),
        tuple(acted.index(number) for number in said.decisive),
        said.balances,
        own,
        tuple(worst),
    )
