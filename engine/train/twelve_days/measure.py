"""How strong the levels are at real tables, how long they think, and whether the coach is calibrated.

- ``python -m engine.train.twelve_days.measure match 6 reference --seats 2 --deals 1000``: one player of the first kind
  among players of the second; every deal is played once from each seat. Kinds are levels, and ``reference``.
- ``python -m engine.train.twelve_days.measure coach --seats 4 --deals 200``: what the coach says in games of the
  strongest level, by tenths, and how often it came true.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from engine.fair import Fair
from engine.game import Seat
from engine.games.twelve_days import coach, computer, rules
from engine.games.twelve_days.actions import Action
from engine.games.twelve_days.events import HandWon
from engine.games.twelve_days.memory import Memory, remember
from engine.games.twelve_days.state import State
from engine.games.twelve_days.view import view, witness
from engine.simulate import seed_of
from engine.train.reference import REFERENCE
from engine.train.twelve_days import reference


class Moment(NamedTuple):
    """A decision in a game, with what came before it."""

    state: State
    memory: Memory
    action: Action
    seconds: float
    """How long it took to decide."""


def decided(kind: str, state: State, rng: Random, memory: Memory) -> Action:
    """What a player of this *kind* does in *state*, where it is on turn."""
    seen = view(state, state.turn)
    if kind == REFERENCE:
        return reference.decide(seen, state.turn, rng)
    action = computer.decide(seen, state.turn, rng, int(kind), memory)
    assert action is not None  # it is on turn
    return action


def game(kinds: Sequence[str], length: str, seed: str, rng: Random) -> tuple[list[Moment], State, list[Seat]]:
    """A game of players of these *kinds*, by seat: its decisions, its end, and who won each hand."""
    chance = Fair(seed_of(seed, 0))
    step = rules.deal(len(kinds), {rules.LENGTH: length}, chance)
    moments: list[Moment] = []
    won: list[Seat] = []
    memory: Memory | None = None  # everybody witnesses the same
    while True:
        won += [event.seat for event in step.events if isinstance(event, HandWon)]
        state = step.state
        if state.winners:
            return moments, state, won
        seat = state.turn
        memory = remember(memory, [witness(event, seat) for event in step.events], seat)
        started = time.perf_counter()
        action = decided(kinds[seat], state, rng, memory)
        moments.append(Moment(state, memory, action, time.perf_counter() - started))
        step = rules.apply(state, action, chance)


def share(state: State, seat: int) -> float:
    """Of the game that *state* ends, the share that *seat* has won."""
    return 1 / len(state.winners) if seat in state.winners else 0.0


def match(first: str, second: str, seats: int, deals: int, length: str, seed: str) -> None:
    """Play it, and print how often the *first* won, and how long both think."""
    shares: list[float] = []
    hands: list[float] = []
    seconds: dict[str, list[float]] = {first: [], second: []}
    for deal in range(deals):
        of_deal = []
        for mine in range(seats):
            kinds = [first if seat == mine else second for seat in range(seats)]
            moments, end, won = game(kinds, length, f"{seed}/{deal}", Random(f"{seed}/{deal}/{mine}"))
            of_deal.append(share(end, mine))
            hands.append(won.count(Seat(mine)) / len(won))
            for moment in moments:
                seconds[kinds[moment.state.turn]].append(moment.seconds)
        shares.append(float(np.mean(of_deal)))
    error = float(np.std(shares)) / len(shares) ** 0.5
    print(
        f"{seats} seats, {length}: {first} wins {100 * np.mean(shares):.1f} +- {100 * error:.1f} % "
        f"of {seats * deals} games against {second}, {100 * np.mean(hands):.1f} % of the hands"
    )
    for kind, times in seconds.items():
        mean, late, longest = (1000 * value for value in (np.mean(times), np.percentile(times, 99), max(times)))
        print(f"  {kind} thinks {mean:.2f} ms, 99 % of the time less than {late:.1f} ms, at most {longest:.0f} ms")


def judged(seats: int, deals: int, length: str, seed: str) -> Iterator[tuple[str, float, float, float]]:
    """Games of the strongest level, judged: (what, the chance it gave, the share that was won, the seconds it took)."""
    for deal in range(deals):
        moments, end, _ = game([str(computer.LEVELS)] * seats, length, f"{seed}/{deal}", Random(f"{seed}/{deal}"))
        for state, memory, action, _ in moments:
            started = time.perf_counter()
            chances = coach.chances(state)
            seconds = time.perf_counter() - started
            for seat, chance in enumerate(chances):
                yield "chances", chance, share(end, seat), seconds / seats
            started = time.perf_counter()
            options = coach.options(view(state, state.turn), state.turn, memory)
            seconds = time.perf_counter() - started
            yield "options", next(o.chance for o in options if o.action == action), share(end, state.turn), seconds


def calibration(seats: int, deals: int, length: str, seed: str) -> None:
    """Judge so many games, and print what came true."""
    said = list(judged(seats, deals, length, seed))
    for what in ("chances", "options"):
        numbers = np.array([it[1:] for it in said if it[0] == what])
        tenth = np.minimum(9, (10 * numbers[:, 0]).astype(int))
        error = ((numbers[:, 0] - numbers[:, 1]) ** 2).mean()
        blind = ((1 / seats - numbers[:, 1]) ** 2).mean()
        seconds = numbers[:, 2].sum() / deals
        print(
            f"{seats} seats, {deals} games: {what}, {seconds:.2f} s a game, "
            f"squared error {error:.4f}, blind {blind:.4f}"
        )
        for number in np.unique(tenth):
            mean = numbers[tenth == number].mean(axis=0)
            print(f"  said {100 * mean[0]:5.1f} %, true {100 * mean[1]:5.1f} % of {(tenth == number).sum()}")


def main(arguments: Sequence[str]) -> None:
    """Measure what *arguments* ask for."""
    parser = argparse.ArgumentParser(prog="python -m engine.train.twelve_days.measure")
    parser.add_argument("what", choices=("match", "coach"))
    parser.add_argument("kinds", nargs="*", default=[str(computer.LEVELS), REFERENCE])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--length", choices=("full", rules.SHORT), default="full")
    parser.add_argument("--seed", default="measure")
    given = parser.parse_args(arguments)
    if given.what == "coach":
        calibration(given.seats, given.deals, given.length, given.seed)
    else:
        first, second = given.kinds
        match(first, second, given.seats, given.deals, given.length, given.seed)


if __name__ == "__main__":
    main(sys.argv[1:])
