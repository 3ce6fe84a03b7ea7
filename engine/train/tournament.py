"""``python -m engine.train tournament``: tables of all that docs/computer-players.md says of computer players.

For every game: how long a decision takes, how strong the levels are, and whatever else the game's ``evidence``
measures; each figure with its error, its goal, and whether that is met.
"""

import argparse
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Final, Protocol, cast

import numpy as np

from engine.fair import SeededChance
from engine.game import Seat
from engine.policies import COMPUTER, Policy, SeatPlayer, find_policy
from engine.registry import GAMES, AnyGame
from engine.simulate import SimulatedGame, game_seed
from engine.tournament import DuelResult, run_duels
from engine.train import reference
from engine.train.figures import Figure, line
from engine.train.reference import REFERENCE, duels

LEAST_STEP: Final = 60.0
MOST_STEP: Final = 68.0
"""The goal: what a level wins against the next lower one, in percent of the games."""
SLOWEST: Final = 50.0
"""The goal: how many milliseconds a decision takes at most, at the 99th percentile."""


class Evidence(Protocol):
    """The module ``evidence`` of a game's training."""

    REFERENCE_GOALS: Mapping[int, float]
    """By seats: what percentage of games the strongest level should win against version 0.2, no less."""

    def evidence(self, pool: Executor, seed: int, part: float) -> Iterator[Figure]:
        """Yield the game's own figures, measured in *pool*; *part* (0 to 1) of the usual number of games is played."""


def find_evidence_module(game: AnyGame) -> Evidence | None:
    """The module ``evidence`` of the training of *game*, which measures figures of its own; ``None``: there is none."""
    package = f"engine.train.{game.name}"
    if find_spec(package) is None or find_spec(f"{package}.evidence") is None:
        return None
    return cast(Evidence, import_module(f"{package}.evidence"))


class _Timed:
    """Plays as another sitter does, and notes how long it takes to choose."""

    def __init__(self, sitter: SeatPlayer, seconds: list[float]) -> None:
        self._sitter, self._seconds = sitter, seconds

    def choose_action(self, state: Any) -> Any:
        """Return the other player's action in *state*, and note the processor time that it took to choose, in
        seconds."""
        began = time.thread_time()
        chosen = self._sitter.choose_action(state)
        self._seconds.append(time.thread_time() - began)
        return chosen

    def observe_events(self, events: Iterable[Any]) -> None:
        """Let the other player observe *events*."""
        self._sitter.observe_events(events)


def measure_decision_times(game: AnyGame, level: int, seats: int, games: int, seed: str) -> list[float]:
    """Play *games* games of computer players of *level*, and return the processor time of each decision in ms, that of
    building its view included.

    Those of another game before them, which reads the networks, are not counted.
    """
    inner = find_policy(game, f"{COMPUTER}:{level}")
    options = game.check_options({})
    seconds: list[float] = []

    def timed(seat: Seat, rng: Random) -> SeatPlayer:
        return _Timed(inner(seat, rng), seconds)

    sitting: list[Policy] = [timed] * seats
    for number in range(games + 1):
        match = SimulatedGame(game, sitting, options, SeededChance(game_seed(seed, number)), Random(f"{seed}/{number}"))
        if number == 1:
            seconds.clear()
        while not match.over:
            match.apply(match.next_action())
    return [1000 * it for it in seconds]


def times(game: AnyGame, part: float, seed: str) -> Iterator[Figure]:
    """Yield the median and the 99th percentile of the time of decisions (ms) of the lowest, a middle and the highest
    level, with few and many seats."""
    for level in sorted({1, (game.computers.LEVELS + 1) // 2, game.computers.LEVELS}):
        for seats in (game.seats[0], game.seats[-1]):
            taken = measure_decision_times(game, level, seats, max(1, round(10 * part)), seed)
            what = f"{game.name}: a decision of level {level}, {seats} players ({len(taken)} of them)"
            yield Figure(f"{what}, median", float(np.median(taken)), unit="ms")
            yield Figure(f"{what}, 99th percentile", float(np.percentile(taken, 99)), unit="ms", most=SLOWEST)


def strength(it: DuelResult, goals: Mapping[int, float]) -> Figure:
    """Make a figure of the result *it* of a duel, with its goals: of levels, or against version 0.2 (*goals*: as
    ``Evidence.REFERENCE_GOALS``)."""
    duel = it.duel
    against = duel.others if duel.seats == 2 else f"{duel.seats - 1} of {duel.others}"
    what = f"{duel.game}: {duel.one} against {against}, {duel.seats} players ({it.games} games)"
    if duel.others == REFERENCE:
        return Figure(what, 100 * it.share, 100 * it.error, least=goals.get(duel.seats))
    return Figure(what, 100 * it.share, 100 * it.error, least=LEAST_STEP, most=MOST_STEP)


def figures(game: AnyGame, pool: Executor, processes: int, part: float, seed: int) -> Iterator[Figure]:
    """Measure *game* and yield all its figures: the time of decisions, the strength of the levels, and what its
    ``evidence`` adds."""
    own = find_evidence_module(game)
    yield from times(game, part, str(seed))
    for it in run_duels(duels(game), max(4, round(2000 * part)), str(seed), processes, reference.policy):
        yield strength(it, own.REFERENCE_GOALS if own else {})
    if own is not None:
        yield from own.evidence(pool, seed, part)


def main(arguments: list[str]) -> None:
    """Measure the games that *arguments* name, print the figures as tables, and last how many goals are missed by more
    than the error."""
    parser = argparse.ArgumentParser(prog="python -m engine.train tournament", description=__doc__)
    parser.add_argument("game", nargs="*", metavar="GAME", help="all games if none is given")
    parser.add_argument("--part", type=float, default=1.0, help="of the usual number of games: 0.01 for a trial")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N")
    given = parser.parse_args(arguments)
    for name in given.game:
        if name not in GAMES:
            parser.error(f"{name!r} is none of {', '.join(GAMES)}")
    began = time.monotonic()
    missed = 0
    with ProcessPoolExecutor(given.processes) as pool:
        for name in given.game or list(GAMES):
            for it in figures(GAMES[name], pool, given.processes, given.part, given.seed):
                print(line(it), flush=True)
                missed += it.missed
    minutes = (time.monotonic() - began) / 60
    print(
        f"{missed or 'no'} goals are not met by more than the error; this took {minutes:.0f} minutes"
        f" with {given.processes} processes"
    )
