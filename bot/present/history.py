"""What has happened in the round or trick that is being played, for one person to read."""

from typing import Final

from bot.custom_ids import Verb
from bot.i18n import Words
from bot.present.menu import BACK
from bot.present.players import handover_line
from bot.present.presenter import AnyPresenter
from bot.present.registry import PRESENTERS
from bot.present.sheet import Sheet, box, button, row, text
from bot.tables.history import Done, Past
from bot.tables.model import Handover
from bot.tables.scene import AnyScene
from engine.game import Seat

MOST_LINES: Final = 12
"""So many of the newest lines are shown: that is one screen of a phone."""


def history_sheet(scene: AnyScene, past: Past, words: Words) -> Sheet:
    """What has happened in *scene*, which must be the public's: the newest last, the oldest summed up.

    It does not follow the game: a button shows it anew.
    """
    presenter = PRESENTERS[scene.game]
    lines = [line for it in past.happened if (line := _line(it, scene, presenter, words))]
    older, shown = lines[:-MOST_LINES], lines[-MOST_LINES:]
    head = [f"### {words(presenter.past)}"]
    if not past.whole:
        head.append("-# " + words("What happened before that is not known any more."))
    if older:
        head.append("-# " + words.plural("Before that: {n} more move", "Before that: {n} more moves", len(older)))
    if not lines:
        shown = [words("Nothing has happened yet."), *filter(None, [presenter.board.last_round(scene, words)])]
    again = button(words("Look again"), Verb.HAPPENED, scene.table)
    menu = button(words("Menu"), Verb.MENU, scene.table, arg=BACK)
    return Sheet(box([text(*head, *shown), row(again, menu)], presenter.accent))


def _line(it: Done | Handover, scene: AnyScene, presenter: AnyPresenter, words: Words) -> str:
    """What *it* was, in one line; empty: nothing that is told."""
    if isinstance(it, Handover):
        return "🔁 " + handover_line(it, words)
    line = presenter.board.retold(it.told, _then(scene, it.ply), words)
    return f"⏰ {line}" if line and it.by_clock else line


def _then(scene: AnyScene, ply: int) -> AnyScene:
    """*scene* with the people called as those who sat there when the action number *ply* was made."""
    names = [scene.name_then(Seat(seat), ply) for seat in range(len(scene.people))]
    people = [person._replace(name=name) for person, name in zip(scene.people, names, strict=True)]
    return scene._replace(people=tuple(people))
