"""The command line of the training: ``python -m engine.train GAME --seed 1 ...``; ``--help`` says what a game takes."""

import importlib
import sys

from engine.registry import GAMES


def main(arguments: list[str]) -> None:
    """Hand *arguments* to the training program of the game that they begin with."""
    if not arguments or arguments[0] not in GAMES:
        sys.exit(f"usage: python -m engine.train {{{','.join(sorted(GAMES))}}} ...")
    importlib.import_module(f"engine.train.{arguments[0]}").main(arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
