"""What the suites over all games ask of one. It is the only way in which they know a game."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from engine.fair import SeededChance
from engine.game import Chance, Game, Seat, Step
from engine.registry import GAMES

Options = dict[str, str]


class Case(ABC):
    """One game as its testers know it; the game is the one that the module is named after.

    States, actions and events are those of the game: a case may name their types, the suites do not.
    """

    options: Sequence[Options] = ({},)
    """The ways to play it; the first is played where one will do. Options that are left out have their defaults."""
    quick: Options = {}
    """The options of the shortest game; those that are left out have their defaults."""
    computer_wins: dict[int, float]
    """Players -> the share of ``quick`` games a computer player must win against random ones at least:
    measure it (``python -m engine simulate``, with the policies ``computer`` and ``random``) and ask for a little
    less."""
    playthroughs: Sequence[tuple[int, Options]]
    """(players, options) of the whole games in ``tests/playthroughs``."""
    audit_fields: frozenset[str] | None = None
    """The fields of a state in an audit transcript, where they are a contract; else the state's own."""

    @property
    def game(self) -> str:
        """The game's name."""
        return type(self).__module__.rpartition(".")[2]

    @property
    def rules(self) -> Game[Any, Any, Any, Any]:
        """The game."""
        return GAMES[self.game]

    @property
    def counts(self) -> Sequence[str]:
        """The names of what the game counts of its own."""
        return () if self.rules.tallies is None else self.rules.tallies.COUNTS

    # What lies where

    @abstractmethod
    def pack(self, seats: int) -> Counter[Any]:
        """All the cards of a game of *seats*."""

    @abstractmethod
    def everything(self, state: Any) -> Counter[Any]:
        """Every card of *state*, wherever it lies: always the pack."""

    @abstractmethod
    def redealt(self, state: Any, seat: Seat | None, rng: Random) -> Any:
        """*state* with everything that *seat* (``None``: the public) cannot see dealt anew."""

    def otherwise(self, event: Any, seat: Seat | None, rng: Random) -> Any:
        """*event* with what *seat* did not see of it made something else."""
        return event

    @abstractmethod
    def deal(self, state: Any, seat: Seat, cards: str) -> Any:
        """*state* with *seat* holding *cards* first of all, which lay wherever it could not see, and for the rest
        whatever there is; every hand holds as many cards as before.

        *cards* are in the words of ``engine.text``, or of the game's own tests: "3 3 5". Called by ``Club.deal``, for
        the scenarios of this game on Discord (``tests/discord/games/test_<name>.py``, where it has any).
        """

    # What people do

    @abstractmethod
    def conceivable(self, state: Any, seat: Seat) -> Iterator[Any]:
        """Actions that *seat* might ask for, legal or not; some of them break each rule."""

    def forgeries(self) -> Sequence[Sequence[str]]:
        """Values that somebody might make up for a select of this game."""
        return ()

    def calls_now(self, state: Any) -> bool:
        """Whether a person who wants the game to end calls now instead of playing. Only where there are calls."""
        return False

    def choose(self, actions: Sequence[Any], rng: Random) -> Any:
        """One of *actions*, so that games grow long."""
        return rng.choice(actions)

    quiet_actions: int = 9
    """For how many actions of a game of three ``quiet_action`` brings nothing to light."""

    def quiet_deal(self, state: Any, watcher: Seat | None, rng: Random) -> Any:
        """*state*, fresh from the deal, dealt in such a way that ``quiet_action`` brings nothing to light for a while.

        What *watcher* (``None``: the public) can see must be the same for every *rng*; the rest must not be. It need
        not be what it was in *state*: the watcher's own hand, or who is on turn, may be another.
        """
        return self.redealt(state, watcher, rng)

    @abstractmethod
    def quiet_action(self, state: Any, watcher: Seat | None) -> Any:
        """What the player on turn does in a game that *watcher* sees. It follows from what the watcher sees alone,
        and shows the watcher nothing hidden."""

    # What it looks like

    @abstractmethod
    def longest(self) -> Iterator[tuple[Any, Sequence[Any], Any | None]]:
        """(state, the events that led to it, an action that its player has made and that has not landed yet) of the
        situations whose messages are longest: most players, most cards on the table, most things happening."""

    def steps(
        self, seats: int, seed: int, options: Options | None = None, chance: Chance | None = None
    ) -> Iterator[tuple[Any, Any, Step[Any, Any]]]:
        """(state, action, step) of a random game, whose *chance* follows from its *seed* where none is given."""
        rules, rng = self.rules, Random(seed)
        chance = chance or SeededChance(seed.to_bytes(32, "big"))
        state = rules.new(seats, options or {}, chance).state
        while rules.on_turn(state) is not None:
            actions = [action for seat in range(seats) for action in rules.legal_actions(state, Seat(seat))]
            action = self.choose(actions, rng)
            step = rules.apply(state, action, chance)
            yield state, action, step
            state = step.state
