"""Play any of the games in a terminal, against computer players: the rules without Discord.

    .venv/bin/python examples/console.py diciassette
    .venv/bin/python examples/console.py twelve_days --players 4

Actions are numbered; type a number, or press Enter to let the computer decide for you. Ctrl-D ends the game.
"""

import argparse
import secrets
import sys
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that it runs from anywhere

from engine.fair import SEED_BYTES, SeededChance, commitment
from engine.game import Seat
from engine.registry import GAMES, AnyGame
from engine.text import namedtuple_texts, to_text

YOU = Seat(0)


def choose(game: AnyGame, state: Any, rng: Random) -> Any:
    """What you do on your turn: the number typed, or what the computer would do."""
    view = game.views.view(state, YOU)
    print("\n" + "\n".join(f"  {name:<12} {value}" for name, value in namedtuple_texts(view).items()))
    allowed = game.legal_actions(state, YOU)
    for number, action in enumerate(allowed, start=1):
        print(f"{number:>4}. {to_text(action)}")
    while (typed := input("> ").strip()) != "":
        if typed.isdecimal() and 1 <= int(typed) <= len(allowed):
            return allowed[int(typed) - 1]
        print(f"A number from 1 to {len(allowed)}, or Enter.")
    return game.decide(view, rng)


def play(game: AnyGame, players: int, seed: bytes) -> None:
    """One game, event by event, to the standings."""
    chance, rng = SeededChance(seed), Random(seed.hex())
    print(f"{game.name} with {players} players. You are seat 0. Hash of the seed: {commitment(seed)}")
    state, events = game.new(players, {}, chance)
    while True:
        for event in game.events_as_seen(events, YOU):
            print(f"- {to_text(event)}")
        seat = game.on_turn(state)
        if seat is None:
            break
        callers = [
            other
            for other in game.callers(state)
            if other not in (YOU, seat) and game.decide(game.views.view(state, other), rng) is not None
        ]
        if callers:
            action = game.call(callers)
        else:
            action = choose(game, state, rng) if seat == YOU else game.decide(game.views.view(state, seat), rng)
        state, events = game.apply(state, action, chance)
    for it in game.standings(state):
        print(f"{it.place}. seat {it.seat}: {to_text(it.score)}")
    print(f"Seed: {seed.hex()}")


def main() -> None:
    """Read the command line, and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=tuple(GAMES))
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", help=f"{2 * SEED_BYTES} hexadecimal digits; another one every time if left out")
    arguments = parser.parse_args()
    game = GAMES[arguments.game]
    if arguments.players not in game.seats:
        parser.error(f"{game.name} takes {game.seats[0]} to {game.seats[-1]} players")
    try:
        seed = bytes.fromhex(arguments.seed) if arguments.seed else secrets.token_bytes(SEED_BYTES)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        parser.error(f"--seed takes {2 * SEED_BYTES} hexadecimal digits")
    try:
        play(game, arguments.players, seed)
    except EOFError:
        print("\nThe game is ended.")


if __name__ == "__main__":
    main()
