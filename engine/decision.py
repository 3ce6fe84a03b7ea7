"""What somebody decided in a game that is over, and what it has cost."""

from typing import Any, Final, NamedTuple

from engine.game import Seat
from engine.percents import percent

NOTABLE_POINTS: Final = 2
"""Where a decision cost so many points, something better is named."""
EQUAL_WITHIN: Final = 0.02
"""Chances with all cards open that differ by less are told as the same."""
MIN_STAKE: Final = 0.005
"""So much of a win must differ, or nothing does."""


class Decision(NamedTuple):
    """What somebody did, or left undone, where they had a choice."""

    number: int
    """Of the moment that shows what happened (``engine.replay.Moment.number``)."""
    seat: Seat
    made: Any
    """The game's action, of *seat* alone; ``None``: not to call."""
    best: Any
    """What would have been best, as far as the player could know; ``None``: not to call."""
    chance: float
    """The chance to win that it left, as far as the player could know."""
    best_chance: float
    """The chance that the best action would have left."""
    worst_chance: float
    """The chance that the worst one would have left."""
    insight: Any
    """As ``Coach.insight``."""
    otherwise: float | None = None
    """The chance that the best action of another kind would have left, such as not to call; ``None``: there was only
    one kind."""
    as_it_lay: tuple[float, float] | None = None
    """The chance that it left, and that *best* would have left, all cards open, where something better is named and it
    is told how it turned out; ``None``: it is not, or that is not known."""

    @property
    def review_moment(self) -> int:
        """The number of the moment at which a review tells it: the cards on that page are those it is about. Whoever
        did not call could have done so before the next action."""
        return self.number - (self.made is None)

    @property
    def cost(self) -> float:
        """By how much it has lowered the chance to win: 0 where it was the best."""
        return self.best_chance - self.chance

    @property
    def points(self) -> int:
        """What it has cost as people read it, in hundredths of a win: both chances are told in whole percent."""
        return percent(self.best_chance) - percent(self.chance)

    @property
    def stake(self) -> float:
        """By how much it could have lowered it."""
        return self.best_chance - self.worst_chance

    @property
    def mattered(self) -> bool:
        """Whether it could make a difference, as far as the player could know."""
        return self.stake >= MIN_STAKE

    @property
    def best_was_no_better(self) -> bool:
        """Whether what was best would have gone no better, as the cards lay; not if that is not known."""
        return self.as_it_lay is not None and self.as_it_lay[1] <= self.as_it_lay[0] + EQUAL_WITHIN

    @property
    def turned_out_well(self) -> bool:
        """Whether, as far as is known, it has not gone worse than what was best would have, as the cards lay."""
        return self.as_it_lay is None or self.best_was_no_better

    @property
    def was_settled(self) -> bool:
        """Whether the game was as good as lost, or as good as won, whatever the player did, as far as they could
        know."""
        return self.best_chance < MIN_STAKE or self.was_won

    @property
    def was_won(self) -> bool:
        """Whether it was as good as won."""
        return self.worst_chance > 1 - MIN_STAKE
