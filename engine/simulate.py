"""Self-play: many games in a row, their results, and audit transcripts of every action."""

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TextIO

from engine.fair import SeededChance
from engine.game import Chance, Seat, Step
from engine.policies import Policy, find_policy
from engine.registry import AnyGame


@dataclass
class SimulationTotals:
    """The totals of a run of simulated games: games, actions, seconds, wins by seat and by policy."""

    seats: int
    games: int = 0
    actions: int = 0
    seconds: float = 0.0
    wins: list[int] = field(default_factory=list)
    """Wins by seat; a joint win counts for each winner."""
    policy_wins: dict[str, float] = field(default_factory=dict)
    """Policy -> wins; a joint win is shared among the winners."""

    def __post_init__(self) -> None:
        self.wins = [0] * self.seats


def game_seed(run: str, game_number: int) -> bytes:
    """The seed (32 bytes) of game *game_number* (from 0) of the run seeded *run*: the SHA-256 of "run/number"."""
    return hashlib.sha256(f"{run}/{game_number}".encode()).digest()


class TranscriptWriter:
    """Writes an audit transcript: one line of JSON per game start and per action (docs/transcripts.md)."""

    def __init__(self, out: TextIO, game: AnyGame) -> None:
        self._out = out
        self._game = game

    def write_start(self, seats: int, options: Mapping[str, str], state: Any) -> None:
        """Write the line that begins a game; *state* is the state after the deal."""
        head = {"v": 1, "game": self._game.name, "seats": seats, "options": dict(options)}
        self._write_line({**head, "state": self._game.encode_audit_state(state)})

    def write_action(self, action: Any, step: Step[Any, Any]) -> None:
        """Write the line of *action*, with the piles shuffled and the state in its result *step*."""
        self._write_line(
            {
                "action": self._game.encode_action(action),
                "shuffles": self._game.shuffle_orders(step.events),
                "state": self._game.encode_audit_state(step.state),
            }
        )

    def _write_line(self, data: Any) -> None:
        """Write *data* as one line of JSON."""
        self._out.write(json.dumps(data, separators=(",", ":")) + "\n")


class SimulatedGame:
    """One simulated game, played step by step, with one policy for each seat."""

    def __init__(
        self, game: AnyGame, policies: Sequence[Policy], options: Mapping[str, str], chance: Chance, rng: Random
    ) -> None:
        self._game = game
        self._chance = chance
        self._rng = rng
        self._players = [policy(Seat(seat), rng) for seat, policy in enumerate(policies)]
        self.state, self.dealt = game.new(len(policies), options, chance)
        """The state now, and the events of the deal."""
        self._let_players_observe(self.dealt)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._game.on_turn(self.state) is None

    def next_action(self) -> Any:
        """Let the players choose the next action, and return it without applying it: a call from off turn, or else the
        action of the seat on turn.

        If seats that are off turn want to call, it is their common call, in random order.
        """
        game, state = self._game, self.state
        on_turn = game.on_turn(state)
        assert on_turn is not None
        may_call = [seat for seat in game.callers(state) if seat != on_turn]
        callers = [seat for seat in may_call if self._players[seat].choose_action(state) is not None]
        if callers:
            self._rng.shuffle(callers)
            return game.call(callers)
        return self._players[on_turn].choose_action(state)

    def apply(self, action: Any) -> Step[Any, Any]:
        """Apply the legal *action* to the game, let every player observe it, and return the step."""
        step = self._game.apply(self.state, action, self._chance)
        self.state = step.state
        self._let_players_observe(step.events)
        return step

    def _let_players_observe(self, events: Iterable[Any]) -> None:
        """Show *events* to every player. Computer players remember them."""
        for player in self._players:
            player.observe_events(events)


def simulate_games(
    game: AnyGame,
    seats: int,
    games: int,
    seed: str,
    policies: list[str],
    options: Mapping[str, str],
    transcript: TextIO | None = None,
) -> SimulationTotals:
    """Play *games* games of *seats* players and return the totals; write every action to *transcript* if it is given.

    *policies* holds one name per seat. In game k (from 0) seat s plays ``policies[(s - k) % seats]``: they rotate. The
    same *seed* plays the same games.

    Raises:
        ValueError: one of *policies* is none of the game's.
    """
    known = {name: find_policy(game, name) for name in policies}
    tally = SimulationTotals(seats)
    writer = TranscriptWriter(transcript, game) if transcript is not None else None
    tally.policy_wins = dict.fromkeys(policies, 0.0)
    started = time.perf_counter()
    for number in range(games):
        names = [policies[(seat - number) % seats] for seat in range(seats)]
        match = SimulatedGame(
            game,
            [known[name] for name in names],
            options,
            SeededChance(game_seed(seed, number)),
            Random(f"{seed}/{number}/policies"),
        )
        if writer:
            writer.write_start(seats, options, match.state)
        while not match.over:
            action = match.next_action()
            step = match.apply(action)
            tally.actions += 1
            if writer:
                writer.write_action(action, step)
        winners = [standing.seat for standing in game.standings(match.state) if standing.place == 1]
        for seat in winners:
            tally.wins[seat] += 1
            tally.policy_wins[names[seat]] += 1 / len(winners)
        tally.games += 1
    tally.seconds = time.perf_counter() - started
    return tally
