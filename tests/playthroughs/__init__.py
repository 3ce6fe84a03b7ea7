"""Whole games as text, to be compared and read. A file is named after game, players and options.

- ``__main__``  ``make playthroughs``: deletes them, and writes those that the cases ask for
"""

from pathlib import Path

from tests.games.case import Options

FOLDER = Path(__file__).parent


def written(game: str, seats: int, options: Options) -> tuple[Path, str]:
    """(the file that holds a whole game, the seed it is played with)."""
    name = "-".join([game, str(seats), *options.values()])
    return FOLDER / f"{name}.txt", name
