"""The coach's analysis of a finished game: every decision, the course of the chances to win, and luck and skill.

A decision is judged by what its player could know: by their view and by what they had witnessed. Actions that a
computer made in somebody's place are not their decisions. The course of the chances is told with all cards open.

For every player, luck and skill add up to the result. The result is the chance to win at the end (1 for a player who
has won alone) minus the chance before the deal (the same for everybody). *Skill* is the cost of the other players'
decisions, shared equally among those who gain by it, minus the cost of one's own. *Luck* is the rest: the cards, and
what could not be known. Each of the three adds up to 0 over all players.

A balance is about one player: the one who has the seat at the end. What others decided there before them counts as luck
too.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any, Final, NamedTuple

from engine.decision import NOTABLE_POINTS, Decision
from engine.game import Seat
from engine.hindsight import Hindsight, chances_after_action, find_better_action_in_hindsight, require_coach
from engine.record import ActionEntry
from engine.registry import AnyGame
from engine.replay import Moment
from engine.swings import ActionChange, Swing, decisive_swings, divide_actions_into_swings, had_other_undone_swing

STAND_IN: Final = ""
"""The id of a computer player that has taken over somebody's seat (``SeatOccupant``)."""
BLUNDER_POINTS: Final = 10
"""A decision with this cost in points is shown alone, even if its result only undid the change before it."""
MIN_GOOD_TURN: Final = 0.05
"""The least gain in the chance to win of a decision that is said to have turned out well."""
MIN_GRADED_DECISIONS: Final = 8
"""A player with at least this many decisions that mattered gets a grade. Fewer are not enough evidence."""
GRADE_MARGIN: Final = 1
"""A grade from one game is shown with this many levels on either side; docs/coach.md says how far grades scatter."""


class Balance(NamedTuple):
    """One player's result in a finished game, split into luck and skill, with the cost of their decisions and a grade.
    ``luck`` and ``skill`` add up to ``result``."""

    sitter: str
    """The player, as ``SeatOccupant.id``: the one who has the seat at the end, or had it before a computer took over.
    Only their own decisions count below. The decisions of earlier players in the seat count as luck, like the cards."""
    result: float
    luck: float
    skill: float
    cost: float
    """The cost of all their decisions together, in chances to win."""
    stake: float
    """The greatest possible cost of these decisions."""
    mattered: int
    """The number of these decisions that mattered."""
    grade: int | None
    """The level of the computer players that play about as well. ``None``: fewer than ``MIN_GRADED_DECISIONS``
    decisions mattered, or the game was not played to its end."""


class Coaching(NamedTuple):
    """The coach's analysis of a finished game: the cost of every decision, the chances over time, luck, skill,
    grades."""

    courses: tuple[tuple[float, ...], ...]
    """Every seat's chance to win after each moment, the deal first, with all cards open."""
    undealt: tuple[tuple[float, ...], ...]
    """As ``courses``, but before anybody knew the cards that the moment dealt for a new hand: the effect of the action
    without the luck of the deal. Where no cards were dealt, it equals ``courses``. For the deal of the game, it is the
    same for everybody."""
    decisions: tuple[Decision, ...]
    """The decisions in the order of the moments."""
    late: tuple[Decision, ...]
    """Calls that would have been best, where another player called first. They are not decisions, and cost nothing."""
    decisive: tuple[Swing, ...]
    """The swings that changed the chances most, in the order of the game. New cards do not count, and neither do
    changes that were undone at once (``engine.swings``)."""
    hindsight: tuple[Hindsight, ...]
    """The better actions at those moments for the player who acted, as the cards lay."""
    passing: bool
    """Whether another change was as great as one of those, but was undone at once."""
    balances: tuple[Balance, ...]
    """The balances by seat."""

    @property
    def turning_point(self) -> int | None:
        """The number of the moment at which a best-placed player gained most; ``None`` if no moment changed the
        chances.

        If they gained at none, it is the moment with the greatest change. Among equal ones it is the first.
        """
        end = self.courses[-1]
        first = [seat for seat, chance in enumerate(end) if chance == max(end)]
        gains = [(max(it.points[seat] for seat in first), it) for it in self.decisive]
        gained = [(points, it) for points, it in gains if points > 0] or [(it.size[0], it) for it in self.decisive]
        greatest = max(gained, key=lambda it: it[0], default=None)
        return None if greatest is None else greatest[1].number

    def decision_at(self, number: int, seat: Seat) -> Decision | None:
        """The decision of *seat* at the moment *number*; ``None``: it decided nothing there."""
        return next((it for it in self.decisions if (it.number, it.seat) == (number, seat)), None)

    def chance_change_by_action(self, number: int) -> tuple[float, ...]:
        """By how much the action of the moment *number*, which is not the deal, changed every seat's chance."""
        return tuple(now - then for now, then in zip(self.undealt[number], self.courses[number - 1], strict=True))

    def chance_change_by_deal(self, number: int) -> tuple[float, ...]:
        """By how much the new cards of the moment *number* changed every seat's chance; 0 where no cards were dealt."""
        return tuple(now - then for now, then in zip(self.courses[number], self.undealt[number], strict=True))


