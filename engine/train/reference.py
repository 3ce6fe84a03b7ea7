"""The computer players of version 0.2, by which the levels of today are measured: a policy more, where a game's
training has kept one as its module ``reference``."""

from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Final

from engine import policies, tournament
from engine.game import Seat
from engine.policies import COMPUTER, Policy
from engine.registry import AnyGame
from engine.tournament import Duel

REFERENCE: Final = "reference"


def has_reference(game: AnyGame) -> bool:
    """Whether there is a computer player of version 0.2 for *game* to measure by."""
    package = f"engine.train.{game.name}"
    return find_spec(package) is not None and find_spec(f"{package}.{REFERENCE}") is not None


def policy(game: AnyGame, name: str) -> Policy:
    """The policy of *game* called *name*: the player of version 0.2 for ``REFERENCE``, else that of
    ``engine.policies.find_policy``; or raise ValueError."""
    if name != REFERENCE:
        return policies.find_policy(game, name)
    decide = import_module(f"engine.train.{game.name}.{REFERENCE}").decide
    return lambda seat, rng: _Reference(game, seat, rng, decide)


def duels(game: AnyGame) -> list[Duel]:
    """The duels that measure the computer players of *game*: the strongest against that of version 0.2 (if kept), then
    each level against the one below.

    Against version 0.2 it plays one to one and one against three.
    """
    found = []
    if has_reference(game):
        found = [Duel(game.name, seats, COMPUTER, REFERENCE) for seats in (2, 4) if seats in game.seats]
    return found + tournament.level_duels(game)


class _Reference:
    """The computer player of version 0.2, which sees the view of its seat and remembers nothing."""

    def __init__(self, game: AnyGame, seat: Seat, rng: Random, decide: Callable[[Any, Seat, Random], Any]) -> None:
        self._game, self._seat, self._rng, self._decide = game, seat, rng, decide

    def choose_action(self, state: Any) -> Any:
        """Choose the action of version 0.2 from the seat's view of *state*; ``None``: it does not call, or may not
        act."""
        if self._game.on_turn(state) != self._seat and self._seat not in self._game.callers(state):
            return None
        return self._decide(self._game.views.view(state, self._seat), self._seat, self._rng)

    def observe_events(self, events: Iterable[Any]) -> None:
        """Do nothing: this player remembers nothing."""
        return
