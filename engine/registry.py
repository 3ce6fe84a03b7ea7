"""All games: every folder in ``engine/games`` with a module ``game`` that defines ``GAME``."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any, Final

from engine import games
from engine.game import MOST_LEVELS, Game

AnyGame = Game[Any, Any, Any, Any]
REQUIRED_SEATS: Final = (2, 3, 4)
"""The numbers of seats that every game must allow."""


def _import_game(name: str) -> AnyGame:
    """Import the game in the folder *name* and check it.

    Raises:
        TypeError: its module ``game`` holds no game, or one with another name.
        ValueError: its computer players have no level, or more levels than a lobby can offer; or it cannot be played at
            the tables of the test suites.
    """
    found = import_module(f"{games.__name__}.{name}.game").GAME
    if not isinstance(found, Game) or found.name != name:
        raise TypeError(f"engine/games/{name}/game.py must set GAME to a game with the name of its folder")
    levels = found.computers.LEVELS
    if not 1 <= levels <= MOST_LEVELS:
        wrong = f"LEVELS must be from 1 to {MOST_LEVELS}, not {levels}"
        raise ValueError(f"engine/games/{name}/computers.py: {wrong}")
    if not {*REQUIRED_SEATS} <= {*found.seats}:
        wrong = (
            f"seats must include {REQUIRED_SEATS[0]} to {REQUIRED_SEATS[-1]}, at which the test suites play every game"
        )
        raise ValueError(f"engine/games/{name}/game.py: {wrong}")
    return found


GAMES: Final[Mapping[str, AnyGame]] = MappingProxyType(
    {found.name: _import_game(found.name) for found in iter_modules(games.__path__) if found.ispkg}
)
"""Name -> game, in the order in which players see them: by the names of the folders."""
