"""Random games with four players: ``apply`` alone, and with a view for every action, next to RLCard's UNO."""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from engine.fair import SeededChance
from engine.game import Seat
from engine.registry import GAMES, AnyGame
from tests.bench.titles import title

ROUNDS = 21
SECONDS = 0.5
"""Of processor time, which other programs on the machine disturb less than the clock's; short rounds, so that all
engines meet the same disturbance."""
PLAYERS = 4
"""Or as many as the game takes."""
UNO = "RLCard UNO, env.step"

Recorded = list[tuple[int, SeededChance, list[Any]]]
"""(players, chance, actions) of each game."""


def recorded(rules: AnyGame, games: int) -> Recorded:
    """Random games as their actions, so that choosing them is not measured."""
    found = []
    players = max(rules.seats[0], min(PLAYERS, rules.seats[-1]))
    for number in range(games):
        chance, rng = SeededChance(number.to_bytes(32, "big")), random.Random(number)
        state, actions = rules.new(players, {}, chance).state, []
        while (turn := rules.on_turn(state)) is not None:
            action = rng.choice(rules.legal_actions(state, turn))
            actions.append(action)
            state = rules.apply(state, action, chance).state
        found.append((players, chance, actions))
    return found


def replay(rules: AnyGame, games: Recorded, *, views: bool) -> Iterator[tuple[int, float]]:
    """Play the recorded games for ever: the number of actions of each, and the seconds they took without the deal."""
    while True:
        for players, chance, actions in games:
            state = rules.new(players, {}, chance).state
            started = time.process_time()
            for action in actions:
                state = rules.apply(state, action, chance).state
                if views:
                    turn = rules.on_turn(state)
                    rules.views.view(state, Seat(0) if turn is None else turn)
            yield len(actions), time.process_time() - started


def uno() -> Iterator[tuple[int, float]]:
    """RLCard's UNO, uniformly random; ``env.step`` gives the next player's view. The same figures."""
    import rlcard  # only for the bench

    env = rlcard.make("uno", config={"seed": 1})
    rng = random.Random(1)
    while True:
        state, _ = env.reset()
        steps, started = 0, time.process_time()
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            steps += 1
        yield steps, time.process_time() - started


def rate(games: Iterator[tuple[int, float]]) -> tuple[float, float]:
    """(games, actions) a second, deals left out."""
    played, actions, seconds = 0, 0, 0.0
    while seconds < SECONDS:
        count, took = next(games)
        played, actions, seconds = played + 1, actions + count, seconds + took
    return played / seconds, actions / seconds


def measure() -> dict[str, tuple[float, float]]:
    """Medians of alternating rounds: name -> (games/s, actions/s)."""
    runs: dict[str, Callable[[], Iterator[tuple[int, float]]]] = {UNO: uno}
    for game, rules in GAMES.items():
        games = recorded(rules, 200)
        runs[f"{title(game)}, apply"] = partial(replay, rules, games, views=False)
        runs[f"{title(game)}, apply and a view"] = partial(replay, rules, games, views=True)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    going = {name: run() for name, run in runs.items()}
    for _ in range(ROUNDS):
        for name, run in going.items():
            found[name].append(rate(run))
    return {name: sorted(rates)[ROUNDS // 2] for name, rates in found.items()}
