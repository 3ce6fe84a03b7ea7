"""A picture of every player's chance to win, from the deal to the end."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PIL import Image

from bot.ui.pictures.canvas import GROUND, INK, PAPER, QUIET, Canvas
from bot.ui.pictures.text import largest_fitting_size, truncate_to_width

_WIDTH: Final = 600
"""In pixels; a phone shows little more than half of them."""
_CHART: Final = 300
_LEFT: Final = 80
_RIGHT: Final = 24
_TITLE: Final = 42
_TOP: Final = _TITLE + 44
"""The heights and margins of the chart, in pixels."""
_ROUNDS: Final = 34
"""The height of the numbers of the rounds below it, in pixels."""
_ROW: Final = 40
"""The height of a row of names, in pixels."""
_TEXT: Final = 25
_RULE: Final = "#4a5060"
_BAND: Final = "#2b2f3a"
_DISC: Final = 15
_NUMBER_DISTANCE: Final = 12
"""The least distance between the numbers above the chart, in pixels."""
COLOURS: Final = ("#f2b632", "#56b4e9", "#3fc796", "#e8875a", "#d991c2", "#f0e442", "#8fa4ff", "#c8ccd4")
"""The colours of the seats: colour-blind people can tell them apart too. Okabe and Ito,
https://jfly.uni-koeln.de/color/"""


def draw_chances_chart(
    courses: Sequence[Sequence[float]],
    names: Sequence[str],
    marks: Sequence[int],
    rounds: Sequence[int] = (),
    title: str = "",
    part: str = "",
) -> Image.Image:
    """Draw the chart of chances to win: a line for each of *names*, from 0 to 1, over the steps of a game (*courses*).

    *courses* hold everybody's chances after each step, begin with the deal and are two at least. Numbers from 1 on
    stand above the steps *marks*. The *title* stands above, and the names of the lines below. *rounds* are the steps
    after which a round begins: their numbers stand below the chart, after the word *part*.
    """
    columns = 2
    rows = (len(names) + columns - 1) // columns
    below = _TOP + _CHART + (_ROUNDS if rounds else 0) + 16
    height = below + rows * _ROW
    unit = 100 / height
    canvas = Canvas(_WIDTH * unit, height, 2, GROUND)
    last = len(courses) - 1
    step = (_WIDTH - _LEFT - _RIGHT) / last

    def point(number: int, chance: float) -> tuple[float, float]:
        return (_LEFT + number * step) * unit, (_TOP + _CHART * (1 - chance)) * unit

    for number, (begins, ends) in enumerate(pairwise([*rounds, last]), start=1):
        wide = (ends - begins) * step
        if number % 2:
            canvas.rectangle(point(begins, 1)[0], _TOP * unit, wide * unit, (_CHART + _ROUNDS) * unit, _BAND)
        if wide >= _TEXT * 0.6 * len(str(number)):
            middle = (_LEFT + begins * step + wide / 2) * unit
            canvas.text(middle, (_TOP + _CHART + _ROUNDS / 2 + 2) * unit, str(number), _TEXT * unit, QUIET)
    if rounds:
        small = largest_fitting_size(part, range(16, _TEXT + 1), _LEFT - 12)
        canvas.text(
            (_LEFT - 8) * unit, (_TOP + _CHART + _ROUNDS / 2 + 2) * unit, part, small * unit, QUIET, anchor="rm"
        )
    for percent in (0, 50, 100):
        canvas.line([point(0, percent / 100), point(last, percent / 100)], _RULE, unit)
        canvas.text((_LEFT - 8) * unit, point(0, percent / 100)[1], f"{percent}%", _TEXT * unit, QUIET, anchor="rm")
    tall = largest_fitting_size(title, range(20, _TEXT + 1), _WIDTH - 16)
    canvas.text(8 * unit, _TITLE / 2 * unit, title, tall * unit, PAPER, anchor="lm")
    at, above = [_LEFT + mark * step for mark in marks], _TITLE + _DISC + 3
    for number, (x, shown) in enumerate(zip(at, _spread_disc_positions(at), strict=True), start=1):
        canvas.line([(shown * unit, above * unit), (x * unit, _TOP * unit)], QUIET, unit)
        canvas.line([(x * unit, _TOP * unit), (x * unit, (_TOP + _CHART) * unit)], QUIET, unit)
        canvas.ellipse(shown * unit, above * unit, _DISC * unit, fill=PAPER)
        canvas.text(shown * unit, above * unit, str(number), _TEXT * unit, INK)
    for seat in range(len(names)):
        line = [point(number, chances[seat]) for number, chances in enumerate(courses)]
        canvas.long_line(line, COLOURS[seat % len(COLOURS)], 4 * unit)
    for seat, name in enumerate(names):
        x = _LEFT + seat % columns * (_WIDTH - _LEFT) / columns
        y = below + seat // columns * _ROW + _ROW / 2
        canvas.line([(x * unit, y * unit), ((x + 26) * unit, y * unit)], COLOURS[seat % len(COLOURS)], 6 * unit)
        shown_name = truncate_to_width(name, _TEXT, _WIDTH / columns - 80)
        canvas.text((x + 38) * unit, y * unit, shown_name, _TEXT * unit, PAPER, anchor="lm")
    return canvas.finish()


def _spread_disc_positions(places: Sequence[float]) -> list[float]:
    """The x positions of numbered discs: near to *places* (rising), but without touching, and inside the picture.

    >>> _spread_disc_positions([100, 110, 300]), _spread_disc_positions([570, 576])
    ([100, 142, 300], [537, 579])
    """
    gap, found = 2 * _DISC + _NUMBER_DISTANCE, list(places)
    for place in range(1, len(found)):
        found[place] = max(found[place], found[place - 1] + gap)
    edge: float = _WIDTH - _DISC - 6
    for place in reversed(range(len(found))):
        found[place] = min(found[place], edge)
        edge = found[place] - gap
    return found
