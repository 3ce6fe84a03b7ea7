"""Decisions of a game that is over, as the coach has judged them, with what their players saw. Pure."""

from collections.abc import Iterator
from typing import Any, Final, Generic, NamedTuple, TypeVar

from bot.review.replay import Course
from engine.coaching import Coaching
from engine.decision import MIN_STAKE, Decision
from engine.game import Seat

SILENT: Final = 2
"""Of so many decisions nothing is said in a row before that is explained."""

V = TypeVar("V")
E = TypeVar("E")


class Judged(NamedTuple, Generic[V, E]):
    """A decision, with what its player saw."""

    decision: Decision
    view: V
    """The player's, when they decided."""
    happened: tuple[E, ...]
    """What came of it, as they saw it."""


def decisions_of(said: Coaching, seat: Seat) -> Iterator[Decision]:
    """What *seat* has decided, but for where it did nothing and nothing was best."""
    return (it for it in said.decisions if it.seat == seat and (it.made is not None or it.best is not None))


def late_at(said: Coaching, course: Course, number: int, seat: Seat) -> Judged[Any, Any] | None:
    """The call that *seat* could have made, and should have, on the queue that the moment *number* of *course* shows,
    where another player did; ``None``: there is none."""
    found = (it for it in said.late if (it.seat, it.review_moment) == (seat, number))
    return next((judged(course, it) for it in found), None)


def acted(said: Coaching, course: Course, number: int) -> tuple[Judged[Any, Any], ...]:
    """What those decided who acted at the moment *number* of *course*."""
    return tuple(judged(course, it) for it in said.decisions if it.number == number and it.made is not None)


class Over(NamedTuple):
    """That nothing was open any more for somebody, by what they could know, and that it ended so."""

    number: int
    """Of the moment from which on the coach says nothing of what they decide, but this once."""
    seat: Seat
    won: bool
    """Whether the game was as good as won for them; else as good as lost."""


def over_of(said: Coaching, seat: Seat) -> Over | None:
    """From where on nothing was open for *seat*; ``None``: something was until the end."""
    end, left = said.courses[-1][seat], list[Decision]()
    for it in reversed(list(decisions_of(said, seat))):
        if not it.was_settled or it.was_won != (end > 1 - MIN_STAKE):
            break
        left.append(it)
    if len(left) < SILENT or MIN_STAKE <= end <= 1 - MIN_STAKE:
        return None
    return Over(left[-1].review_moment, seat, left[-1].was_won)


def unstoppable_from(said: Coaching) -> tuple[int, Seat] | None:
    """From which moment on the winner could not be stopped any more, all cards open, to the end, and who it was;
    ``None``: nobody won alone."""
    end = said.courses[-1]
    if max(end) < 1:
        return None
    winner = Seat(end.index(1))
    first = len(said.courses) - 1
    while first and said.courses[first - 1][winner] == 1:
        first -= 1
    return first, winner


def over_at(said: Coaching, number: int, seat: Seat | None) -> tuple[Over, ...]:
    """Whether nothing is open for *seat* from the moment *number* on; ``None``: for whom not, but for those who had
    lost where it was said by then that somebody had won."""
    seats = range(len(said.balances)) if seat is None else (seat,)
    found = [it for one in seats if (it := over_of(said, Seat(one))) is not None]
    told = any(it.won and it.number <= number for it in found)
    return tuple(it for it in found if it.number == number and (it.won or not told))


def judged(course: Course, it: Decision) -> Judged[Any, Any]:
    """The decision *it* in the game of *course*, with what its player saw."""
    moment = course.moments[it.number]
    return Judged(it, course.rules.views.view(moment.before, it.seat), course.rules.witnessed(moment.events, it.seat))
