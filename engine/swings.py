"""What changed the chances to win for good in a game that is over, told apart from what was gone at once.

A swing that the next action or two undo is none by itself: it and its undoing are one swing, which is what both came to
together. What somebody was bound to do belongs to the action before it.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from engine.game import Seat
from engine.percents import percents

Chances = Sequence[float]
"""By seat."""
MIN_CHANGE: Final = 0.10
"""A change that is smaller for everybody is not worth asking whether it lasted."""
MIN_LASTING_SHARE: Final = 0.5
"""So much of a change must be left, or it was undone."""
MAX_ACTIONS_TO_UNDO: Final = 2
"""What undoes a change comes within so many actions after it."""
MAX_DECISIVE_MOMENTS: Final = 3
"""So many moments are said to have decided a game."""
MIN_DECISIVE_POINTS: Final = 10
"""A moment that has changed no chance by as many points is told only if none has."""


class Swing(NamedTuple):
    """A change of the chances to win, by one action or by a few in a row."""

    first: int
    """The number of the moment with its first action."""
    last: int
    """The number of the moment with its last."""
    number: int
    """Of these moments the one that went most the way that all together went: what is told of it."""
    way: tuple[tuple[float, ...], ...]
    """Every seat's chance before it, and after each of its actions, before the cards of a new hand."""

    @property
    def before(self) -> tuple[float, ...]:
        """Every seat's chance before it."""
        return self.way[0]

    @property
    def after(self) -> tuple[float, ...]:
        """Every seat's chance after it."""
        return self.way[-1]

    def detour(self, seat: Seat) -> float | None:
        """The chance of *seat* in between that was farthest from where it came from and went to, if by ``MIN_CHANGE`` or
        more: what was undone."""
        farthest = max((chances[seat] for chances in self.way), key=lambda it: self._distance_outside(seat, it))
        return farthest if self._distance_outside(seat, farthest) >= MIN_CHANGE else None

    @property
    def undone_change(self) -> float:
        """The greatest change in it, by one action, if it was undone: those see it who look at every action."""
        seats = range(len(self.before))
        if all(self.detour(Seat(seat)) is None for seat in seats):
            return 0.0
        return max(abs(now[seat] - then[seat]) for then, now in pairwise(self.way) for seat in seats)

    def _distance_outside(self, seat: int, chance: float) -> float:
        """How far *chance* of *seat* lies outside what it was before and after: below 0 if in between."""
        low, high = sorted((self.before[seat], self.after[seat]))
        return max(low - chance, chance - high)

    @property
    def change(self) -> tuple[float, ...]:
        """By how much it has changed every seat's chance."""
        return tuple(now - then for now, then in zip(self.after, self.before, strict=True))

    @property
    def points(self) -> tuple[int, ...]:
        """The same in whole points, hundredths of a win, as people read it: both chances are written in percent."""
        return tuple(now - then for now, then in zip(percents(self.after), percents(self.before), strict=True))

    @property
    def most_affected_seat(self) -> Seat:
        """Whose chance has changed most, as written; of several who have gained rather than lost."""
        points, change = self.points, self.change
        return Seat(max(range(len(points)), key=lambda seat: (abs(points[seat]), points[seat] > 0, change[seat])))

    @property
    def size(self) -> tuple[int, float]:
        """How great it is: by how much it has changed one seat's chance as written, then as it was."""
        return max(map(abs, self.points)), max(map(abs, self.change))


class ActionChange(NamedTuple):
    """An action in the course of a game."""

    number: int
    """Of the moment that shows it."""
    before: tuple[float, ...]
    """Every seat's chance to win before it ..."""
    after: tuple[float, ...]
    """... and after it, before the cards of a new hand."""
    foregone: bool
    """Whether it was bound to be made."""
    dealt: bool
    """Whether a new hand was dealt after it: what follows is another story."""
    blunder: bool = False
    """Whether it was a great mistake, which is told by itself."""
    ends: bool = False
    """Whether it ended a round: what led to it, and went the same way, is one with it."""

    @property
    def own_swing(self) -> Swing:
        """What it changed by itself."""
        return Swing(self.number, self.number, self.number, (self.before, self.after))


