"""Finds what would have gone better in a finished game, with all cards open. Nobody could know it during the game."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeVar

from engine.fair import SeededChance
from engine.game import Coach, Seat
from engine.registry import AnyGame
from engine.replay import Moment

T = TypeVar("T")

MIN_GAIN: Final = 0.25
"""The least gain in the chance to win for which another action is shown. Chances with all cards open are learnt too,
and sometimes wrong by some points."""


class Hindsight(NamedTuple):
    """A clearly better action that a player could have taken, as the cards lay, with the chances after it."""

    number: int
    """The number of the moment with the player's actual action."""
    seat: Seat
    action: Any
    """The seat's own action that would have left the best chance, as the cards lay."""
    chances: tuple[float, ...]
    """Every seat's chance to win after that action, with all cards open."""


class _UsageTrackingChance:
    """A source of shuffles and random numbers that notes whether it was used. They are not those of the game."""

    def __init__(self) -> None:
        self._chance = SeededChance(bytes(32))
        self.used = False

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        """Return *items* in a random order that is the same for every game, and note that it was used."""
        self.used = True
        return self._chance.shuffle(index, items)

    def pick(self, name: str, n: int) -> int:
        """Return a number from 0 to *n* - 1 that is the same for every game, and note that it was used."""
        self.used = True
        return self._chance.pick(name, n)


def require_coach(game: AnyGame) -> Coach[Any, Any, Any, Any]:
    """The coach of *game*, or raise LookupError if it has none.

    Raises:
        LookupError: the game has no coach.
    """
    if game.coach is None:
        raise LookupError(f"there is no coach in {game.name}")
    return game.coach


def find_better_action_in_hindsight(game: AnyGame, moment: Moment, after: Sequence[float]) -> Hindsight | None:
    """The best action at *moment* for the one seat that acted, as the cards lay; ``None`` unless it gains ``MIN_GAIN``
    over the actual one.

    *after* holds every seat's chance after the actual action, and *game* has a coach. If several players called, there
    is none. An action that leads to a shuffle is unknown, unless the new cards can be told apart from the action
    (``Coach.chances_before_deal``).
    """
    acted = [Seat(seat) for seat in range(len(after)) if game.action_of_seat(Seat(seat), moment.action) is not None]
    if len(acted) != 1:  # several called: one of them alone would have changed nothing
        return None
    (seat,) = acted
    best = None
    for action in game.legal_actions(moment.before, seat):
        chances = chances_after_action(game, moment.before, action) if action != moment.action else None
        if chances is not None and chances[seat] >= max(
            after[seat] + MIN_GAIN, 0.0 if best is None else best.chances[seat]
        ):
            best = Hindsight(moment.number, seat, action, tuple(chances))
    return best


def chances_after_action(game: AnyGame, state: Any, action: Any) -> Sequence[float] | None:
    """Every seat's chance to win after *action* in *state*, with all cards open; ``None`` if it depends on a shuffle;
    LookupError without a coach."""
    coach = require_coach(game)
    watched = _UsageTrackingChance()
    step = game.apply(state, action, watched)
    return coach.chances_before_deal(step) if watched.used else coach.chances(step.state)
