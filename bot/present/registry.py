"""All presenters, by the names of the games: ``bot.present.games.<game>.presenter.PRESENTER``."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from bot.present.presenter import AnyPresenter, Presenter
from engine.registry import GAMES


def _presenter(game: str) -> AnyPresenter:
    """Import the presenter of *game*.

    Raises:
        TypeError: its module ``presenter`` holds none, or one whose ``Board`` is in another folder.
    """
    found = import_module(f"bot.present.games.{game}.presenter").PRESENTER
    if not isinstance(found, Presenter) or found.game != game:
        raise TypeError(f"bot/present/games/{game}/presenter.py must set PRESENTER, with the Board beside it")
    return found


PRESENTERS: Final[Mapping[str, AnyPresenter]] = MappingProxyType({game: _presenter(game) for game in GAMES})
"""By the game's name, in the order in which players are offered them."""
