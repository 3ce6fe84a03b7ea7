"""The presenters there are. A new game is one more line here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.present.diciassette.presenter import DiciassettePresenter
from bot.present.presenter import Presenter

PRESENTERS: Final[Mapping[str, Presenter]] = MappingProxyType(
    {presenter.game: presenter for presenter in (DiciassettePresenter(),)}
)
"""By the game's name."""
