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
    """Markdown in English, to be translated. The names of the game's drawings are placeholders for their symbols:
    ``{victory}``."""
    picture: Callable[[Words], Picture] | None = None


AWAY: Final = Topic(
    "away",
    N_("If you are away"),
    N_(
        "If your time runs out, a computer player plays that turn; the second time in a row it takes over your seat. "
        "You can take it back as long as the game runs.\n"
        "You can also leave. Then a computer player takes over at once, with your cards and what you have won; this "
        "seat too you can take back.\n"
        "If everyone leaves, the game ends and nobody wins. If everyone is just away, it pauses until someone "
        "presses **{Continue}**."
    ),
)

FAIR: Final = Topic(
    "fair",
    N_("Fair shuffling"),
    N_(
        "When a game starts, the bot picks a secret random number that decides every shuffle. Its fingerprint, the "
        "*shuffle code* (SHA-256), is shown at the bottom of the table from the first moment; after the game the "
        "*secret shuffle number* itself is shown. Anyone can then recompute every deal and see that nothing was "
        "changed."
    ),
)
