"""What would have gone better in a game that is over, all cards open: nobody could know it then."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeVar

from engine.fair import SeededChance
from engine.game import Coach, Seat
from engine.registry import AnyGame
from engine.replay import Moment

T = TypeVar("T")

MIN_GAIN: Final = 0.25
"""By so much of a win something else must have been better to be told: chances with all cards open, too, are learnt,
and sometimes wrong by some points."""


class Hindsight(NamedTuple):
    """What somebody could have done instead."""

    number: int
    """Of the moment that shows what they did."""
    seat: Seat
    action: Any
    """The game's action, of *seat* alone, that would have left them most, as the cards lay ..."""
    chances: tuple[float, ...]
    """... and every seat's chance to win that it would have left, all cards open."""


class _UsageTrackingChance:
    """Shuffles and draws that are none of the game's, and whether there were any."""

    def __init__(self) -> None:
        self._chance = SeededChance(bytes(32))
        self.used = False

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        """As ``Chance.shuffle``."""
        self.used = True
        return self._chance.shuffle(index, items)

    def pick(self, name: str, n: int) -> int:
        """As ``Chance.pick``."""
        self.used = True
        return self._chance.pick(name, n)


def require_coach(game: AnyGame) -> Coach[Any, Any, Any, Any]:
    """The coach of *game*.

    Raises:
        LookupError: it has none.
    """
    if game.coach is None:
        raise LookupError(f"there is no coach in {game.name}")
    return game.coach


def find_better_action(game: AnyGame, moment: Moment, after: Sequence[float]) -> Hindsight | None:
    """What would have left whoever acted at *moment* more than *after*, every seat's chance that was left; ``None``:
    nothing was better by ``MIN_GAIN``, as far as is known. What would have led to a shuffle is not known, but where the
    new cards can be told apart from what led to them (``Coach.undealt``). *game* has a coach."""
    acted = [Seat(seat) for seat in range(len(after)) if game.action_of_seat(Seat(seat), moment.action) is not None]
    if len(acted) != 1:  # several called: one of them alone would have changed nothing
        return None
    (seat,) = acted
    best = None
    for action in game.legal_actions(moment.before, seat):
        chances = chances_after(game, moment.before, action) if action != moment.action else None
        if chances is not None and chances[seat] >= max(
            after[seat] + MIN_GAIN, 0.0 if best is None else best.chances[seat]
        ):
            best = Hindsight(moment.number, seat, action, tuple(chances))
    return best


def chances_after(game: AnyGame, state: Any, action: Any) -> Sequence[float] | None:
    """Every seat's chance to win after *action* in *state*; ``None``: it depends on a shuffle. *game* has a coach."""
    coach = require_coach(game)
    watched = _UsageTrackingChance()
    step = game.apply(state, action, watched)
    return coach.undealt(step) if watched.used else coach.chances(step.state)
