"""All games: every folder in ``engine/games`` with a module ``game`` that defines ``GAME``, and installed games.

A package installs a game by an entry point of the group ``diciassette.games``. The name of the entry point is the name
of the game. Its value is the folder with the modules ``game`` and ``presenter``:
https://packaging.python.org/en/latest/specifications/entry-points/
"""

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any, Final

from engine import games
from engine.game import MOST_LEVELS, Game

AnyGame = Game[Any, Any, Any, Any]
REQUIRED_SEATS: Final = (2, 3, 4)
"""The numbers of seats that every game must allow."""


ENTRY_POINT_GROUP: Final = "diciassette.games"


def _find_packages() -> dict[str, str]:
    """The Python package of every game, by name: folders in ``engine/games``, then installed games; ValueError if names
    clash.

    Raises:
        ValueError: an installed game has the name of another game, or its folder has another name.
    """
    found = {own.name: f"{games.__name__}.{own.name}" for own in iter_modules(games.__path__) if own.ispkg}
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP)):
        if point.name in found:
            raise ValueError(f"the package {point.value} adds a game {point.name!r}, and there is one already")
        if point.value.split(".")[-1] != point.name:
            raise ValueError(f"the package {point.value} adds a game {point.name!r}: its folder must be called like it")
        found[point.name] = point.value
    return found


def _import_game(name: str, package: str) -> AnyGame:
    """Import ``GAME`` from ``<package>.game``; TypeError if it is no game called *name*, ValueError if it has not 1 to
    6 levels or cannot be played by 2, 3 and 4.

    Raises:
        TypeError: its module ``game`` holds no game, or one with another name.
        ValueError: its computer players have no level, or more levels than a lobby can offer; or it cannot be played at
            the tables of the test suites.
    """
    found = import_module(f"{package}.game").GAME
    folder = package.replace(".", "/")
    if not isinstance(found, Game) or found.name != name:
        raise TypeError(f"{folder}/game.py must set GAME to a game with the name of its folder")
    levels = found.computers.LEVELS
    if not 1 <= levels <= MOST_LEVELS:
        wrong = f"LEVELS must be from 1 to {MOST_LEVELS}, not {levels}"
        raise ValueError(f"{folder}/computers.py: {wrong}")
    if not {*REQUIRED_SEATS} <= {*found.seats}:
        wrong = (
            f"seats must include {REQUIRED_SEATS[0]} to {REQUIRED_SEATS[-1]}, at which the test suites play every game"
        )
        raise ValueError(f"{folder}/game.py: {wrong}")
    return found


PACKAGES: Final[Mapping[str, str]] = MappingProxyType(_find_packages())
"""The name of each game -> the package of its rules."""
GAMES: Final[Mapping[str, AnyGame]] = MappingProxyType({name: _import_game(name, at) for name, at in PACKAGES.items()})
"""Name -> game, in the order in which players see them: by the names of the folders, installed games last."""
