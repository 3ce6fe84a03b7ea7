"""The coach's review of a finished game, as presenters get it. Pure."""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from bot.daily.choices import ComparedChoice
from bot.review.decisions import JudgedDecision, add_view_and_events, decisions_at, seat_decisions
from bot.review.moments import OpenMoment, PlayerNames, moment_with_open_cards
from bot.review.replay import GameCourse
from bot.tables.model import TableId
from engine.coaching import Balance, Coaching
from engine.decision import NOTABLE_POINTS
from engine.game import Seat
from engine.hindsight import Hindsight
from engine.percents import percents
from engine.swings import MIN_DECISIVE_POINTS, Swing

MAX_SHOWN: Final = 3
"""How many of somebody's worst decisions, or of the important moments, are shown."""
MIN_SHOWN_POINTS: Final = NOTABLE_POINTS
"""A decision is shown if it has cost so many points, as people read them."""
MISTAKE_POINTS: Final = 5
"""A decision that has cost so many points is a mistake."""


class DecidingAction(NamedTuple):
    """An action that has changed the chances to win, with the open cards and the decisions of who acted."""

    number: int
    """The number of the moment that shows it."""
    shown: OpenMoment[Any, Any, Any]
    made: tuple[JudgedDecision[Any, Any], ...]
    """The decisions of the players who acted then."""


class DecidingMoment(NamedTuple):
    """One of the greatest changes of the chances to win, with the actions that explain it and better ones."""

    swing: Swing
    """The change of the chances, all cards open, together with what was undone at once."""
    greatest: bool
    """Whether it is the turning point: no other moment has changed the chances more."""
    parts: tuple[DecidingAction, ...]
    """The actions to describe, in order.

    These are the one that changed most in the direction of the whole change, the one that led to the chance *between*,
    and those that ended a round.
    """
    between: tuple[float, ...]
    """Every seat's chance on the way, before that was undone (``Swing.detour``); empty: nothing was."""
    points: tuple[int, ...]
    """The change of everybody's chance by the action of *main_action* alone, in points."""
    better: Hindsight | None
    """A better action there, as the cards lay; ``None``: none is known."""
    missed: tuple[JudgedDecision[Any, Any], ...]
    """The decisions not to call before that which cost ``MISTAKE_POINTS`` or more."""
    own: Seat | None
    """The reader's seat; ``None``: they did not have it then."""

    @property
    def main_action(self) -> DecidingAction:
        """The one of *parts* that changed the chances to win most in the direction of the whole change."""
        return next(it for it in self.parts if it.number == self.swing.number)


class ImportantMoment(NamedTuple):
    """A moment that mattered to the reader: one of the greatest changes of the chances, or a mistake of theirs, or
    both.
    """

    place: int
    """The index in ``GameReview.courses``."""
    deciding: DecidingMoment | None
    """The change of the chances; ``None``: it is not one of the greatest."""
    mistake: JudgedDecision[Any, Any] | None
    """The reader's decision there, if it is one of their costliest; never ``None`` if *deciding* is."""


class BalanceInPoints(NamedTuple):
    """Why a seat won or lost, in whole points (hundredths of a win): result = luck + skill, skill = others + own."""

    result: int
    luck: int
    skill: int
    others: int
    """The points gained by the mistakes of the others."""
    own: int
    """The points lost by one's own mistakes: 0 or less."""


