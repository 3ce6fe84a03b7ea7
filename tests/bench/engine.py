"""Random games of 17 with four players: ``apply`` alone, and with a view for every action, next to RLCard's UNO."""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from engine.fair import Fair
from engine.game import Seat
from engine.registry import GAMES

ROUNDS = 5
SECONDS = 2.0
PLAYERS = 4


def recorded(games: int) -> list[tuple[Fair, list[Any]]]:
    """Random games as their actions, so that choosing them is not measured."""
    rules = GAMES["diciassette"]
    found = []
    for number in range(games):
        chance, rng = Fair(number.to_bytes(32, "big")), random.Random(number)
        state, actions = rules.new(PLAYERS, {}, chance).state, []
        while (turn := rules.on_turn(state)) is not None:
            action = rng.choice(rules.legal_actions(state, turn))
            actions.append(action)
            state = rules.apply(state, action, chance).state
        found.append((chance, actions))
    return found


def replay(games: list[tuple[Fair, list[Any]]], *, views: bool) -> Iterator[tuple[int, float]]:
    """Play the recorded games for ever: the number of actions of each, and the seconds they took without the deal."""
    rules = GAMES["diciassette"]
    while True:
        for chance, actions in games:
            state = rules.new(PLAYERS, {}, chance).state
            started = time.perf_counter()
            for action in actions:
                state = rules.apply(state, action, chance).state
                if views:
                    turn = rules.on_turn(state)
                    rules.view(state, Seat(0) if turn is None else turn)
            yield len(actions), time.perf_counter() - started


def uno() -> Iterator[tuple[int, float]]:
    """RLCard's UNO, uniformly random; ``env.step`` gives the next player's view. The same figures."""
    import rlcard  # only for the bench

    env = rlcard.make("uno", config={"seed": 1})
    rng = random.Random(1)
    while True:
        state, _ = env.reset()
        steps, started = 0, time.perf_counter()
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            steps += 1
        yield steps, time.perf_counter() - started


def rate(games: Iterator[tuple[int, float]]) -> tuple[float, float]:
    """(games, actions) a second, deals left out."""
    played, actions, seconds = 0, 0, 0.0
    while seconds < SECONDS:
        count, took = next(games)
        played, actions, seconds = played + 1, actions + count, seconds + took
    return played / seconds, actions / seconds


def measure() -> dict[str, tuple[float, float]]:
    """Medians of alternating rounds: name -> (games/s, actions/s)."""
    games = recorded(200)
    runs: dict[str, Callable[[], Iterator[tuple[int, float]]]] = {
        "RLCard UNO, env.step": uno,
        "17, apply": lambda: replay(games, views=False),
        "17, apply and a view": lambda: replay(games, views=True),
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    going = {name: run() for name, run in runs.items()}
    for _ in range(ROUNDS):
        for name, run in going.items():
            found[name].append(rate(run))
    return {name: sorted(rates)[ROUNDS // 2] for name, rates in found.items()}
