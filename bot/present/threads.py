"""What stands above the thread of a table."""

from bot.i18n import words
from bot.present.registry import PRESENTERS
from bot.present.sheet import Sheet, bold, plain, text

LONGEST_NAME = 100
"""Characters of a thread's name. https://discord.com/developers/docs/resources/channel#start-thread-from-message"""


def opened_sheet(game: str, host: str, locale: str) -> Sheet:
    """The message in the channel below which the thread of a table of *game* begins; *host* has opened it."""
    t = words(locale)
    return Sheet(
        text(t("🃏 {name} has opened a **{game}** table in this thread.", name=bold(host), game=_title(game, locale)))
    )


def thread_name(game: str, host: str, locale: str) -> str:
    """What the thread is called."""
    return f"{_title(game, locale)} · {plain(host)}"[:LONGEST_NAME]


def _title(game: str, locale: str) -> str:
    return words(locale)(PRESENTERS[game].title)
