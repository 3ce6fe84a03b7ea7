"""What it takes to draw: the symbols once a process, and the largest picture of every game."""

import time
from typing import NamedTuple

from bot.pictures.canvas import png
from bot.pictures.picture import COLOURS, Picture
from bot.present.registry import PRESENTERS
from tests.bot.sheets import sheets

ROUNDS = 5


class Drawn(NamedTuple):
    """One picture."""

    name: str
    milliseconds: float
    """Median; symbols drawn already."""
    kilobytes: float


def symbols() -> tuple[int, float]:
    """(how many, ms for all)."""
    drawings = [draw for presenter in PRESENTERS.values() for draw in presenter.drawings.values()]
    started = time.perf_counter()
    for draw in drawings:
        png(draw())
    return len(drawings), (time.perf_counter() - started) * 1000


def slowest() -> list[Drawn]:
    """Of every kind of picture the one that takes longest."""
    found: dict[str, Picture] = {
        it.name: it for game in PRESENTERS for sheet in sheets(game, "en") for it in sheet.pictures
    }
    kinds: dict[str, Drawn] = {}
    for it in found.values():
        times = []
        for _ in range(ROUNDS):
            started = time.perf_counter()
            file = png(it.draw(), COLOURS)
            times.append((time.perf_counter() - started) * 1000)
        drawn = Drawn(it.name.partition("_")[0], sorted(times)[ROUNDS // 2], len(file) / 1000)
        if drawn.milliseconds > kinds.get(drawn.name, drawn._replace(milliseconds=0)).milliseconds:
            kinds[drawn.name] = drawn
    return sorted(kinds.values(), key=lambda drawn: -drawn.milliseconds)
