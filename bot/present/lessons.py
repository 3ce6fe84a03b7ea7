"""A guided round: a few steps, each with a picture and buttons that lead to other steps.

Nothing is stored: the custom_id of a button holds the step it leads to.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from discord import ButtonStyle

from bot.custom_ids import Verb
from bot.i18n import Words
from bot.pictures.picture import Picture
from bot.present.sheet import NO_TABLE, Sheet, box, button, gallery, row, text

FIRST_STEP: Final = "start"
"""The key of the step with which a lesson begins."""


class Onward(NamedTuple):
    """A button that leads to another step."""

    label: str
    """In English, to be translated."""
    to: str
    """The key of the step it leads to."""
    style: ButtonStyle = ButtonStyle.secondary


class ToRules(NamedTuple):
    """A button that leads to a page of the rules."""

    label: str
    """In English, to be translated."""
    page: str
    """The key of the page."""
    style: ButtonStyle = ButtonStyle.primary


class LessonStep(NamedTuple):
    """A step of a guided round: what the learner reads, and the buttons."""

    title: str
    """In English, to be translated."""
    body: str
    """Markdown in English, to be translated."""
    buttons: tuple[Onward | ToRules, ...]
    picture: Callable[[Words], Picture] | None = None


def lesson_sheet(game: str, lesson: Mapping[str, LessonStep], key: str, accent: int, words: Words) -> Sheet:
    """The message for the step *key* of *game*'s *lesson* (unknown: the first), in a frame of the colour *accent*."""
    step = lesson.get(key) or lesson[FIRST_STEP]
    shown = step.picture(words) if step.picture is not None else None
    controls = [
        button(words(it.label), Verb.LEARN, NO_TABLE, arg=f"{game}.{it.to}", style=it.style)
        if isinstance(it, Onward)
        else button(words(it.label), Verb.TOPIC, NO_TABLE, arg=f"{game}.{it.page}", style=it.style)
        for it in step.buttons
    ]
    return Sheet(
        box(
            [
                text(f"## {words(step.title)}", words(step.body)),
                *([gallery(shown)] if shown else []),
                *([row(*controls)] if controls else []),
            ],
            accent,
        ),
        pictures=[shown] if shown else (),
    )
