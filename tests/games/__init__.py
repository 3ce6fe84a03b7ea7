"""What the suites need to know of each game to try all of them alike; a game joins by its module here.

``case`` says what that is; ``CASES`` holds it by the game's name.
"""

from importlib import import_module
from typing import Final

from engine.registry import GAMES
from tests.games.case import Case

CASES: Final[dict[str, Case]] = {game: import_module(f"tests.games.{game}").CASE for game in GAMES}
