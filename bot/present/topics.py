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
        "Nobody chooses the cards, not even whoever hosts the bot:\n"
        "• The *{Shuffle code}* is at the table before anyone cuts. It fixes a secret number without showing it.\n"
        "• Anyone at the table can press **{Menu}**, then **{Cut the deck}**, and add a word of their own.\n"
        "• After **{Start}** a line above the table, the *{Deal code}*, fixes players, options and cuts.\n"
        "• Last of all, Discord picks the ID of the table message. The cards follow from all of this together.\n"
        "If you want to be sure:\n"
        "1. Before you cut, note the shuffle code.\n"
        "2. After the start, note the deal code and the ID of the table message.\n"
        "3. After the game, **{Check the deal}** recomputes everything; compare, and keep the file that it gives you: "
        "any other program can check it too."
    ),
)
