"""Who can still win the game in its last hand, in a line."""

from bot.i18n import Words
from bot.present.games.twelve_days.results import DaysScene
from bot.present.sheet import bold


def race_line(scene: DaysScene, words: Words) -> str:
    """Who can still win the game, in its last hand; empty in earlier ones."""
    able = scene.view.contenders
    if not able:
        return ""
    names = words.all_of([bold(scene.name(seat)) for seat in able])
    if len(able) == scene.view.seats:
        line = words("Last hand: going by the gifts, everyone can still win.")
    elif len(able) == 1:
        line = words("Last hand: going by the gifts, only {name} can still win.", name=names)
    else:
        line = words("Last hand. Going by the gifts, these can still win: {names}.", names=names)
    shared = [bold(scene.name(seat)) for seat in able if seat not in scene.view.sole_contenders]
    at_best = [words("At best a shared win: {names}.", names=words.all_of(shared))] if shared else []
    return " ".join(["🔥 " + line, *at_best])
