"""The games there are. A new game is one more line here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.diciassette.game import Diciassette
from engine.game import Game

AnyGame = Game[Any, Any, Any, Any]

GAMES: Final[Mapping[str, AnyGame]] = MappingProxyType({game.name: game for game in (Diciassette(),)})
"""Name -> rules, in the order in which players are offered them."""
