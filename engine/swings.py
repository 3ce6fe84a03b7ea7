"""Finds the lasting changes of the chances to win in a finished game, apart from changes that were undone at once.

A change that the next one or two actions undo does not count alone: it and its undoing are one swing, with the change
that remains of both. An action that somebody had to make belongs to the action before it.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from engine.game import Seat
from engine.percents import percents

Chances = Sequence[float]
"""Chances by seat."""
MIN_CHANGE: Final = 0.10
"""The least change for any seat that is checked for whether it lasted."""
MIN_LASTING_SHARE: Final = 0.5
"""A change counts as undone if a smaller share of it is left."""
MAX_ACTIONS_TO_UNDO: Final = 2
"""A change is undone only by one of this many actions after it."""
MAX_DECISIVE_MOMENTS: Final = 3
"""The most moments that are said to have decided a game."""
MIN_DECISIVE_POINTS: Final = 10
"""The least change in points of a decisive moment. A smaller one is shown only if there is no greater one."""


class Swing(NamedTuple):
    """A lasting change of every seat's chance to win, by one action or a few in a row."""

    first: int
    """The number of the moment with the first action of the swing."""
    last: int
    """The number of the moment with its last action."""
    number: int
    """The number of the moment that contributed most to the total change. A review shows this moment."""
    way: tuple[tuple[float, ...], ...]
    """Every seat's chance before the swing, and after each of its actions, before the cards of a new hand."""

    @property
    def before(self) -> tuple[float, ...]:
        """Every seat's chance to win before the swing."""
        return self.way[0]

    @property
    def after(self) -> tuple[float, ...]:
        """Every seat's chance to win after the swing."""
        return self.way[-1]

    def detour(self, seat: Seat) -> float | None:
        """The chance of *seat* within the swing that lay farthest outside the range of its chances before and after;
        ``None`` if none lay ``MIN_CHANGE`` outside.

        Then nothing was undone.
        """
        farthest = max((chances[seat] for chances in self.way), key=lambda it: self._distance_outside(seat, it))
        return farthest if self._distance_outside(seat, farthest) >= MIN_CHANGE else None

    @property
    def undone_change(self) -> float:
        """The greatest change of a seat's chance by a single action of the swing; 0.0 if nothing in the swing was
        undone.

        People who look at every action see it.
        """
        seats = range(len(self.before))
        if all(self.detour(Seat(seat)) is None for seat in seats):
            return 0.0
        return max(abs(now[seat] - then[seat]) for then, now in pairwise(self.way) for seat in seats)

    def _distance_outside(self, seat: int, chance: float) -> float:
        """How far *chance* of *seat* lies outside the range of its chances before and after; below 0 if inside."""
        low, high = sorted((self.before[seat], self.after[seat]))
        return max(low - chance, chance - high)

    @property
    def change(self) -> tuple[float, ...]:
        """By how much the swing changed every seat's chance to win (-1 to 1)."""
        return tuple(now - then for now, then in zip(self.after, self.before, strict=True))

    @property
    def points(self) -> tuple[int, ...]:
        """By how much the swing changed every seat's chance, in whole percent as people read them."""
        return tuple(now - then for now, then in zip(percents(self.after), percents(self.before), strict=True))

    @property
    def most_affected_seat(self) -> Seat:
        """The seat with the greatest change in points. Among equal ones, a seat that gained."""
        points, change = self.points, self.change
        return Seat(max(range(len(points)), key=lambda seat: (abs(points[seat]), points[seat] > 0, change[seat])))

    @property
    def size(self) -> tuple[int, float]:
        """The size of the swing: the greatest change of one seat in points, then the greatest change unrounded."""
        return max(map(abs, self.points)), max(map(abs, self.change))


class ActionChange(NamedTuple):
    """One action of a game, and how it changed every seat's chance to win."""

    number: int
    """The number of the moment that shows the action."""
    before: tuple[float, ...]
    """Every seat's chance to win before the action."""
    after: tuple[float, ...]
    """Every seat's chance after the action, before the cards of a new hand."""
    foregone: bool
    """Whether the action was certain to be made."""
    dealt: bool
    """Whether a new hand was dealt after the action, so that later actions cannot undo it."""
    blunder: bool = False
    """Whether the action was a great mistake, which is shown alone."""
    ends: bool = False
    """Whether the action ended a round. A change before it in the same direction is joined with it."""

    @property
    def single_action_swing(self) -> Swing:
        """The swing of this action alone."""
        return Swing(self.number, self.number, self.number, (self.before, self.after))


class _ActionGroup(NamedTuple):
    """One or a few actions in a row that count as one change of the chances to win."""

    acts: tuple[ActionChange, ...]
    swing: Swing
    size: tuple[int, float]
    """``swing.size``, stored because it is used often."""

    @property
    def blunder(self) -> bool:
        """Whether the group begins with a great mistake."""
        return self.acts[0].blunder

    @property
    def copy_undone_by_blunder(self) -> "_ActionGroup":
        """A copy of the group as undone by a following great mistake, which is shown instead: its chances return to
        those before it."""
        swing = self.swing._replace(way=(*self.swing.way, self.swing.before))
        return self._replace(swing=swing, size=swing.size)

    @property
    def ends(self) -> bool:
        """Whether a round ended with the group."""
        return any(act.ends for act in self.acts)

    @property
    def may_continue(self) -> bool:
        """Whether later actions may belong to the group: no new hand was dealt after it."""
        return not self.acts[-1].dealt


