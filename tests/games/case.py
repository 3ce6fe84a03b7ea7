"""What the suites over all games ask of one."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from engine.fair import Fair
from engine.game import Seat, Step
from engine.registry import GAMES


class Case(ABC):
    """One game as its testers know it."""

    game: str
    deck: Counter[Any]
    options: Sequence[dict[str, str]] = ({},)
    """The ways to play it."""
    quick: tuple[tuple[str, str], ...] = ()
    """The options of the shortest game."""
    computer_wins: dict[int, float]
    """Players -> the share of games a computer player must win against random ones at least."""

    @property
    def rules(self) -> Any:
        return GAMES[self.game]

    @abstractmethod
    def everything(self, state: Any) -> Counter[Any]:
        """Every card of *state*, wherever it lies."""

    @abstractmethod
    def redealt(self, state: Any, seat: Seat | None, rng: Random) -> Any:
        """*state* with everything that *seat* (``None``: the public) cannot see dealt anew."""

    @abstractmethod
    def otherwise(self, event: Any, seat: Seat | None, rng: Random) -> Any:
        """*event* as it might have been for all that *seat* saw of it."""

    @abstractmethod
    def conceivable(self, state: Any, seat: Seat) -> Iterator[Any]:
        """Actions that *seat* might ask for, legal or not."""

    def may_shout(self, state: Any) -> bool:
        """Whether the player on turn may interrupt."""
        return self.rules.on_turn(state) in self.rules.shouters(state)

    def should_shout(self, state: Any) -> bool:
        """Whether a person who wants the game to end interrupts now instead of playing."""
        return False

    def choose(self, actions: Sequence[Any], rng: Random) -> Any:
        """One of *actions*, so that games grow long."""
        return rng.choice(actions)

    def steps(
        self, seats: int, seed: int, options: dict[str, str] | None = None
    ) -> Iterator[tuple[Any, Any, Step[Any, Any]]]:
        """(state, action, step) of a random game."""
        rng = Random(seed)
        chance = Fair(seed.to_bytes(32, "big"))
        state = self.rules.new(seats, options or {}, chance).state
        while self.rules.on_turn(state) is not None:
            actions = [action for seat in range(seats) for action in self.rules.legal_actions(state, Seat(seat))]
            action = self.choose(actions, rng)
            step = self.rules.apply(state, action, chance)
            yield state, action, step
            state = step.state
