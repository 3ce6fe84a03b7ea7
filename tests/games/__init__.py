"""What the suites need to know of each game to try all of them alike: a module per game, found by its name.

- ``case``     what a game's module holds
- ``dealing``  hands dealt anew, for those modules
- ``tables``   tables dealt anew
"""

from importlib import import_module
from typing import Final

import pytest

from engine.registry import GAMES
from tests.games.case import Case

CASES: Final[dict[str, Case]] = {game: import_module(f"tests.games.{game}").CASE for game in GAMES}
"""By the game's name."""
ANY: Final = min(CASES)
"""The game that is played where any will do: mark the test with ``pytest.mark.about(ANY)``."""
ONE_GAME: Final = pytest.mark.parametrize("game", [ANY])
"""For a test of real processes, which takes seconds, where the game makes no difference."""
