"""The games there are. A new game is one more line here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.diciassette.game import Diciassette
from engine.game import Game
from engine.twelve_days.game import TwelveDays

AnyGame = Game[Any, Any, Any, Any]

GAMES: Final[Mapping[str, AnyGame]] = MappingProxyType({game.name: game for game in (Diciassette(), TwelveDays())})
"""Name -> rules, in the order in which players are offered them."""
