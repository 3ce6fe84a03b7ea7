"""A decision that a player made in a finished game, and its cost."""

from typing import Any, Final, NamedTuple

from engine.game import Seat
from engine.percents import percent

NOTABLE_POINTS: Final = 2
"""From this cost in points on, a review names a better action."""
EQUAL_WITHIN: Final = 0.02
"""Chances with all cards open that differ by less are shown as equal."""
MIN_STAKE: Final = 0.005
"""A decision mattered if it could change the chance to win by at least this much."""


class Decision(NamedTuple):
    """A decision of one player in a finished game: what they did, the best action, and the chances to win after both.
    Not to call is a decision too."""

    number: int
    """The number of the moment that shows what happened (``engine.replay.Moment.number``)."""
    seat: Seat
    made: Any
    """The game's action, of *seat* alone; ``None``: the player did not call."""
    best: Any
    """The best action as far as the player could know; ``None``: not to call."""
    chance: float
    """The chance to win after *made*, as far as the player could know."""
    best_chance: float
    """The chance to win after the best action."""
    worst_chance: float
    """The chance to win after the worst action."""
    insight: Any
    """As ``Coach.insight``."""
    otherwise: float | None = None
    """The chance to win after the best action of another kind, such as not to call; ``None``: there was only one
    kind."""
    as_it_lay: tuple[float, float] | None = None
    """The chances to win after *made* and after *best*, with all cards open. It is set where a review names a better
    action and tells how it turned out. ``None``: the review does not, or the chances are unknown."""

    @property
    def review_moment(self) -> int:
        """The number of the moment at which a review shows the decision: its own, or for not calling the moment before
        it.

        That is the page with the cards that the decision is about: a player who did not call could have called before
        the next action.
        """
        return self.number - (self.made is None)

    @property
    def cost(self) -> float:
        """By how much the decision has lowered the chance to win (0 to 1); 0 for the best action."""
        return self.best_chance - self.chance

    @property
    def points(self) -> int:
        """The cost of the decision in whole points, hundredths of a win, from both chances in whole percent as people
        read them."""
        return percent(self.best_chance) - percent(self.chance)

    @property
    def stake(self) -> float:
        """By how much the worst action would have lowered the chance to win, compared with the best one."""
        return self.best_chance - self.worst_chance

    @property
    def mattered(self) -> bool:
        """Whether the decision could change the chance to win by at least ``MIN_STAKE``, as far as the player could
        know."""
        return self.stake >= MIN_STAKE

    @property
    def best_would_not_have_helped(self) -> bool:
        """Whether the best action would have gone no better, as the cards lay. False if that is unknown."""
        return self.as_it_lay is not None and self.as_it_lay[1] <= self.as_it_lay[0] + EQUAL_WITHIN

    @property
    def turned_out_well(self) -> bool:
        """Whether the decision went no worse than the best action would have, as the cards lay and as far as is
        known."""
        return self.as_it_lay is None or self.best_would_not_have_helped

    @property
    def outcome_was_certain_anyway(self) -> bool:
        """Whether the game was as good as lost or as good as won whatever the player did, as far as they could know."""
        return self.best_chance < MIN_STAKE or self.win_was_certain_anyway

    @property
    def win_was_certain_anyway(self) -> bool:
        """Whether the game was as good as won whatever the player did, as far as they could know."""
        return self.worst_chance > 1 - MIN_STAKE
