"""Decisions of a finished game that the coach has judged, with what their players saw. Pure."""

from collections.abc import Iterator
from typing import Any, Final, Generic, NamedTuple, TypeVar

from bot.review.replay import GameCourse
from engine.coaching import Coaching
from engine.decision import MIN_STAKE, Decision
from engine.game import Seat

MIN_SETTLED: Final = 2
"""At least so many settled decisions in a row are left out of a review; then one sentence explains that."""

V = TypeVar("V")
E = TypeVar("E")


class JudgedDecision(NamedTuple, Generic[V, E]):
    """A decision that the coach has judged, with the player's view before and the events after it."""

    decision: Decision
    view: V
    """The player's view when they decided."""
    happened: tuple[E, ...]
    """The events that followed, as the player saw them."""


def seat_decisions(coaching: Coaching, seat: Seat) -> Iterator[Decision]:
    """Yield the judged decisions of *seat*, in order; without those where it did nothing and to do nothing was best."""
    return (it for it in coaching.decisions if it.seat == seat and (it.made is not None or it.best is not None))


def missed_call_on_page(
    coaching: Coaching, course: GameCourse, number: int, seat: Seat | None
) -> JudgedDecision[Any, Any] | None:
    """Return the call that *seat* (``None``: nobody) should have made but another player made first, if it belongs on
    the review page *number*; else ``None``."""
    found = (it for it in coaching.late if (it.seat, it.review_moment) == (seat, number))
    return next((add_view_and_events(course, it) for it in found), None)


def decisions_at(coaching: Coaching, course: GameCourse, number: int) -> tuple[JudgedDecision[Any, Any], ...]:
    """Return the judged decisions of the players who acted at the moment *number* of *course*, each with the player's
    view then; empty if nobody acted."""
    return tuple(
        add_view_and_events(course, it) for it in coaching.decisions if it.number == number and it.made is not None
    )


class SettledFrom(NamedTuple):
    """The moment from which on the game was as good as won or lost for one seat, as that player could know."""

    number: int
    """The moment from which on the coach does not judge their decisions; it says so once."""
    seat: Seat
    won: bool
    """Whether the game was as good as won for them; else as good as lost."""


def settling_moment_and_outcome(coaching: Coaching, seat: Seat) -> SettledFrom | None:
    """Return from which moment on the game was as good as won or lost for *seat*, and which of both, by what that
    player knew; ``None`` if it was open to the end."""
    end, left = coaching.courses[-1][seat], list[Decision]()
    for it in reversed(list(seat_decisions(coaching, seat))):
        if not it.outcome_was_certain_anyway or it.win_was_certain_anyway != (end > 1 - MIN_STAKE):
            break
        left.append(it)
    if len(left) < MIN_SETTLED or MIN_STAKE <= end <= 1 - MIN_STAKE:
        return None
    return SettledFrom(left[-1].review_moment, seat, left[-1].win_was_certain_anyway)


def certain_win_moment_and_seat(coaching: Coaching) -> tuple[int, Seat] | None:
    """Return (number of the moment, seat) from which on the only winner was certain to win, all cards open; ``None`` if
    nobody won alone."""
    end = coaching.courses[-1]
    if max(end) < 1:
        return None
    winner = Seat(end.index(1))
    first = len(coaching.courses) - 1
    while first and coaching.courses[first - 1][winner] == 1:
        first -= 1
    return first, winner


def players_with_outcome_settled_at(coaching: Coaching, number: int, seat: Seat | None) -> tuple[SettledFrom, ...]:
    """Return for which players (or only for *seat*) the game is as good as won or lost from exactly the moment *number*
    on; empty if for nobody.

    Those who had lost are left out where it was said before that somebody had won.
    """
    seats = range(len(coaching.balances)) if seat is None else (seat,)
    found = [it for one in seats if (it := settling_moment_and_outcome(coaching, Seat(one))) is not None]
    told = any(it.won and it.number <= number for it in found)
    return tuple(it for it in found if it.number == number and (it.won or not told))


def add_view_and_events(course: GameCourse, decision: Decision) -> JudgedDecision[Any, Any]:
    """Return *decision* together with the view that its player had before it and the events that they saw after it,
    from *course*."""
    moment = course.moments[decision.number]
    return JudgedDecision(
        decision,
        course.rules.views.view(moment.before, decision.seat),
        course.rules.events_as_seen(moment.events, decision.seat),
    )
