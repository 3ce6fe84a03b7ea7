"""Whole games as text, to be compared and read. A file is named after game, players and options; one more per game
holds what computer players did in some games of every size, a game a line.

- ``__main__``  ``make playthroughs``: deletes them, and writes those that the cases ask for
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from engine.fair import SeededChance
from engine.policies import COMPUTER, RANDOM, find_policy, policy_names
from engine.simulate import SimulatedGame, game_seed
from engine.text import to_text
from tests.games.case import Case, Options

FOLDER = Path(__file__).parent


def written(game: str, seats: int, options: Options) -> tuple[Path, str]:
    """(the file that holds a whole game, the seed it is played with)."""
    name = "-".join([game, str(seats), *options.values()])
    return FOLDER / f"{name}.txt", name


def of_computers(game: str) -> Path:
    """The file with the games of computer players."""
    return FOLDER / f"{game}-computers.txt"


def computers(case: Case, seats: int) -> Iterator[str]:
    """Three games of *seats* computer players of the strongest level, and, where there are as few as can be, one of
    each other level, a line each."""
    rules = case.rules
    for number in range(3):
        yield f"{seats} players: {_moves(case, seats, COMPUTER, number)}"
    if seats == rules.seats[0]:
        for name in sorted(set(policy_names(rules)) - {RANDOM, COMPUTER}):
            yield f"{seats} players, {name}: {_moves(case, seats, name, 0)}"


def _moves(case: Case, seats: int, name: str, number: int) -> str:
    """The moves of game *number* in which everybody plays by the policy *name*."""
    rules = case.rules
    chance, rng = SeededChance(game_seed("computers", number)), Random(f"computers/{number}")
    match, moves = SimulatedGame(rules, [find_policy(rules, name)] * seats, case.quick, chance, rng), []
    while not match.over:
        action = match.next_action()
        match.apply(action)
        moves.append(to_text(action))
    return "; ".join(moves)
