"""Hints: what the coach says during a game to a person who plays against computers alone."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from bot.i18n import N_, Words
from bot.tables.computers import Hint
from bot.ui.components import Sheet, capitalize_sentence, container, text_display
from bot.ui.pictures.symbols import Symbol
from bot.ui.registry import PRESENTERS
from engine.decision import MIN_STAKE
from engine.game import RatedAction
from engine.percents import percent

COACH_SYMBOL: Final = Symbol("coach", "🎓")
MOST_NAMED: Final = 3
"""The most choices that a hint names, besides the best of every other kind of action."""
MOST_EQUAL_NAMED: Final = 2
"""The most choices with an equal chance that a hint names, and one more if that is the last. Then it says that there
are others."""
HINTS_ON: Final = N_(
    "Hints are on: one person alone against computers may ask for them. They pause while somebody else plays. Such a"
    " game is not rated."
)
"""The text about hints in the lobby where they are on."""
HINTS_ALONE: Final = N_("You can ask for hints, so this game is not rated.")
"""The text about hints in the lobby of a solo table."""
HINTS_OFFERED: Final = N_("Alone against computers you can have hints: press **{Options}**.")
"""The text about hints in the lobby where they would be of use and are off."""
GAME_HAS_HINTS: Final = N_(
    "This game has hints, so it is not rated. They are for one person alone and pause while somebody else plays."
)
"""The text in the menu of a game with hints."""


def hint_sheet(game: str, hint: Hint, words: Words) -> Sheet:
    """The message of a hint to a player: which choices are best, the chance to win after each, what follows from it.

    *hint* holds one option at least. The best one comes first, in bold; then the next ones and the best of every other
    kind of action. Below them: what certainly follows from them, and what the player should think about what they
    cannot see.
    """
    view, options, insight = hint
    presenter = PRESENTERS[game]
    choices: dict[str, RatedAction[Any]] = {}
    for it in options:
        choices.setdefault(presenter.board.action_text(it.action, words), it)
    lines, lost = [], options[0].chance == 0
    hopeless = options[0].chance < MIN_STAKE
    if len(choices) == 1 and options[0].action is None:
        lines.append(words("Do not call now."))
    elif len(choices) == 1:
        lines.append(words("Your only option: {choice}", choice=f"**{min(choices)}**"))
    elif not hopeless:
        named = _select_choices_to_name(choices)
        lines += _chance_lines(choices, named, words)
        told = (
            presenter.board.certain_consequence_sentence(choices[name].action, view, words)
            for alike in named
            for name in alike
        )
        lines += [f"-# {line}" for line in told if line]
    elif not lost:
        lines.append(words("Whatever you choose, your chance to win the game is less than 1%."))
    if lost:
        lines.append(words("You can no longer win this game."))
    if insight is not None and (said := presenter.board.insight_text(insight, words)):
        lines.append(f"-# {said}")
    if len(choices) > 1 and not hopeless:
        lines.append("-# " + words("As seen by a strong player who knows what you know."))
    return Sheet(container([text_display(f"{COACH_SYMBOL.text} {lines[0]}", *lines[1:])], presenter.accent))


def _select_choices_to_name(choices: Mapping[str, RatedAction[Any]]) -> list[list[str]]:
    """Select the choices (by text) that a hint names, in groups with an equal chance to win: the best ones and one of
    each kind; only the first if all are equal."""
    kinds: dict[type, str] = {}
    for name, it in choices.items():
        kinds.setdefault(type(it.action), name)
    groups = _equal_chance_groups(choices)
    if len(groups) == 1 and len(choices) > MOST_EQUAL_NAMED + 1:
        return [groups[0][:1]]
    found = []
    for place, alike in enumerate(groups):
        told = (len(alike) if len(alike) <= MOST_EQUAL_NAMED + 1 else MOST_EQUAL_NAMED) if place < MOST_NAMED else 0
        found.append([name for number, name in enumerate(alike) if number < told or name in kinds.values()])
    return [names for names in found if names]


def _equal_chance_groups(choices: Mapping[str, RatedAction[Any]]) -> list[list[str]]:
    """Return the texts of *choices* in groups: neighbours that leave the same chance to win, in whole percent, are one
    group."""
    return [list(some) for _, some in groupby(choices, key=lambda name: percent(choices[name].chance))]


def _chance_lines(
    choices: Mapping[str, RatedAction[Any]], named_groups: Sequence[Sequence[str]], words: Words
) -> list[str]:
    """Lines with the chance to win after each named choice; choices that leave the same chance share a line."""
    groups = {names[0]: names for names in _equal_chance_groups(choices)}
    if len(groups) == 1 and len(choices) > MOST_EQUAL_NAMED + 1:
        first, chance = named_groups[0][0], percent(choices[named_groups[0][0]].chance)
        said = words(
            "Every choice leaves about {percent}% to win the game; a little better: {choice}.",
            percent=chance,
            choice=f"**{first}**",
        )
        return [said]
    lines: list[str] = []
    for names in named_groups:
        choice, alike = words.list_or(names), groups.get(names[0], names)
        if len(names) < len(alike) and len(lines) < MOST_NAMED:  # players would think that those not named are worse
            others = len(alike) - len(names)
            choice = words.plural("{choices} or {n} other", "{choices} or {n} others", others, choices=", ".join(names))
        facts = {"choice": choice, "percent": percent(choices[names[0]].chance)}
        if lines:
            lines.append(capitalize_sentence(words("{choice}: {percent}%", **facts)))
        else:
            lines.append(capitalize_sentence(words("**{choice}**: {percent}% to win the game", **facts)))
    return lines
