"""The command line of the training: ``python -m engine.train GAME --seed 1 ...``; ``--help`` says what a game takes."""

import importlib
import sys
from typing import Final

from engine.registry import GAMES

TOURNAMENT: Final = "tournament"
"""Instead of a game: measures them all."""


def main(arguments: list[str]) -> None:
    """Run the training program of the game that *arguments* begin with, or the tournament, with the other arguments;
    exit with the usage otherwise."""
    if not arguments or arguments[0] not in {*GAMES, TOURNAMENT}:
        sys.exit(f"usage: python -m engine.train {{{','.join([*sorted(GAMES), TOURNAMENT])}}} ...")
    program = TOURNAMENT if arguments[0] == TOURNAMENT else f"{arguments[0]}.program"
    importlib.import_module(f"engine.train.{program}").main(arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
