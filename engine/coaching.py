"""What a coach says of a game that is over: every decision, how the chances to win went, what was luck and what skill.

A decision is judged by what its player could know: by their view and by what they had witnessed. What a computer did in
somebody's place is no decision of theirs. How the chances went is said with all cards open.

For every player, luck and skill add up to the result: the chance to win at the end (1 for whoever has won alone) less
that before the deal (the same for everybody). *Skill* is what the decisions of the others cost them, shared equally
among those who gain by it, less what one's own have cost. *Luck* is the rest: the cards, and what could not be known.
Over all players each of the three adds up to 0.

A balance is about one player: whoever has the seat at the end. What others decided there before them is luck, too.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any, Final, NamedTuple

from engine.decision import NOTABLE_POINTS, Decision
from engine.game import Seat
from engine.hindsight import Hindsight, chances_after, find_better_action, require_coach
from engine.record import ActionEntry
from engine.registry import AnyGame
from engine.replay import Moment
from engine.swings import ActionChange, Swing, decisive_swings, find_swings, had_great_undone_change

STAND_IN: Final = ""
"""The id of a computer player that has taken somebody's seat over (``SeatOccupant``)."""
BLUNDER_POINTS: Final = 10
"""A decision that cost so many points is told by itself, even if its outcome only undid what came before."""
MIN_GOOD_TURN: Final = 0.05
"""From such a change on it is said that something turned out well."""
MIN_GRADED_DECISIONS: Final = 8
"""Whoever has made so many decisions that mattered gets a grade: a few say nothing."""
GRADE_MARGIN: Final = 1
"""A grade from one game is told with so many levels on either side: docs/coach.md says how far grades scatter."""


class Balance(NamedTuple):
    """How a player has played: ``luck`` and ``skill`` add up to ``result``."""

    sitter: str
    """Who it is, as ``Sitting.id``: whoever has the seat at the end, or had it before a computer stood in for them.
    Only what they decided counts below; for their luck it is as if the others before them had been part of the
    cards."""
    result: float
    luck: float
    skill: float
    cost: float
    """What all their decisions have cost together, in chances to win."""
    stake: float
    """What these could have cost."""
    mattered: int
    """How many of these mattered."""
    grade: int | None
    """The level whose computer players play about as well; ``None``: fewer than ``MIN_GRADED_DECISIONS`` decisions mattered, or the
    game was not played to its end."""


class Coaching(NamedTuple):
    """What the coach says of a game."""

    courses: tuple[tuple[float, ...], ...]
    """For every moment, the deal first, every seat's chance to win after it, all cards open."""
    undealt: tuple[tuple[float, ...], ...]
    """The same before anybody knew the cards that the moment itself dealt, those of a new hand: what came of the
    action, without the luck of the deal. Where no cards were dealt, as in ``courses``; before the deal of the game,
    the same for everybody."""
    decisions: tuple[Decision, ...]
    """In the order of the moments."""
    late: tuple[Decision, ...]
    """Calls that would have been best, where another player called first: they are no decisions, and cost nothing."""
    decisive: tuple[Swing, ...]
    """What has changed the chances most, in the order of the game. New cards do not count, nor what was undone at once
    (``engine.swings``)."""
    hindsight: tuple[Hindsight, ...]
    """What would have gone better at those moments, as the cards lay, for whoever acted there."""
    passing: bool
    """Whether outside those moments a change that was undone at once was as great as one of theirs."""
    balances: tuple[Balance, ...]
    """By seat."""

    @property
    def turning_point(self) -> int | None:
        """The number of the moment by which one of those who stood best in the end gained most; if they gained by none,
        that has changed the chances most; of equal ones the first. ``None``: nothing has."""
        end = self.courses[-1]
        first = [seat for seat, chance in enumerate(end) if chance == max(end)]
        gains = [(max(it.points[seat] for seat in first), it) for it in self.decisive]
        gained = [(points, it) for points, it in gains if points > 0] or [(it.size[0], it) for it in self.decisive]
        greatest = max(gained, key=lambda it: it[0], default=None)
        return None if greatest is None else greatest[1].number

    def decision_at(self, number: int, seat: Seat) -> Decision | None:
        """What *seat* decided at the moment *number*; ``None``: it had no choice."""
        return next((it for it in self.decisions if (it.number, it.seat) == (number, seat)), None)

    def action_change(self, number: int) -> tuple[float, ...]:
        """By how much the action of the moment *number*, which is not the deal, changed every seat's chance."""
        return tuple(now - then for now, then in zip(self.undealt[number], self.courses[number - 1], strict=True))

    def deal_change(self, number: int) -> tuple[float, ...]:
        """By how much the new cards of the moment *number* changed every seat's chance: 0 where there were none."""
        return tuple(now - then for now, then in zip(self.courses[number], self.undealt[number], strict=True))


