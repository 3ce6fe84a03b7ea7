"""What the coach says during a game, to somebody who plays against computers alone."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from bot.i18n import N_, Words
from bot.pictures.symbols import Symbol
from bot.present.registry import PRESENTERS
from bot.present.sheet import Sheet, box, text
from engine.game import Option

COACH: Final = Symbol("coach", "🎓")
MOST: Final = 3
"""So many choices are told."""
ALIKE: Final = 2
"""So many that make no difference are told as one."""
HINTS_ON: Final = N_("Hints are on: one person alone against computers may ask for them. Such a game is not rated.")
"""What the lobby says, and its menu."""


def hint_sheet(game: str, options: Sequence[Option[Any]], insight: Any, words: Words) -> Sheet:
    """What somebody who plays *game* may do now: the first of *options*, which is the best, in bold, then the next
    ones, each with the chance to win that it leaves; what they should think of what they cannot see.

    *options*, of which there is one at least, and *insight* are what ``Game.advice`` and ``Game.insight`` say.
    """
    presenter = PRESENTERS[game]
    board = presenter.board
    alike = [(percent(chance), list(some)) for chance, some in groupby(options, key=lambda it: it.chance)]
    told = [
        (" / ".join(dict.fromkeys(board.done(it.action, words) for it in some[:ALIKE])), chance)
        for chance, some in alike[:MOST]
    ]
    (choice, chance), *others = told
    lines = [f"{COACH.text} " + words("**{choice}**: {percent}% to win", choice=choice, percent=chance)]
    lines += [words("{choice}: {percent}%", choice=choice, percent=chance) for choice, chance in others]
    if insight is not None and (said := board.insight(insight, words)):
        lines.append(f"-# {said}")
    lines.append("-# " + words("As seen by a strong player who knows what you know."))
    return Sheet(box([text(*lines)], presenter.accent))


def percent(chance: float) -> int:
    """A *chance*, 0 to 1, in percent: one that is not certain is never shown as if it were.

    >>> [percent(chance) for chance in (0, 0.001, 0.444, 0.999, 1)]
    [0, 1, 44, 99, 100]
    """
    return round(100 * chance) if chance in (0, 1) else min(99, max(1, round(100 * chance)))
