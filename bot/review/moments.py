"""One moment of a game that is over, as presenters get it: as one seat saw it, or with all cards open. Pure.

A ``Page`` holds views and never a state: the page of one seat holds that seat's view alone, the page with all cards
open the view of every seat.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from bot.review.decisions import Judged, Over, acted, decisions_of, judged, late_at, over_at, unstoppable_from
from bot.review.replay import Course
from bot.tables.model import Ending, Handover, Phase, SeatChange, Table, TableId
from bot.tables.options import Options
from bot.tables.record import Person
from bot.tables.scene import Person as Player
from bot.tables.scene import Place, Scene
from engine.coaching import Coaching
from engine.game import Seat
from engine.record import FINISHED, ActionEntry
from engine.replay import Moment, SeatOccupant
from engine.swings import MAX_ACTIONS_TO_UNDO

V = TypeVar("V")
A = TypeVar("A")
E = TypeVar("E")


class Cast(NamedTuple):
    """What everybody in a record is called."""

    people: Mapping[str, str]
    """By what the record calls them; whoever was erased is not here."""
    computers: Mapping[int, str]
    """By seat, as far as that is known."""
    former: str
    """What somebody is called who was erased."""
    computer: str
    """What a computer player is called whose name is not known; the number of the seat follows."""

    def name(self, seat: int, sitting: SeatOccupant) -> str:
        """The name of *sitting*, who plays *seat*."""
        if sitting.kind == "person":
            return self.people.get(sitting.id, self.former)
        return self.computers.get(seat) or f"{self.computer} {seat + 1}"


def cast_of(people: Iterable[Person], table: Table | None, former: str, computer: str) -> Cast:
    """What everybody is called in a record with *people*; *table* is the one where it was played, if that is still
    there. For the rest see ``Cast``."""
    computers = {}
    for seat, player in enumerate(table.players if table is not None else ()):
        called = player.before if player.user is not None or player.former else player.name
        if called:
            computers[seat] = called
    return Cast({it.id: it.name for it in people}, computers, former, computer)


class Open(NamedTuple, Generic[V, A, E]):
    """A moment with all cards open."""

    scene: Scene[V, A, E]
    """The public's, but of what has just happened it holds what whoever did it saw."""
    views: tuple[V, ...]
    """What each seat could see."""


class Page(NamedTuple):
    """A moment of a game that is over."""

    table: TableId
    number: int
    """From 0, the deal."""
    last: int
    """The number of the last moment."""
    round_before: int
    round_after: int
    """Where the round before begins, and the next one."""
    turning_at: int | None
    """The number of the moment that mattered most."""
    seat: Seat | None
    """The reader's seat; ``None``: they had none by then."""
    shown: Scene[Any, Any, Any] | Open[Any, Any, Any]
    """As the reader's seat saw it, or with all cards open."""
    change: Handover | None
    """How a seat has changed hands, if that is what has happened."""
    by_clock: Seat | None
    """Whose time was up, so that a computer played."""
    decisions: tuple[Judged[Any, Any], ...] = ()
    """What the reader decided; with all cards open what everybody did who acted."""
    late: Judged[Any, Any] | None = None
    """Where the reader could have called here, and should have, but another player did; not with all cards open."""
    before: tuple[float, ...] = ()
    """With all cards open, every seat's chance to win before it ..."""
    after: tuple[float, ...] = ()
    """... and after it, before the cards of a new hand. Empty where there is nothing to be said."""
    dealt: tuple[float, ...] = ()
    """After these; empty where none were dealt."""
    later: tuple[tuple[float, ...], ...] = ()
    """After each of the next ``MAX_ACTIONS_TO_UNDO`` actions; near the end fewer."""
    over: tuple[Over, ...] = ()
    """For whom nothing is open from here on."""
    unstoppable: Seat | None = None
    """With all cards open, who could not be stopped from here on."""
    acted: tuple[Judged[Any, Any], ...] = ()
    """What those decided who acted, whoever looks at it: the game is over."""
    coached: bool = False
    """Whether the game has a coach."""

    @property
    def scene(self) -> Scene[Any, Any, Any]:
        """What there is to show."""
        return self.shown.scene if isinstance(self.shown, Open) else self.shown