def coach_game(game: AnyGame, moments: Sequence[Moment]) -> Coaching:
    """What the coach of *game* says of the game that went as *moments*, the deal first.

    Raises:
        LookupError: the game has no coach.
    """
    part = require_coach(game)
    seats = [Seat(seat) for seat in range(len(moments[0].seats))]
    memories: list[Any] = [None for _ in seats]
    courses: list[tuple[float, ...]] = []
    undealt: list[tuple[float, ...]] = []
    decisions: list[Decision] = []
    late: list[Decision] = []
    for moment in moments:
        if moment.action is not None:
            for it in decisions_at(game, moment, memories):
                slower = it.made is None and _done_by_another(game, moment, it.seat, it.best)
                (late if slower else decisions).append(it)
        if courses and moment.action is None:
            courses.append(courses[-1])
            undealt.append(courses[-1])
        else:
            courses.append(tuple(part.chances(moment.after)))
            known = part.undealt(moment.step) if moment.action is not None else [1 / len(seats)] * len(seats)
            undealt.append(courses[-1] if known is None else tuple(known))
        for seat in seats:
            memories[seat] = game.remember(memories[seat], moment.events, seat)
    said = Coaching(tuple(courses), tuple(undealt), tuple(decisions), tuple(late), (), (), False, ())
    found = _game_swings(game, said, moments)
    great = decisive_swings(found)
    better = (find_better_action(game, moments[it.number], said.undealt[it.number]) for it in great)
    told = {it.number for it in great}
    return said._replace(
        decisions=tuple(_add_open_chances(game, said, moments[it.number], it, told) for it in decisions),
        decisive=great,
        hindsight=tuple(it for it in better if it is not None),
        passing=had_great_undone_change(found, great),
        balances=_player_balances(game, said, moments),
    )


def _add_open_chances(game: AnyGame, said: Coaching, moment: Moment, it: Decision, told: Collection[int]) -> Decision:
    """*it*, made at *moment* of *said*, with what its best action would have left, all cards open, if that is needed:
    something better is named, and it turned out well, or was one of the moments that are *told*."""
    if (
        it.made is None
        or it.points < NOTABLE_POINTS
        or not (it.number in told or said.action_change(it.number)[it.seat] >= MIN_GOOD_TURN)
    ):
        return it
    if it.best is None:  # not to call: what came then is not known
        return it._replace(as_it_lay=(said.undealt[it.number][it.seat], said.courses[it.number - 1][it.seat]))
    left = chances_after(game, moment.before, it.best)
    return it if left is None else it._replace(as_it_lay=(said.undealt[it.number][it.seat], left[it.seat]))


def _game_swings(game: AnyGame, said: Coaching, moments: Sequence[Moment]) -> list[Swing]:
    """What has changed the chances of *said* in the game that went as *moments*."""
    acts, part = [], require_coach(game)
    blunders = {it.number for it in said.decisions if it.made is not None and it.points >= BLUNDER_POINTS}
    for it in moments[1:]:
        if it.action is not None:
            foregone = part.foregone(it.before, it.action)
            before, after = said.courses[it.number - 1], said.undealt[it.number]
            dealt, blunder = after != said.courses[it.number], it.number in blunders
            ends = game.ends_round(it.events)
            acts.append(ActionChange(it.number, before, after, foregone and not blunder, dealt, blunder, ends))
    return find_swings(acts)


