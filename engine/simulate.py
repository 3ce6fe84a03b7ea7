"""Self-play: many games in a row, their results, and audit transcripts of every action."""

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol, TextIO

from engine.fair import Fair
from engine.game import Seat, Step
from engine.registry import AnyGame


class Policy(Protocol):
    """How a seat is played: returns its action in *state*; ``None``: it does nothing (only off turn)."""

    def __call__(self, game: AnyGame, state: Any, seat: Seat, rng: Random) -> Any: ...


def random_policy(game: AnyGame, state: Any, seat: Seat, rng: Random) -> Any:
    """A legal action of *seat*, chosen at random, each equally likely.

    Off turn, where doing nothing is allowed too, it acts with one chance in 32.
    """
    actions = game.legal_actions(state, seat)
    if game.on_turn(state) != seat and (not actions or rng.randrange(32)):
        return None
    return rng.choice(actions)


def computer_policy(game: AnyGame, state: Any, seat: Seat, rng: Random) -> Any:
    """The action of the game's computer player, which sees only the view of *seat*."""
    return game.decide(game.view(state, seat), rng)


POLICIES: Mapping[str, Policy] = {"random": random_policy, "computer": computer_policy}


@dataclass
class Tally:
    """The results of a run of games."""

    seats: int
    games: int = 0
    actions: int = 0
    seconds: float = 0.0
    wins: list[int] = field(default_factory=list)
    """By seat; joint winners count for each."""
    policy_wins: dict[str, float] = field(default_factory=dict)
    """Policy -> wins; a joint win is shared among the winners."""

    def __post_init__(self) -> None:
        self.wins = [0] * self.seats


def seed_of(run: str, game_number: int) -> bytes:
    """The secret seed of game *game_number* (from 0) of the run seeded *run*: SHA-256 of "run/number"."""
    return hashlib.sha256(f"{run}/{game_number}".encode()).digest()


class Transcript:
    """Writes an audit transcript: one line of JSON per game start and per action (contract: docs/architecture.md)."""

    def __init__(self, out: TextIO, game: AnyGame) -> None:
        self._out = out
        self._game = game

    def start(self, seats: int, options: Mapping[str, str], state: Any) -> None:
        """Write the line that begins a game; *state* is the one after the deal."""
        head = {"v": 1, "game": self._game.name, "seats": seats, "options": dict(options)}
        self._line({**head, "state": self._game.audit_state(state)})

    def action(self, action: Any, step: Step[Any, Any]) -> None:
        """Write the line of *action*, which led to *step*."""
        self._line(
            {
                "action": self._game.encode_action(action),
                "shuffles": self._game.shuffles(step.events),
                "state": self._game.audit_state(step.state),
            }
        )

    def _line(self, data: Any) -> None:
        """Write *data* as one line of JSON."""
        self._out.write(json.dumps(data, separators=(",", ":")) + "\n")


def next_action(game: AnyGame, state: Any, seats: int, choose: list[Policy], rng: Random) -> Any:
    """The next action of a game, *choose* holding a policy per seat.

    If seats that are off turn want to call, it is their common call, in random order; else the action of the seat on
    turn.
    """
    on_turn = game.on_turn(state)
    assert on_turn is not None
    callers = [
        seat for seat in game.may_call(state) if seat != on_turn and choose[seat](game, state, seat, rng) is not None
    ]
    if callers:
        rng.shuffle(callers)
        return game.call(callers)
    return choose[on_turn](game, state, on_turn, rng)


def play(
    game: AnyGame,
    seats: int,
    games: int,
    seed: str,
    policies: list[str],
    options: Mapping[str, str],
    transcript: TextIO | None = None,
) -> Tally:
    """Play *games* games of *seats* players and return the totals; each game is written to *transcript* if there is
    one.

    *policies* holds one name per seat. In game k (from 0) seat s plays ``policies[(s - k) % seats]``: they rotate. The
    same *seed* plays the same games.
    """
    tally = Tally(seats)
    writer = Transcript(transcript, game) if transcript is not None else None
    tally.policy_wins = dict.fromkeys(policies, 0.0)
    started = time.perf_counter()
    for number in range(games):
        chance = Fair(seed_of(seed, number))
        rng = Random(f"{seed}/{number}/policies")
        names = [policies[(seat - number) % seats] for seat in range(seats)]
        choose = [POLICIES[name] for name in names]
        state, _ = game.new(seats, options, chance)
        if writer:
            writer.start(seats, options, state)
        while game.on_turn(state) is not None:
            action = next_action(game, state, seats, choose, rng)
            step = game.apply(state, action, chance)
            state = step.state
            tally.actions += 1
            if writer:
                writer.action(action, step)
        winners = [standing.seat for standing in game.standings(state) if standing.place == 1]
        for seat in winners:
            tally.wins[seat] += 1
            tally.policy_wins[names[seat]] += 1 / len(winners)
        tally.games += 1
    tally.seconds = time.perf_counter() - started
    return tally