class Summary(NamedTuple):
    """A game that is over as a whole."""

    table: TableId
    ended_at: int
    """ms since 1970."""
    finished: bool
    """Whether it was played to its end."""
    moves: int
    turning_at: int | None
    """The number of the moment that mattered most."""
    moments: tuple[Open[Any, Any, Any], ...]
    """The deal, and every action that was made."""

    @property
    def scene(self) -> Scene[Any, Any, Any]:
        """How it ended."""
        return self.moments[-1].scene


def summary(table: TableId, course: Course, cast: Cast, ended_at: int, said: Coaching | None = None) -> Summary:
    """The whole of *course*, which was played at *table* and was over at the time *ended_at* (ms). *said* is what the
    coach says of the game, if it has one."""
    moments, finished = tuple(all_opened(table, course, cast)), course.record.ending == FINISHED
    turning_at = said.turning_point if said is not None else None
    return Summary(table, ended_at, finished, len(moments) - 1, turning_at, moments)


def page(
    table: TableId,
    course: Course,
    cast: Cast,
    number: int,
    ids: Collection[str],
    *,
    own: bool,
    said: Coaching | None = None,
) -> Page:
    """The moment *number* of *course*, which was played at *table*; of numbers that there are not the nearest.

    *ids* is what the record calls the reader (empty: they did not play). *own*: as they saw it then, if they had a seat
    by then; else with all cards open. *said* is what the coach says of the game, if it has one.
    """
    number = max(0, min(number, course.last))
    moment = course.moments[number]
    seat = course.seat_at(number, ids)
    as_seen = own and seat is not None
    shown = scene_of(table, course, cast, moment, seat) if as_seen else opened(table, course, cast, moment)
    told = said if not as_seen and moment.action is not None else None
    chances = {} if told is None else _chances(told, course, moment)
    found = None if told is None else unstoppable_from(told)
    told_already = found is not None and found[0] <= number
    by_clock = isinstance(moment.entry, ActionEntry) and moment.entry.by_clock
    return Page(
        table=table,
        number=number,
        last=course.last,
        round_before=course.round_before(number),
        round_after=course.round_after(number),
        turning_at=said.turning_point if said is not None else None,
        seat=seat,
        shown=shown,
        change=_change(course, cast, moment),
        by_clock=course.rules.on_turn(moment.before) if by_clock else None,
        decisions=_decisions(said, course, number, seat if as_seen else None),
        late=late_at(said, course, number, seat) if said is not None and as_seen and seat is not None else None,
        over=() if said is None or told_already else over_at(said, number, seat if as_seen else None),
        unstoppable=found[1] if found is not None and found[0] == number else None,
        acted=() if said is None else acted(said, course, number),
        coached=said is not None,
        **chances,
    )


def _decisions(said: Coaching | None, course: Course, number: int, seat: Seat | None) -> tuple[Judged[Any, Any], ...]:
    """What *seat* decided, as the moment *number* shows it, if it had a choice; ``None``: what everybody did."""
    if said is None:
        return ()
    seats = range(len(said.balances)) if seat is None else (seat,)
    found = [it for one in seats for it in decisions_of(said, Seat(one)) if it.review_moment == number]
    return tuple(judged(course, it) for it in sorted(found, key=lambda it: it.made is None))


def _chances(said: Coaching, course: Course, moment: Moment) -> Mapping[str, Any]:
    """Every seat's chances to win around the action of *moment*, by the field of ``Page``."""
    number = moment.number
    actions = (it.number for it in course.moments[number + 1 :] if it.action is not None)
    later = tuple(said.courses[it] for it in islice(actions, MAX_ACTIONS_TO_UNDO))
    dealt = said.courses[number] if said.undealt[number] != said.courses[number] else ()
    return {"before": said.courses[number - 1], "after": said.undealt[number], "later": later, "dealt": dealt}


