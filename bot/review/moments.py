"""One moment of a finished game, as presenters get it: as one seat saw it, or with all cards open. Pure.

A ``ReviewPage`` holds views and never a state: the page of one seat holds that seat's view alone, the page with all
cards open the view of every seat.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from bot.daily.choices import ComparedChoice
from bot.review.decisions import (
    JudgedDecision,
    SettledFrom,
    add_view_and_events,
    certain_win_moment_and_seat,
    decisions_at,
    missed_call_on_page,
    players_with_outcome_settled_at,
    seat_decisions,
)
from bot.review.replay import GameCourse
from bot.tables.model import Ending, Handover, Phase, SeatChange, Table, TableId
from bot.tables.options import Options
from bot.tables.record import RecordedPerson
from bot.tables.scene import PublicPlayer, Scene, TablePlace
from engine.coaching import Coaching
from engine.game import Seat
from engine.record import FINISHED, ActionEntry
from engine.replay import Moment, SeatOccupant
from engine.swings import MAX_ACTIONS_TO_UNDO

V = TypeVar("V")
A = TypeVar("A")
E = TypeVar("E")


class PlayerNames(NamedTuple):
    """The names to show for all players in a record: people by id, computers by seat, and words for the unknown."""

    people: Mapping[str, str]
    """By their id in the record; whoever was erased is missing."""
    computers: Mapping[int, str]
    """By seat, as far as they are known."""
    former: str
    """The name for somebody who was erased."""
    computer: str
    """The name for a computer player whose name is not known; the number of the seat follows."""

    def name(self, seat: int, sitting: SeatOccupant) -> str:
        """Return the name to show for the player *sitting* in *seat*: a person's by their id, a computer's by its seat;
        a general word if it was erased or is not known."""
        if sitting.kind == "person":
            return self.people.get(sitting.id, self.former)
        return self.computers.get(seat) or f"{self.computer} {seat + 1}"


def player_names(people: Iterable[RecordedPerson], table: Table | None, former: str, computer: str) -> PlayerNames:
    """Collect the names to show for all players in a record: of *people*, and of the computer players of its *table*
    (``None``: it was deleted).

    *former* and *computer* are the words for unknown ones: see ``PlayerNames``.
    """
    computers = {}
    for seat, player in enumerate(table.players if table is not None else ()):
        called = player.before if player.user is not None or player.former else player.name
        if called:
            computers[seat] = called
    return PlayerNames({it.id: it.name for it in people}, computers, former, computer)


class OpenMoment(NamedTuple, Generic[V, A, E]):
    """A moment of a finished game with all cards open: the public scene, and what each seat could see."""

    scene: Scene[V, A, E]
    """The public scene, but its latest events are as the player who acted saw them."""
    views: tuple[V, ...]
    """What each seat could see."""


class ReviewPage(NamedTuple):
    """One page of a review: one moment, as the reader saw it or with all cards open, chances and judged decisions."""

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
    shown: Scene[Any, Any, Any] | OpenMoment[Any, Any, Any]
    """As the reader's seat saw it, or with all cards open."""
    change: Handover | None
    """The change of a seat, if that is what has happened."""
    by_clock: Seat | None
    """The seat whose time was up, so that a computer played."""
    coached: bool
    """Whether the game has a coach."""
    decisions: tuple[JudgedDecision[Any, Any], ...] = ()
    """The reader's decisions; with all cards open the decisions of all who acted."""
    late: JudgedDecision[Any, Any] | None = None
    """The call that the reader should have made here, but another player did; not with all cards open."""
    before: tuple[float, ...] = ()
    """With all cards open, every seat's chance to win before it ..."""
    after: tuple[float, ...] = ()
    """... and after it, before the cards of a new hand. Empty where there is nothing to be said."""
    dealt: tuple[float, ...] = ()
    """After these; empty where none were dealt."""
    later: tuple[tuple[float, ...], ...] = ()
    """After each of the next ``MAX_ACTIONS_TO_UNDO`` actions; near the end fewer."""
    over: tuple[SettledFrom, ...] = ()
    """The players for whom the game is settled from here on."""
    unstoppable: Seat | None = None
    """With all cards open, the player who could not be stopped from here on."""
    acted: tuple[JudgedDecision[Any, Any], ...] = ()
    """The decisions of the players who acted, whoever looks at it: the game is over."""
    compared: tuple[ComparedChoice, ...] = ()
    """The reader's choices in the deal of a day, compared with those of others; empty: there is nothing to compare."""

    @property
    def scene(self) -> Scene[Any, Any, Any]:
        """The scene that the page shows: the reader's own as it was then, or the public one if all cards are open."""
        return self.shown.scene if isinstance(self.shown, OpenMoment) else self.shown