class _ActionGroup(NamedTuple):
    """A few actions in a row, which count as one."""

    acts: tuple[ActionChange, ...]
    swing: Swing
    size: tuple[int, float]
    """``swing.size``, which is asked for again and again."""

    @property
    def blunder(self) -> bool:
        """Whether it begins with a great mistake."""
        return self.acts[0].blunder

    @property
    def undone_by_blunder(self) -> "_ActionGroup":
        """The same, undone by a great mistake, which is told instead: there and back."""
        swing = self.swing._replace(way=(*self.swing.way, self.swing.before))
        return self._replace(swing=swing, size=swing.size)

    @property
    def ends(self) -> bool:
        """Whether a round ended with it."""
        return any(act.ends for act in self.acts)

    @property
    def may_continue(self) -> bool:
        """Whether what follows may belong to it."""
        return not self.acts[-1].dealt


def find_swings(acts: Sequence[ActionChange]) -> list[Swing]:
    """What *acts*, all of a game in their order, have changed, in the order of the game; what somebody was bound to do
    after a deal, or before anything else, is not told."""
    parts = list(_group_forced_actions(acts))
    asked: set[int] = set()
    while True:
        at = max(
            (
                at
                for at, it in enumerate(parts)
                if it.swing.first not in asked and it.size[1] >= MIN_CHANGE and not it.blunder
            ),
            key=lambda at: parts[at].size[0],  # of equal ones the first: what follows may be its undoing
            default=None,
        )
        if at is None:
            return [it.swing for it in _join_round_ends(parts)]
        asked.add(parts[at].swing.first)
        for end in range(at + 1, min(at + MAX_ACTIONS_TO_UNDO, len(parts) - 1) + 1):
            if not parts[end - 1].may_continue:
                break
            whole = _make_group([act for it in parts[at : end + 1] for act in it.acts])
            if _remaining_share(parts[at].swing, whole.swing) < MIN_LASTING_SHARE:
                parts[at : end + 1] = (
                    [parts[at].undone_by_blunder, *parts[at + 1 : end + 1]] if parts[end].blunder else [whole]
                )
                break
            if parts[end].blunder:
                break


def decisive_swings(found: Sequence[Swing]) -> tuple[Swing, ...]:
    """Those of *found*, all of a game, that are said to have decided it, in its order."""
    greatest = sorted([it for it in found if any(it.points)], key=lambda it: it.size, reverse=True)[
        :MAX_DECISIVE_MOMENTS
    ]
    return tuple(sorted([it for it in greatest if it.size[0] >= MIN_DECISIVE_POINTS] or greatest[:1]))


def had_great_undone_change(found: Sequence[Swing], decided: Sequence[Swing]) -> bool:
    """Whether in one of *found* that is none of those that have *decided* the game a change was undone that was as
    great as the smallest of them."""
    _, least = min((it.size for it in decided), default=(0, 0.0))
    return any(it.undone_change >= max(MIN_CHANGE, least) for it in found if it not in decided)


def _group_forced_actions(acts: Sequence[ActionChange]) -> Iterator[_ActionGroup]:
    """Every action that somebody chose, with those after it that were bound to be made."""
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


def _join_round_ends(parts: Sequence[_ActionGroup]) -> Iterator[_ActionGroup]:
    """*parts*, each that ended a round with the one before it, if that went the same way, was no great mistake and did
    not end another round. Where a great mistake ended it, that is told."""
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
    """*acts*, one or more in a row, as one."""
    after = acts[-1].after
    change = tuple(now - then for now, then in zip(after, acts[0].before, strict=True))
    told = max(acts, key=lambda act: _dot_product(act.own_swing.change, change))
    last = next((act.number for act in reversed(acts) if any(act.own_swing.points)), acts[0].number)
    way = (acts[0].before, *(act.after for act in acts))
    swing = Swing(acts[0].number, last, told.number, way)
    return _ActionGroup(tuple(acts), swing, swing.size)


def _remaining_share(swing: Swing, whole: Swing) -> float:
    """How much of *swing* is left after *whole*, which begins with it: 1 all of it, 0 nothing or the opposite."""
    return max(0.0, _dot_product(whole.change, swing.change) / _dot_product(swing.change, swing.change))


def _dot_product(change: Chances, way: Chances) -> float:
    """How far *change* goes the way of the change *way*."""
    return sum(one * other for one, other in zip(change, way, strict=True))
