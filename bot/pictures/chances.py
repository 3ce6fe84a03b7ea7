"""A picture of how everybody's chance to win has gone, from the deal to the end."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from bot.pictures.canvas import GROUND, INK, PAPER, QUIET, Canvas, fitting

_WIDTH: Final = 600
"""In pixels; a phone shows little more than half of them."""
_CHART: Final = 300
_LEFT: Final = 80
_RIGHT: Final = 24
_TOP: Final = 52
"""The heights and margins of the chart, in pixels."""
_ROW: Final = 40
"""The height of a row of names, in pixels."""
_TEXT: Final = 25
_RULE: Final = "#4a5060"
_DISC: Final = 15
COLOURS: Final = ("#f2b632", "#56b4e9", "#3fc796", "#e8875a", "#d991c2", "#f0e442", "#8fa4ff", "#c8ccd4")
"""Of the seats: people who see few colours can tell them apart too.
Okabe and Ito, https://jfly.uni-koeln.de/color/"""


def draw(courses: Sequence[Sequence[float]], names: Sequence[str], marks: Sequence[int]) -> Image.Image:
    """Draw a line for each of *names*: their chance to win, 0 to 1, in each of *courses*, the deal first (two at
    least); numbers from 1 on stand above the places *marks* in it. Below it is said whose line it is."""
    columns = 2
    rows = (len(names) + columns - 1) // columns
    height = _TOP + _CHART + 16 + rows * _ROW
    unit = 100 / height
    canvas = Canvas(_WIDTH * unit, height, 2, GROUND)
    step = (_WIDTH - _LEFT - _RIGHT) / (len(courses) - 1)

    def point(number: int, chance: float) -> tuple[float, float]:
        return (_LEFT + number * step) * unit, (_TOP + _CHART * (1 - chance)) * unit

    for percent in (0, 50, 100):
        canvas.line([point(0, percent / 100), point(len(courses) - 1, percent / 100)], _RULE, unit)
        canvas.text((_LEFT - 8) * unit, point(0, percent / 100)[1], f"{percent}%", _TEXT * unit, QUIET, anchor="rm")
    beside = 0.0
    for number, mark in enumerate(marks, start=1):
        x, _ = point(mark, 0)
        canvas.line([(x, _TOP * unit), (x, (_TOP + _CHART) * unit)], QUIET, unit)
        x = beside = max(x, beside + (2 * _DISC + 2) * unit)
        canvas.disc(x, _TOP / 2 * unit, _DISC * unit, fill=PAPER)
        canvas.text(x, _TOP / 2 * unit, str(number), _TEXT * unit, INK)
    for seat in range(len(names)):
        line = [point(number, chances[seat]) for number, chances in enumerate(courses)]
        canvas.path(line, COLOURS[seat % len(COLOURS)], 4 * unit)
    for seat, name in enumerate(names):
        x = _LEFT + seat % columns * (_WIDTH - _LEFT) / columns
        y = _TOP + _CHART + 16 + seat // columns * _ROW + _ROW / 2
        canvas.line([(x * unit, y * unit), ((x + 26) * unit, y * unit)], COLOURS[seat % len(COLOURS)], 6 * unit)
        shown = fitting(name, _TEXT, _WIDTH / columns - 80)
        canvas.text((x + 38) * unit, y * unit, shown, _TEXT * unit, PAPER, anchor="lm")
    return canvas.finish()