class GameSummary(NamedTuple):
    """A finished game as a whole: when it ended, and every action with all cards open."""

    table: TableId
    ended_at: int
    """ms since 1970."""
    finished: bool
    """Whether it was played to its end."""
    moves: int
    turning_at: int | None
    """The number of the moment that mattered most."""
    moments: tuple[OpenMoment[Any, Any, Any], ...]
    """The deal, and every action that was made."""

    @property
    def scene(self) -> Scene[Any, Any, Any]:
        """The public scene at the end of the game."""
        return self.moments[-1].scene


def game_summary(
    table: TableId, course: GameCourse, names: PlayerNames, ended_at: int, coaching: Coaching | None = None
) -> GameSummary:
    """Summarize the game *course*, which ended at *ended_at* (ms): every action with all cards open, and the turning
    point.

    It was played at *table*. *coaching* is the coach's judgement, if the game has a coach.
    """
    moments, finished = tuple(moments_with_open_cards(table, course, names)), course.record.ending == FINISHED
    turning_at = coaching.turning_point if coaching is not None else None
    return GameSummary(table, ended_at, finished, len(moments) - 1, turning_at, moments)


def review_page(
    table: TableId,
    course: GameCourse,
    names: PlayerNames,
    number: int,
    ids: Collection[str],
    *,
    own: bool,
    coaching: Coaching | None = None,
    compared: Mapping[int, ComparedChoice] = MappingProxyType({}),
) -> ReviewPage:
    """Build the review page of the moment *number* (or the nearest one): as the reader saw it (*own*, if they had a
    seat by then), or with all cards open.

    The game *course* was played at *table*. *ids* are the reader's ids in the record (empty: they did not play). *own*:
    as they saw it then, if they had a seat by then; else with all cards open. *coaching* is the coach's judgement, if
    the game has a coach. *compared* are the reader's choices in the deal of a day (``compare_choices``).
    """
    number = max(0, min(number, course.last))
    moment = course.moments[number]
    seat = course.seat_of_person_by_moment(number, ids)
    looking = seat if own else None
    shown = (
        moment_with_open_cards(table, course, names, moment)
        if looking is None
        else build_replay_scene(table, course, names, moment, looking)
    )
    told = coaching if looking is None and moment.action is not None else None
    chances = {} if told is None else _chances_around(told, course, moment)
    found = None if told is None else certain_win_moment_and_seat(told)
    told_already = found is not None and found[0] <= number
    by_clock = isinstance(moment.entry, ActionEntry) and moment.entry.by_clock
    return ReviewPage(
        table=table,
        number=number,
        last=course.last,
        round_before=course.round_start_before(number),
        round_after=course.round_start_after(number),
        turning_at=coaching.turning_point if coaching is not None else None,
        seat=seat,
        shown=shown,
        change=_seat_handover_at_moment(course, names, moment),
        by_clock=course.rules.on_turn(moment.before) if by_clock else None,
        decisions=_decisions_on_page(coaching, course, number, looking),
        late=None if coaching is None else missed_call_on_page(coaching, course, number, looking),
        over=() if coaching is None or told_already else players_with_outcome_settled_at(coaching, number, looking),
        unstoppable=found[1] if found is not None and found[0] == number else None,
        acted=() if coaching is None else decisions_at(coaching, course, number),
        compared=_compared_choices_on_page(compared, number),
        coached=coaching is not None,
        **chances,
    )


def _decisions_on_page(
    coaching: Coaching | None, course: GameCourse, number: int, seat: Seat | None
) -> tuple[JudgedDecision[Any, Any], ...]:
    """Return the judged decisions of *seat* (``None``: of all seats) that the review tells on the page of the moment
    *number*; empty if none, or without a coach."""
    if coaching is None:
        return ()
    seats = range(len(coaching.balances)) if seat is None else (seat,)
    found = [it for one in seats for it in seat_decisions(coaching, Seat(one)) if it.review_moment == number]
    return tuple(add_view_and_events(course, it) for it in sorted(found, key=lambda it: it.made is None))


def _compared_choices_on_page(compared: Mapping[int, ComparedChoice], number: int) -> tuple[ComparedChoice, ...]:
    """Return those of *compared* that belong on the page of the moment *number*; a choice not to call belongs one page
    before its own moment, where the coach tells it."""
    return tuple(it for at, it in compared.items() if at - (it.made is None) == number)