def opened(table: TableId, course: Course, cast: Cast, moment: Moment) -> Open[Any, Any, Any]:
    """*moment* of *course* with all cards open."""
    seats = range(len(moment.seats))
    scene = scene_of(table, course, cast, moment, None)
    happened = tuple(
        witnessed
        for event in moment.events
        for witnessed in course.rules.witnessed([event], getattr(event, "seat", None))
    )
    scene = scene._replace(recent=happened, outcome=happened if scene.just_ended else ())
    return Open(scene, tuple(course.rules.views.view(moment.after, Seat(seat)) for seat in seats))


def all_opened(table: TableId, course: Course, cast: Cast) -> Iterator[Open[Any, Any, Any]]:
    """Every moment of *course* in which an action was made, and the deal, with all cards open."""
    for moment in course.moments:
        if moment.action is not None or moment.entry is None:
            yield opened(table, course, cast, moment)


def scene_of(table: TableId, course: Course, cast: Cast, moment: Moment, seat: Seat | None) -> Scene[Any, Any, Any]:
    """What *seat* (``None``: everybody) could know at *moment* of *course*."""
    rules, deal, after = course.rules, course.record.deal, moment.after
    on_turn = rules.on_turn(after)
    finished = on_turn is None and course.record.ending == FINISHED
    recent = rules.witnessed(moment.events, seat)
    just_ended = rules.ends_round(moment.events)
    return Scene(
        table=table,
        place=Place(0, 0, None),
        game=deal.game,
        phase=Phase.PLAYING if on_turn is not None else Phase.OVER,
        levels=rules.computers.LEVELS,
        seats=(rules.seats[0], rules.seats[-1]),
        host=0,
        options=Options(game=tuple(deal.options.items())),
        people=_players(course, cast, moment),
        seat=seat,
        ply=after.ply,
        view=rules.views.view(after, seat),
        allowed=(),
        recent=recent,
        outcome=recent if just_ended else (),
        just_ended=just_ended,
        on_turn=on_turn,
        may_call=rules.callers(after),
        callers=(),
        own_move=None,
        turn_ends=None,
        paused=False,
        overdue=None,
        handovers=(),
        passing=False,
        ending=Ending.FINISHED if finished else None,
        ended_by="",
        standings=rules.standings(after),
        highlights=None,
        starting=False,
        start_failed=False,
        start_refused=False,
        commitment="",
        deal=None,
        rematch=None,
        rematch_by=0,
        rematch_people=None,
        game_options=dict(deal.options),
    )


def _players(course: Course, cast: Cast, moment: Moment) -> tuple[Player, ...]:
    """Who plays each seat at *moment*. A computer that has taken a seat over plays under the name of its person."""
    names = [cast.name(seat, sitting) for seat, sitting in enumerate(course.moments[0].seats)]
    for changed in course.seatings[1:]:
        for seat, sitting in enumerate(changed.seats):
            if sitting.id and changed.number <= moment.number:
                names[seat] = cast.name(seat, sitting)
    levels = [int(it.level) if it.id and it.level.isdecimal() else 0 for it in moment.seats]
    return tuple(
        Player(name, None, sitting.kind == "computer", by_dm=False, level=level)
        for name, sitting, level in zip(names, moment.seats, levels, strict=True)
    )


def _change(course: Course, cast: Cast, moment: Moment) -> Handover | None:
    """How a seat has changed hands at *moment*, if it has."""
    if moment.entry is None or isinstance(moment.entry, ActionEntry):
        return None
    seat, before = moment.entry.seat, course.moments[: moment.number]
    name = _players(course, cast, moment)[seat].name
    if moment.entry.sits == "computer":
        return Handover(SeatChange.REPLACED, name)
    if any(it.seats[seat].id == moment.entry.id for it in before):
        return Handover(SeatChange.BACK, name)
    return Handover(SeatChange.SAT_DOWN, name, _players(course, cast, before[-1])[seat].name)
