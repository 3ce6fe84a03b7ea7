"""Decisions of a game that is over, as the coach has judged them, with what their players saw. Pure."""

from collections.abc import Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from bot.tables.course import Course
from engine.coaching import Coaching, Decision
from engine.game import Seat

V = TypeVar("V")
E = TypeVar("E")


class Judged(NamedTuple, Generic[V, E]):
    """A decision, with what its player saw."""

    decision: Decision
    view: V
    """The player's, when they decided."""
    happened: tuple[E, ...]
    """What came of it, as they saw it."""

    @property
    def shown_at(self) -> int:
        """The number of the moment at which a review tells it: the cards on that page are those it is about. Whoever
        did not call could have done so before the next action."""
        return self.decision.number - (self.decision.made is None)


def judged_of(said: Coaching, course: Course, seat: Seat) -> Iterator[Judged[Any, Any]]:
    """What *seat* has decided in the game of *course*, but for calls left to somebody who made them."""
    for it in said.decisions:
        if it.seat == seat and not _left_to_another(course, it):
            yield judged(course, it)


def judged(course: Course, it: Decision) -> Judged[Any, Any]:
    """The decision *it* in the game of *course*, with what its player saw."""
    moment = course.moments[it.number]
    return Judged(it, course.rules.view(moment.before, it.seat), course.rules.witnessed(moment.events, it.seat))


def _left_to_another(course: Course, it: Decision) -> bool:
    """Whether it was not called in *it*, but another player called: then nobody has missed it."""
    moment = course.moments[it.number]
    others = (course.rules.part(moment.action, Seat(seat)) for seat in range(len(moment.seats)) if seat != it.seat)
    return it.made is None and any(type(done) is type(it.best) for done in others)
