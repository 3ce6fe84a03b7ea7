"""A guided round: a few steps, each with a picture and buttons that lead on. Nothing is kept: the buttons know where
they lead."""

from bot.custom_ids import Verb
from bot.i18n import Words
from bot.present.presenter import FIRST_STEP, Presenter
from bot.present.rules import NO_TABLE
from bot.present.sheet import Sheet, box, button, gallery, row, text


def lesson_sheet(presenter: Presenter, key: str, words: Words) -> Sheet:
    """The step *key* of the game's lesson (unknown: the first)."""
    step = presenter.lesson.get(key) or presenter.lesson[FIRST_STEP]
    shown = step.picture(words) if step.picture is not None else None
    controls = [
        button(words(choice.label), Verb.LEARN, NO_TABLE, arg=f"{presenter.game}.{choice.to}", style=choice.style)
        for choice in step.choices
    ]
    return Sheet(
        box(
            [
                text(f"## {words(step.title)}", words(step.body)),
                *([gallery(shown)] if shown else []),
                *([row(*controls)] if controls else []),
            ],
            presenter.accent,
        ),
        pictures=[shown] if shown else (),
    )
