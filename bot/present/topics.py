"""Pages of the rules: what one is, and those that every game shares."""

from collections.abc import Callable
from typing import Final, NamedTuple

from bot.i18n import N_, Words
from bot.pictures.picture import Picture


class Topic(NamedTuple):
    """A page of the rules. ``picture`` makes its picture in a language, if it has one."""

    key: str
    title: str
    """In English, to be translated."""
    body: str
    """Markdown in English, to be translated."""
    picture: Callable[[Words], Picture] | None = None


FAIR: Final = Topic(
    "fair",
    N_("Fair shuffling"),
    N_(
        "Every shuffle follows from one secret seed. Its SHA-256 stands under the table before the first card is "
        "dealt; the seed itself is shown after the game. So anybody can recompute every deal and see that nothing "
        "was changed."
    ),
)