def decisions_at(game: AnyGame, moment: Moment, memories: Sequence[Any]) -> list[Decision]:
    """What everybody decided who had a choice at *moment*, where *game* went on by an action; *memories* are what each
    seat kept in mind before it."""
    found, part = [], require_coach(game)
    may_act = {game.on_turn(moment.before), *game.callers(moment.before)}
    late = game.on_turn(moment.before) if isinstance(moment.entry, ActionEntry) and moment.entry.by_clock else None
    for seat in sorted(it for it in may_act if it is not None):
        if seat == late or moment.seats[seat].id == STAND_IN:
            continue
        view = game.views.view(moment.before, seat)
        options = part.options(view, seat, memories[seat])
        if len(options) < 2:
            continue
        made = game.action_of_seat(seat, moment.action)
        chosen = next((it for it in options if it.action == made), None)
        if chosen is None and _done_by_another(game, moment, seat, options[0].action):  # they were on turn, and slower
            chosen = next((it for it in options if type(it.action) is not type(options[0].action)), None)
        if chosen is None:
            continue
        others = [it.chance for it in options if type(it.action) is not type(made)]
        insight = part.insight(view, seat, memories[seat])
        found.append(
            Decision(
                moment.number,
                seat,
                made,
                options[0].action,
                chosen.chance,
                options[0].chance,
                min(it.chance for it in options),
                insight,
                max(others, default=None),
            )
        )
    return found


def _done_by_another(game: AnyGame, moment: Moment, seat: Seat, best: Any) -> bool:
    """Whether another player has done at *moment* what was *best* for *seat*, a call."""
    others = (game.action_of_seat(Seat(other), moment.action) for other in range(len(moment.seats)) if other != seat)
    return best is not None and any(type(done) is type(best) for done in others)


def _player_balances(game: AnyGame, said: Coaching, moments: Sequence[Moment]) -> tuple[Balance, ...]:
    """How each player has played in the game of *said*, which went as *moments*."""
    seats = len(said.courses[0])
    sitters = [_last_person_id(moments, seat) for seat in range(seats)]
    own = [it for it in said.decisions if moments[it.number].seats[it.seat].id == sitters[it.seat]]
    costs = [sum(it.cost for it in own if it.seat == seat) for seat in range(seats)]
    stakes = [sum(it.stake for it in own if it.seat == seat) for seat in range(seats)]
    finished = game.on_turn(moments[-1].after) is None
    found = []
    for seat in range(seats):
        result = said.courses[-1][seat] - 1 / seats
        skill = (sum(costs) - costs[seat]) / (seats - 1) - costs[seat]
        mattered = sum(it.mattered for it in own if it.seat == seat)
        graded = finished and mattered >= MIN_GRADED_DECISIONS
        grade = grade_for_loss(require_coach(game).LOST, seats, costs[seat] / stakes[seat]) if graded else None
        found.append(Balance(sitters[seat], result, result - skill, skill, costs[seat], stakes[seat], mattered, grade))
    return tuple(found)


def _last_person_id(moments: Sequence[Moment], seat: int) -> str:
    """The id of whoever has *seat* at the end of *moments*, or had it before a computer stood in for them."""
    ids = (moment.seats[seat].id for moment in reversed(moments))
    return next((it for it in ids if it != STAND_IN), STAND_IN)


def grade_for_loss(measured: Mapping[int, Sequence[float]], seats: int, lost: float) -> int:
    """The level whose computer players, at tables with *seats*, lose about the share *lost* of what is at stake in
    their decisions; *measured* is the ``LOST`` of the game's coach.

    >>> grade_of({2: (0.4, 0.1)}, 3, 0.3), grade_of({2: (0.4, 0.1)}, 3, 0.1)
    (1, 2)
    """
    by_level = measured[min(measured, key=lambda known: abs(known - seats))]
    return 1 + sum(lost < sqrt(worse * better) for worse, better in pairwise(by_level))


def grade_range(grade: int, levels: int) -> tuple[int, int]:
    """The least and the most of the levels that somebody with this *grade* may play like, of *levels*: as many of them
    at either end as in the middle.

    >>> about(1, 6), about(4, 6), about(6, 6)
    ((1, 3), (3, 5), (4, 6))
    """
    most = min(levels, max(grade, 1 + GRADE_MARGIN) + GRADE_MARGIN)
    return max(1, most - 2 * GRADE_MARGIN), most