def _chances_around(coaching: Coaching, course: GameCourse, moment: Moment) -> Mapping[str, Any]:
    """Return every seat's chances to win before and after the action of *moment*, after new cards, and after the next
    actions: as fields of ``ReviewPage``."""
    number = moment.number
    actions = (it.number for it in course.moments[number + 1 :] if it.action is not None)
    later = tuple(coaching.courses[it] for it in islice(actions, MAX_ACTIONS_TO_UNDO))
    dealt = coaching.courses[number] if coaching.undealt[number] != coaching.courses[number] else ()
    return {"before": coaching.courses[number - 1], "after": coaching.undealt[number], "later": later, "dealt": dealt}


def moment_with_open_cards(
    table: TableId, course: GameCourse, names: PlayerNames, moment: Moment
) -> OpenMoment[Any, Any, Any]:
    """Return *moment* of *course* with all cards open: the public scene, with its events as the player who acted saw
    them, and every seat's view."""
    seats = range(len(moment.seats))
    scene = build_replay_scene(table, course, names, moment, None)
    happened = tuple(
        witnessed
        for event in moment.events
        for witnessed in course.rules.events_as_seen([event], getattr(event, "seat", None))
    )
    scene = scene._replace(recent=happened, outcome=happened if scene.just_ended else ())
    return OpenMoment(scene, tuple(course.rules.views.view(moment.after, Seat(seat)) for seat in seats))


def moments_with_open_cards(
    table: TableId, course: GameCourse, names: PlayerNames
) -> Iterator[OpenMoment[Any, Any, Any]]:
    """Yield the deal and every action of *course* with all cards open."""
    for moment in course.moments:
        if moment.action is not None or moment.entry is None:
            yield moment_with_open_cards(table, course, names, moment)


def build_replay_scene(
    table: TableId, course: GameCourse, names: PlayerNames, moment: Moment, seat: Seat | None
) -> Scene[Any, Any, Any]:
    """What *seat* (``None``: everybody) could see at *moment* of *course*, as a scene without actions to choose."""
    rules, deal, after = course.rules, course.record.deal, moment.after
    on_turn = rules.on_turn(after)
    recent = rules.events_as_seen(moment.events, seat)
    just_ended = rules.ends_round(moment.events)
    return Scene(
        table=table,
        place=TablePlace(0, 0, None),
        game=deal.game,
        phase=Phase.PLAYING if on_turn is not None else Phase.OVER,
        levels=rules.computers.LEVELS,
        seats=(rules.seats[0], rules.seats[-1]),
        host=0,
        options=Options(game=tuple(deal.options.items())),
        people=_players_at(course, names, moment),
        seat=seat,
        ply=after.ply,
        view=rules.views.view(after, seat),
        allowed=(),
        recent=recent,
        outcome=recent if just_ended else (),
        outcome_ply=None,
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
        ending=Ending.FINISHED if on_turn is None else None,
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


def _players_at(course: GameCourse, names: PlayerNames, moment: Moment) -> tuple[PublicPlayer, ...]:
    """The player in each seat at *moment*; a computer that plays for a person has the name of that person."""
    shown_names = [names.name(seat, sitting) for seat, sitting in enumerate(course.moments[0].seats)]
    for changed in course.seatings[1:]:
        for seat, sitting in enumerate(changed.seats):
            if sitting.id and changed.number <= moment.number:
                shown_names[seat] = names.name(seat, sitting)
    levels = [int(it.level) if it.id and it.level.isdecimal() else 0 for it in moment.seats]
    return tuple(
        PublicPlayer(name, None, sitting.kind == "computer", by_dm=False, level=level)
        for name, sitting, level in zip(shown_names, moment.seats, levels, strict=True)
    )


def _seat_handover_at_moment(course: GameCourse, names: PlayerNames, moment: Moment) -> Handover | None:
    """Return who has taken whose seat at *moment*; ``None`` if it was an action or the deal."""
    if moment.entry is None or isinstance(moment.entry, ActionEntry):
        return None
    seat, before = moment.entry.seat, course.moments[: moment.number]
    name = _players_at(course, names, moment)[seat].name
    if moment.entry.sits == "computer":
        return Handover(SeatChange.REPLACED, name)
    if any(it.seats[seat].id == moment.entry.id for it in before):
        return Handover(SeatChange.BACK, name)
    return Handover(SeatChange.SAT_DOWN, name, _players_at(course, names, before[-1])[seat].name)