class GameReview(NamedTuple):
    """The coach's review of a finished game for one reader: chances, deciding moments, balances, their worst
    decisions.
    """

    table: TableId
    end: OpenMoment[Any, Any, Any]
    """The position at its end."""
    ended_at: int
    """The number of the last moment in which somebody acted."""
    ended: tuple[JudgedDecision[Any, Any], ...]
    """The decisions of the players who acted then."""
    courses: tuple[tuple[float, ...], ...]
    """After every action, the deal first: every seat's chance to win, all cards open."""
    deciding: tuple[DecidingMoment, ...]
    """The moments that have changed the chances most, in their order."""
    marks: tuple[int, ...]
    """Their places in *courses*."""
    rounds: tuple[int, ...]
    """The places in *courses* after which a round begins, the first of them 0."""
    dealt: Swing | None
    """The greatest change by the new cards of a hand; ``None``: none was ``MIN_DECISIVE_POINTS`` points."""
    passing: bool
    """Whether the picture shows another change that was as great, but was undone at once."""
    balances: tuple[Balance, ...]
    """By seat."""
    own: Seat | None
    """The reader's seat; ``None``: they did not play, or somebody else has had their seat since."""
    worst: tuple[JudgedDecision[Any, Any], ...]
    """The reader's decisions that have cost most, the costliest first."""
    worst_marks: tuple[int, ...]
    """The places in *courses* at which a review shows them."""
    compared: Mapping[int, ComparedChoice] = MappingProxyType({})
    """The reader's choices in the deal of a day, compared with those of others, by the number of the moment."""

    @property
    def has_moves(self) -> bool:
        """Whether anything was played: at least one action follows the deal."""
        return len(self.courses) > 1

    @property
    def finished(self) -> bool:
        """Whether the game was played to its end; false: it was ended early."""
        return self.end.scene.on_turn is None

    @property
    def important_moments(self) -> tuple[ImportantMoment, ...]:
        """The moments that mattered most to the reader, at most three, in their order; empty if none did.

        They are the reader's costliest decision, if it was a mistake, and of the others those that changed a chance, or
        cost the reader, by the most points.
        """
        found = [
            (it.swing.size, self._add_costliest_decision(it, mark))
            for it, mark in zip(self.deciding, self.marks, strict=True)
        ]
        told = [it.mistake for _, it in found]
        for one, mark in zip(self.worst, self.worst_marks, strict=True):
            if one not in told and one.decision.points >= MISTAKE_POINTS:
                found.append(((one.decision.points, one.decision.cost), ImportantMoment(mark, None, one)))
        costliest = next((it for it in self.worst if it.decision.points >= MISTAKE_POINTS), None)
        found.sort(key=lambda it: (costliest is not None and it[1].mistake == costliest, it[0]), reverse=True)
        return tuple(sorted((it for _, it in found[:MAX_SHOWN]), key=lambda it: it.place))

    def compared_choice_at(self, moment: ImportantMoment) -> ComparedChoice | None:
        """Return how the reader's choice at *moment* of a day's deal compares with what others chose; ``None`` if they
        chose nothing there or nothing can be compared.

        It is their mistake there, if they made one; otherwise what they did in the action that changed most, or in one
        that ended a round.
        """
        if moment.mistake is not None:
            return self.compared.get(moment.mistake.decision.number)
        assert moment.deciding is not None  # a moment has at least one of the two
        main = moment.deciding.main_action
        told = [main, *(it for it in moment.deciding.parts if it.shown.scene.just_ended)]
        found = (self.compared.get(it.number) for it in told)
        return next((it for it in found if it is not None and it.made is not None), None)

    def _add_costliest_decision(self, moment: DecidingMoment, mark: int) -> ImportantMoment:
        """Return the deciding *moment*, which is at index *mark* of ``courses``, together with the costliest of the
        reader's worst decisions in it, if any."""
        first, last = moment.swing.first, moment.swing.last
        return ImportantMoment(
            mark, moment, next((one for one in self.worst if first <= one.decision.number <= last), None)
        )

    @property
    def luck_and_skill_points_by_seat(self) -> tuple[BalanceInPoints, ...]:
        """Each seat's balance of luck and skill, in whole points (hundredths of a win) that add up; by seat.

        Only what everybody's mistakes cost is rounded, and the chances at the end and before the deal, as they are
        shown: the rest follows. Of two players each gets what the other gives.
        """
        costs = [round(100 * it.cost) for it in self.balances]
        start = 1 / len(costs)
        results = [end - round(100 * start) for end in percents([it.result + start for it in self.balances])]
        found = []
        for cost, result in zip(costs, results, strict=True):
            others = round((sum(costs) - cost) / (len(costs) - 1))
            found.append(BalanceInPoints(result, result - others + cost, others - cost, others, -cost))
        return tuple(found)


