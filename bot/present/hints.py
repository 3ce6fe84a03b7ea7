"""What the coach says during a game, to somebody who plays against computers alone."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from bot.i18n import N_, Words
from bot.pictures.symbols import Symbol
from bot.present.registry import PRESENTERS
from bot.present.sheet import Sheet, box, capital, text
from engine.coaching import MATTERS
from engine.game import Option
from engine.percents import percent

COACH: Final = Symbol("coach", "🎓")
MOST: Final = 3
"""So many choices are told, and the best of every other kind of action."""
ALIKE: Final = 2
"""So many that make no difference are named, and one more if that is the last: then it says that there are others."""
HINTS_ON: Final = N_(
    "Hints are on: one person alone against computers may ask for them. They pause while somebody else plays. Such a"
    " game is not rated."
)
"""What the lobby says, and its menu."""
HINTS_OFFERED: Final = N_("Alone against computers you can have hints: press **{Menu}**.")
"""What the lobby says where they would be of use and are not on."""
HINTED: Final = N_(
    "This game has hints, so it is not rated. They are for one person alone and pause while somebody else plays."
)
"""What the menu says during such a game."""


def hint_sheet(game: str, options: Sequence[Option[Any]], insight: Any, words: Words) -> Sheet:
    """What somebody who plays *game* may do now: the first of *options*, which is the best, in bold, then the next
    ones and the best of every other kind, each with the chance to win that it leaves; what they should think of what
    they cannot see.

    *options*, of which there is one at least, and *insight* are what ``Game.advice`` and ``Game.insight`` say.
    """
    presenter = PRESENTERS[game]
    choices: dict[str, Option[Any]] = {}
    for it in options:
        choices.setdefault(presenter.board.done(it.action, words), it)
    lines, lost = [], options[0].chance == 0
    hopeless = options[0].chance < MATTERS
    if len(choices) == 1:
        lines.append(words("Your only option: {choice}.", choice=f"**{min(choices)}**"))
    elif not hopeless:
        lines += _best(choices, words)
    elif not lost:
        lines.append(words("Whatever you choose, your chance to win the game is less than 1%."))
    if lost:
        lines.append(words("You can no longer win this game."))
    if insight is not None and (said := presenter.board.insight(insight, words)):
        lines.append(f"-# {said}")
    if len(choices) > 1 and not hopeless:
        lines.append("-# " + words("As seen by a strong player who knows what you know."))
    return Sheet(box([text(f"{COACH.text} {lines[0]}", *lines[1:])], presenter.accent))


def _best(choices: Mapping[str, Option[Any]], words: Words) -> list[str]:
    """Which of *choices*, by what people read of each, are best, and the best of every kind of action, one line for
    those that leave the same chance."""
    kinds: dict[type, str] = {}
    for name, it in choices.items():
        kinds.setdefault(type(it.action), name)
    lines: list[str] = []
    for place, (chance, some) in enumerate(groupby(choices, key=lambda name: percent(choices[name].chance))):
        alike = list(some)
        told = (len(alike) if len(alike) <= ALIKE + 1 else ALIKE) if place < MOST else 0
        named = [name for number, name in enumerate(alike) if number < told or name in kinds.values()]
        if not named:
            continue
        choice = words.one_of(named)
        if told and len(named) < len(alike):  # whoever is not named would be taken for worse
            others = len(alike) - len(named)
            shown = ", ".join(named)
            choice = words.plural("{choices} or {n} other", "{choices} or {n} others", others, choices=shown)
        facts = {"choice": choice, "percent": chance}
        if lines:
            lines.append(capital(words("{choice}: {percent}%", **facts)))
        else:
            lines.append(capital(words("**{choice}**: {percent}% to win the game", **facts)))
    return lines
