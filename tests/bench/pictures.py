"""What it takes to draw: the symbols once a process, and the largest picture of every kind, next to a blank one."""

import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from PIL import Image

from bot.ui.pictures import ratings
from bot.ui.pictures.canvas import GROUND, png_bytes
from bot.ui.pictures.drawings import COLOURS, Picture, make_lazy_picture
from bot.ui.pictures.text import largest_fitting_size, truncate_to_width
from bot.ui.registry import PRESENTERS
from tests.bot.sheets import sheets

ROUNDS: Final = 9
MOST: Final = 6
"""So many times as long as a blank picture of its size a picture may take."""


class Drawn(NamedTuple):
    """One picture."""

    name: str
    milliseconds: float
    """Median, of processor time; symbols drawn already, names not."""
    kilobytes: float
    blank_ms: float
    """The same for a blank picture of the same size, written in the same way."""

    @property
    def times_blank(self) -> float:
        """How many times as long as the blank one it takes."""
        return self.milliseconds / self.blank_ms


def symbols() -> tuple[int, float]:
    """(how many, ms for all)."""
    drawings = [draw for presenter in PRESENTERS.values() for draw in presenter.drawings.values()]
    started = time.perf_counter()
    for draw in drawings:
        png_bytes(draw())
    return len(drawings), (time.perf_counter() - started) * 1000


def _pictures() -> Iterator[Picture]:
    """Every picture that goes with a message at its longest."""
    for game in PRESENTERS:
        for sheet in sheets(game, "en"):
            yield from sheet.pictures
    points = [1500 + number * 37 % 400 for number in range(50)]
    yield make_lazy_picture("ratings", points, lambda: ratings.draw_ratings_chart(points), "")


def _taken(draw: Callable[[], Image.Image]) -> tuple[float, int]:
    """(ms, bytes of the file) of drawing and writing it."""
    truncate_to_width.cache_clear()
    largest_fitting_size.cache_clear()
    started = time.process_time()
    file = png_bytes(draw(), COLOURS)
    return (time.process_time() - started) * 1000, len(file)


def _measured(it: Picture) -> Drawn:
    """*it* and a blank picture, drawn in turn."""
    first = it.draw()
    times, blanks, size = [], [], 0
    for _ in range(ROUNDS):
        took, size = _taken(it.draw)
        times.append(took)
        blanks.append(_taken(lambda: Image.new(first.mode, first.size, GROUND))[0])
    middle = ROUNDS // 2
    return Drawn(it.name.partition("_")[0], sorted(times)[middle], size / 1000, sorted(blanks)[middle])


def slowest() -> list[Drawn]:
    """Of every kind of picture the one that takes longest."""
    kinds: dict[str, Drawn] = {}
    for it in {it.name: it for it in _pictures()}.values():
        drawn = _measured(it)
        if drawn.name not in kinds or drawn.milliseconds > kinds[drawn.name].milliseconds:
            kinds[drawn.name] = drawn
    return sorted(kinds.values(), key=lambda drawn: -drawn.milliseconds)