def coach_game(game: AnyGame, moments: Sequence[Moment]) -> Coaching:
    """Analyse the finished game of *moments*: the cost of decisions, chances over time, luck, skill, grades; or raise
    LookupError if the game has no coach.

    The first moment is the deal.

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
                slower = it.made is None and _another_called_first(game, moment, it.seat, it.best)
                (late if slower else decisions).append(it)
        if courses and moment.action is None:
            courses.append(courses[-1])
            undealt.append(courses[-1])
        else:
            courses.append(tuple(part.chances(moment.after)))
            known = (
                part.chances_before_deal(moment.step) if moment.action is not None else [1 / len(seats)] * len(seats)
            )
            undealt.append(courses[-1] if known is None else tuple(known))
        for seat in seats:
            memories[seat] = game.remember(memories[seat], moment.events, seat)
    coaching = Coaching(tuple(courses), tuple(undealt), tuple(decisions), tuple(late), (), (), False, ())
    found = _game_swings(game, coaching, moments)
    great = decisive_swings(found)
    better = (find_better_action_in_hindsight(game, moments[it.number], coaching.undealt[it.number]) for it in great)
    shown = {it.number for it in great}
    return coaching._replace(
        decisions=tuple(
            _add_chances_with_open_cards(game, coaching, moments[it.number], it, shown) for it in decisions
        ),
        decisive=great,
        hindsight=tuple(it for it in better if it is not None),
        passing=had_other_undone_swing(found, great),
        balances=_split_results_into_luck_and_skill(game, coaching, moments),
    )


def _add_chances_with_open_cards(
    game: AnyGame, coaching: Coaching, moment: Moment, decision: Decision, shown: Collection[int]
) -> Decision:
    """Return *decision* with the chances after it and after the best action, all cards open (``as_it_lay``), if a
    review needs them; otherwise unchanged.

    A review needs them where a better action is named and the decision turned out well or belongs to the moments
    *shown*.
    """
    if (
        decision.made is None
        or decision.points < NOTABLE_POINTS
        or not (
            decision.number in shown
            or coaching.chance_change_by_action(decision.number)[decision.seat] >= MIN_GOOD_TURN
        )
    ):
        return decision
    if decision.best is None:  # not to call: the result of that is not known
        return decision._replace(
            as_it_lay=(
                coaching.undealt[decision.number][decision.seat],
                coaching.courses[decision.number - 1][decision.seat],
            )
        )
    left = chances_after_action(game, moment.before, decision.best)
    return (
        decision
        if left is None
        else decision._replace(as_it_lay=(coaching.undealt[decision.number][decision.seat], left[decision.seat]))
    )


def _game_swings(game: AnyGame, coaching: Coaching, moments: Sequence[Moment]) -> list[Swing]:
    """The lasting changes of the chances to win (swings) in the game of *moments*, from the chances in *coaching*, in
    order."""
    acts, part = [], require_coach(game)
    blunders = {it.number for it in coaching.decisions if it.made is not None and it.points >= BLUNDER_POINTS}
    for it in moments[1:]:
        if it.action is not None:
            foregone = part.is_foregone(it.before, it.action)
            before, after = coaching.courses[it.number - 1], coaching.undealt[it.number]
            dealt, blunder = after != coaching.courses[it.number], it.number in blunders
            ends = game.ends_round(it.events)
            acts.append(ActionChange(it.number, before, after, foregone and not blunder, dealt, blunder, ends))
    return divide_actions_into_swings(acts)


def decisions_at(game: AnyGame, moment: Moment, memories: Sequence[Any]) -> list[Decision]:
    """What every seat with a choice decided at *moment*, and what would have been best; empty if none had a choice.

    At the moment *game* went on by an action. *memories* are the seats' memories before it. Computers that have taken
    over a seat, and a seat whose time was up, decide nothing.
    """
    found, part = [], require_coach(game)
    may_act = {game.on_turn(moment.before), *game.callers(moment.before)}
    late = game.on_turn(moment.before) if isinstance(moment.entry, ActionEntry) and moment.entry.by_clock else None
    for seat in sorted(it for it in may_act if it is not None):
        if seat == late or moment.seats[seat].id == STAND_IN:
            continue
        view = game.views.view(moment.before, seat)
        options = part.rated_actions(view, seat, memories[seat])
        if len(options) < 2:
            continue
        made = game.action_of_seat(seat, moment.action)
        chosen = next((it for it in options if it.action == made), None)
        if chosen is None and _another_called_first(
            game, moment, seat, options[0].action
        ):  # this seat was on turn, but slower
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


def _another_called_first(game: AnyGame, moment: Moment, seat: Seat, best: Any) -> bool:
    """Whether another player called at *moment*, where a call was also *best* for *seat*: then the other was faster."""
    others = (game.action_of_seat(Seat(other), moment.action) for other in range(len(moment.seats)) if other != seat)
    return best is not None and any(type(done) is type(best) for done in others)


def _split_results_into_luck_and_skill(
    game: AnyGame, coaching: Coaching, moments: Sequence[Moment]
) -> tuple[Balance, ...]:
    """For each seat, its player's result split into luck and skill, with the cost of the decisions and a grade.
    *coaching* is the analysis of the game of *moments*."""
    seats = len(coaching.courses[0])
    sitters = [_last_person_id_in_seat(moments, seat) for seat in range(seats)]
    own = [it for it in coaching.decisions if moments[it.number].seats[it.seat].id == sitters[it.seat]]
    costs = [sum(it.cost for it in own if it.seat == seat) for seat in range(seats)]
    stakes = [sum(it.stake for it in own if it.seat == seat) for seat in range(seats)]
    finished = game.on_turn(moments[-1].after) is None
    found = []
    for seat in range(seats):
        result = coaching.courses[-1][seat] - 1 / seats
        skill = (sum(costs) - costs[seat]) / (seats - 1) - costs[seat]
        mattered = sum(it.mattered for it in own if it.seat == seat)
        graded = finished and mattered >= MIN_GRADED_DECISIONS
        grade = grade_from_share_lost(require_coach(game).LOST, seats, costs[seat] / stakes[seat]) if graded else None
        found.append(Balance(sitters[seat], result, result - skill, skill, costs[seat], stakes[seat], mattered, grade))
    return tuple(found)


def _last_person_id_in_seat(moments: Sequence[Moment], seat: int) -> str:
    """The id of the last person in *seat* during *moments*, also if a computer has taken over since."""
    ids = (moment.seats[seat].id for moment in reversed(moments))
    return next((it for it in ids if it != STAND_IN), STAND_IN)


def grade_from_share_lost(measured: Mapping[int, Sequence[float]], seats: int, lost: float) -> int:
    """The computer level (from 1) that loses about the same share *lost* (0 to 1) of what is at stake, as a player's
    grade.

    *seats* is the size of the tables, and *measured* the ``LOST`` of the game's coach.

    >>> grade_from_share_lost({2: (0.4, 0.1)}, 3, 0.3), grade_from_share_lost({2: (0.4, 0.1)}, 3, 0.1)
    (1, 2)
    """
    by_level = measured[min(measured, key=lambda known: abs(known - seats))]
    return 1 + sum(lost < sqrt(worse * better) for worse, better in pairwise(by_level))


def grade_range(grade: int, levels: int) -> tuple[int, int]:
    """The lowest and the highest level that somebody with this *grade* may play like, out of *levels*. The range has
    the same width at both ends as in the middle.

    >>> grade_range(1, 6), grade_range(4, 6), grade_range(6, 6)
    ((1, 3), (3, 5), (4, 6))
    """
    most = min(levels, max(grade, 1 + GRADE_MARGIN) + GRADE_MARGIN)
    return max(1, most - 2 * GRADE_MARGIN), most
