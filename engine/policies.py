"""Policies for the seats of simulated games: random, or a computer player of some level."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final, Protocol

from engine.game import Seat
from engine.registry import AnyGame

RANDOM: Final = "random"
COMPUTER: Final = "computer"
"""The policy of the strongest level; ``computer:1`` is the weakest level."""


class SeatPlayer(Protocol):
    """The player of one seat in one simulated game: it chooses actions and observes events."""

    def choose_action(self, state: Any, /) -> Any:
        """The action of the seat in *state*. ``None``: it does nothing, which is possible only off turn."""

    def observe_events(self, events: Iterable[Any], /) -> None:
        """Take note of *events*, the events of one step, as far as the seat witnesses them."""


Policy = Callable[[Seat, Random], SeatPlayer]
"""Creates the player of a seat, which uses the given random numbers."""


def policy_names(game: AnyGame) -> list[str]:
    """The names of all policies of *game*."""
    levels = [f"{COMPUTER}:{level}" for level in range(1, game.computers.LEVELS + 1)]
    return [RANDOM, COMPUTER, *levels]


def find_policy(game: AnyGame, name: str) -> Policy:
    """The policy of *game* called *name* ("random", "computer", "computer:3"), or raise ValueError.

    Raises:
        ValueError: there is no such policy; the text lists the policies.
    """
    if name not in policy_names(game):
        raise ValueError(f"{game.name} has no policy {name!r}; it has {', '.join(policy_names(game))}")
    if name == RANDOM:
        return lambda seat, rng: _RandomPlayer(game, seat, rng)
    _, _, level = name.partition(":")
    return lambda seat, rng: _ComputerPlayer(game, seat, rng, int(level) if level else game.computers.LEVELS)


class _RandomPlayer:
    """A player that chooses a random legal action; off turn it acts with one chance in 32. Each action is equally
    likely."""

    def __init__(self, game: AnyGame, seat: Seat, rng: Random) -> None:
        self._game, self._seat, self._rng = game, seat, rng

    def choose_action(self, state: Any) -> Any:
        """Choose a random legal action of the seat in *state*; off turn ``None``, except one time in 32 if it may
        act."""
        actions = self._game.legal_actions(state, self._seat)
        if self._game.on_turn(state) != self._seat and (not actions or self._rng.randrange(32)):
            return None
        return self._rng.choice(actions)

    def observe_events(self, events: Iterable[Any]) -> None:
        """Do nothing: a random player remembers nothing."""
        return


class _ComputerPlayer:
    """A computer player of one level. It sees the view of its seat and remembers what it has witnessed."""

    def __init__(self, game: AnyGame, seat: Seat, rng: Random, level: int) -> None:
        self._game, self._seat, self._rng, self._level = game, seat, rng, level
        self._memory: Any = None

    def choose_action(self, state: Any) -> Any:
        """Choose the action of the computer player from its view of *state*; ``None``: it does nothing (off turn
        only)."""
        return self._game.decide(self._game.views.view(state, self._seat), self._rng, self._level, self._memory)

    def observe_events(self, events: Iterable[Any]) -> None:
        """Add to the player's memory what its seat witnesses of *events*, those of one step."""
        self._memory = self._game.remember(self._memory, events, self._seat)