def review_game(
    table: TableId,
    course: GameCourse,
    coaching: Coaching,
    names: PlayerNames,
    ids: Collection[str],
    compared: Mapping[int, ComparedChoice] = MappingProxyType({}),
) -> GameReview:
    """Build the coach's review of the finished game *course* for one reader: chances, deciding moments, luck and skill,
    and the reader's worst decisions.

    It was played at *table*. *coaching* is the coach's judgement, *names* the names of all players. *ids* is empty if
    the reader did not play. *compared* are the reader's choices in the deal of a day (``compare_choices``).
    """
    moments = course.moments
    actions = [it.number for it in moments if it.action is not None or it.entry is None]
    own = next((Seat(seat) for seat, it in enumerate(coaching.balances) if it.sitter in ids), None)

    deciding = []
    for swing in coaching.decisive:
        number = swing.number
        ended = {at for at in range(swing.first, swing.last + 1) if course.rules.ends_round(moments[at].events)}
        at, between = _peak_of_undone_swing(swing, [it for it in actions if it >= swing.first])
        told = sorted({number, at, *ended})
        parts = tuple(
            DecidingAction(
                at, moment_with_open_cards(table, course, names, moments[at]), decisions_at(coaching, course, at)
            )
            for at in told
        )
        alone = percents(coaching.undealt[number]), percents(coaching.courses[number - 1])
        points = tuple(now - before for now, before in zip(*alone, strict=True))
        better = next((it for it in coaching.hindsight if it.number == number), None)
        here = [
            it for it in coaching.decisions if it.number == number and it.made is None and it.points >= MISTAKE_POINTS
        ]
        missed = tuple(add_view_and_events(course, it) for it in here)
        then = own if own is not None and moments[number].seats[own].id in ids else None
        deciding.append(
            DecidingMoment(swing, number == coaching.turning_point, parts, between, points, better, missed, then)
        )
    mine = () if own is None else seat_decisions(coaching, own)
    # Decisions of an earlier person in this seat are left out.
    costly = [it for it in mine if it.points >= MIN_SHOWN_POINTS and moments[it.number].seats[it.seat].id in ids]
    costly.sort(key=lambda it: (it.points, it.cost), reverse=True)
    return GameReview(
        table,
        moment_with_open_cards(table, course, names, moments[actions[-1]]),
        actions[-1],
        decisions_at(coaching, course, actions[-1]),
        tuple(coaching.courses[number] for number in actions),
        tuple(deciding),
        tuple(actions.index(it.number) for it in coaching.decisive),
        tuple(actions.index(number) for number in course.rounds if number in actions[:-1]),
        _largest_swing_by_new_deal(coaching),
        coaching.passing,
        coaching.balances,
        own,
        tuple(add_view_and_events(course, it) for it in costly[:MAX_SHOWN]),
        tuple(bisect_right(actions, it.review_moment) - 1 for it in costly[:MAX_SHOWN]),
        compared,
    )


def _peak_of_undone_swing(swing: Swing, actions: Sequence[int]) -> tuple[int, tuple[float, ...]]:
    """Return (number of the moment, every seat's chance) at the peak of *swing* before it was undone; (number of
    *swing*, empty) if nothing was undone.

    *actions* are the numbers of the moments with an action, from the first of *swing* on.
    """
    peak = swing.detour(swing.most_affected_seat)
    if peak is None:
        return swing.number, ()
    after = next(after for after, chances in enumerate(swing.way) if chances[swing.most_affected_seat] == peak)
    return actions[after - 1], swing.way[after]


def _largest_swing_by_new_deal(coaching: Coaching) -> Swing | None:
    """Return the greatest change of the chances to win by the new cards of a later hand; ``None`` if none was
    ``MIN_DECISIVE_POINTS`` points.

    The deal of the game is left out: before it everybody stands alike.
    """
    both = enumerate(zip(coaching.undealt[1:], coaching.courses[1:], strict=True), start=1)
    deals = [Swing(number, number, number, way) for number, way in both if way[0] != way[1]]
    greatest = max(deals, key=lambda it: it.size, default=None)
    return greatest if greatest is not None and greatest.size[0] >= MIN_DECISIVE_POINTS else None
