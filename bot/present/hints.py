"""What the coach says during a game, to somebody who plays against computers alone."""

from typing import Final

from bot.i18n import Words
from bot.pictures.symbols import Symbol
from bot.present.registry import PRESENTERS
from bot.present.sheet import Sheet, box, text
from bot.tables.hints import Hint

COACH: Final = Symbol("coach", "🎓")
MOST: Final = 3
"""So many choices are told."""


def hint_sheet(game: str, hint: Hint, words: Words) -> Sheet:
    """What somebody who plays *game* may do now, by *hint*: the best in bold, then the next ones, each with the chance
    to win that it leaves; what they should think of what they cannot see."""
    presenter = PRESENTERS[game]
    board = presenter.board
    told = [(board.done(it.action, words), percent(it.chance)) for it in hint.options[:MOST]]
    (choice, chance), *others = told
    lines = [f"{COACH.text} " + words("**{choice}**: {percent}% to win", choice=choice, percent=chance)]
    lines += [words("{choice}: {percent}%", choice=choice, percent=chance) for choice, chance in others]
    if hint.insight is not None and (said := board.insight(hint.insight, words)):
        lines.append(f"-# {said}")
    lines.append("-# " + words("As a strong player sees it who knows what you know."))
    return Sheet(box([text(*lines)], presenter.accent))


def percent(chance: float) -> int:
    """A *chance*, 0 to 1, in percent: one that is not certain is never shown as if it were.

    >>> [percent(chance) for chance in (0, 0.001, 0.444, 0.999, 1)]
    [0, 1, 44, 99, 100]
    """
    return round(100 * chance) if chance in (0, 1) else min(99, max(1, round(100 * chance)))