def divide_actions_into_swings(acts: Sequence[ActionChange]) -> list[Swing]:
    """Divide all the actions *acts* of a game into swings, small ones too, in order.

    Each swing is one choice, or an action with its undoing by one of the next two. An action that somebody had to make
    after a deal, or before anything else, is left out.
    """
    parts = list(_group_forced_actions(acts))
    asked: set[int] = set()
    while True:
        at = max(
            (
                at
                for at, it in enumerate(parts)
                if it.swing.first not in asked and it.size[1] >= MIN_CHANGE and not it.blunder
            ),
            key=lambda at: parts[at].size[0],  # among equal ones the first: the next may be its undoing
            default=None,
        )
        if at is None:
            return [it.swing for it in _join_round_ends_to_previous(parts)]
        asked.add(parts[at].swing.first)
        for end in range(at + 1, min(at + MAX_ACTIONS_TO_UNDO, len(parts) - 1) + 1):
            if not parts[end - 1].may_continue:
                break
            whole = _make_group([act for it in parts[at : end + 1] for act in it.acts])
            if _remaining_share(parts[at].swing, whole.swing) < MIN_LASTING_SHARE:
                parts[at : end + 1] = (
                    [parts[at].copy_undone_by_blunder, *parts[at + 1 : end + 1]] if parts[end].blunder else [whole]
                )
                break
            if parts[end].blunder:
                break


def decisive_swings(found: Sequence[Swing]) -> tuple[Swing, ...]:
    """The swings of *found* that decided the game: the greatest of 10 points or more, at most three, in their order;
    empty if nothing changed.

    If none is so great, it is the greatest one alone.
    """
    greatest = sorted([it for it in found if any(it.points)], key=lambda it: it.size, reverse=True)[
        :MAX_DECISIVE_MOMENTS
    ]
    return tuple(sorted([it for it in greatest if it.size[0] >= MIN_DECISIVE_POINTS] or greatest[:1]))


def had_other_undone_swing(found: Sequence[Swing], decided: Sequence[Swing]) -> bool:
    """Whether *found* has another great change that was undone at once: as great as the smallest of the *decided*
    swings.

    It is looked for in the swings that are not among those.
    """
    _, least = min((it.size for it in decided), default=(0, 0.0))
    return any(it.undone_change >= max(MIN_CHANGE, least) for it in found if it not in decided)


def _group_forced_actions(acts: Sequence[ActionChange]) -> Iterator[_ActionGroup]:
    """Group each action that a player chose with the forced actions after it, until a hand is dealt. Forced actions
    after a deal, and before the first choice, are left out."""
    found: list[ActionChange] = []
    for act in acts:
        if not act.foregone:
            if found:
                yield _make_group(found)
            found = [act]
        elif found and not found[-1].dealt:
            found.append(act)
    if found:
        yield _make_group(found)


def _join_round_ends_to_previous(parts: Sequence[_ActionGroup]) -> Iterator[_ActionGroup]:
    """Yield *parts*, with a group that ended a round joined to the group before it if both changed the chances the same
    way.

    The group before must be no great mistake and not end another round. If a great mistake ended the round, the joined
    swing shows the mistake.
    """
    before: _ActionGroup | None = None
    for part in parts:
        joins = before is not None and part.ends and not before.ends and not before.blunder and before.may_continue
        if before is not None and joins and _dot_product(before.swing.change, part.swing.change) > 0:
            whole = _make_group((*before.acts, *part.acts))
            if part.blunder:
                whole = whole._replace(swing=whole.swing._replace(number=part.swing.number))
            part = whole
        elif before is not None:
            yield before
        before = part
    if before is not None:
        yield before


def _make_group(acts: Sequence[ActionChange]) -> _ActionGroup:
    """Make one group of *acts*, one or more in a row: their total change, and the action that did most for it."""
    after = acts[-1].after
    change = tuple(now - then for now, then in zip(after, acts[0].before, strict=True))
    told = max(acts, key=lambda act: _dot_product(act.single_action_swing.change, change))
    last = next((act.number for act in reversed(acts) if any(act.single_action_swing.points)), acts[0].number)
    way = (acts[0].before, *(act.after for act in acts))
    swing = Swing(acts[0].number, last, told.number, way)
    return _ActionGroup(tuple(acts), swing, swing.size)


def _remaining_share(swing: Swing, whole: Swing) -> float:
    """The share of *swing* that is left at the end of *whole*, which begins with it: 1 is all of it, 0 is nothing or
    the opposite."""
    return max(0.0, _dot_product(whole.change, swing.change) / _dot_product(swing.change, swing.change))


def _dot_product(change: Chances, way: Chances) -> float:
    """The dot product of the changes *change* and *way*: above 0 if both go in the same direction."""
    return sum(one * other for one, other in zip(change, way, strict=True))
