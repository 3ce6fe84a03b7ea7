"""The presenters there are, found by the names of the games: ``bot.present.<game>.presenter.PRESENTER``."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from bot.present.presenter import Presenter
from engine.registry import GAMES


def _presenter(game: str) -> Presenter:
    found = import_module(f"bot.present.{game}.presenter").PRESENTER
    assert isinstance(found, Presenter) and found.game == game
    return found


PRESENTERS: Final[Mapping[str, Presenter]] = MappingProxyType({game: _presenter(game) for game in GAMES})
"""By the game's name, in the order in which players are offered them."""
