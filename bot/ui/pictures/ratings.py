"""A picture of how a rating has changed, from the first of its last games to the newest."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from bot.ui.pictures.canvas import GOLD, GROUND, QUIET, Canvas

_HIGH: Final = 240
_WIDTH: Final = 250
"""In hundredths of the height, as everything here: 600 pixels."""
_TOP: Final = 18
_BOTTOM: Final = 84
_LEFT: Final = 8
_RIGHT: Final = 206
_LETTERS: Final = 15
_APART: Final = 14
"""The least distance between numbers beside the line; if they are nearer only one is written."""
_RULE: Final = "#3b4150"
FEWEST_RATINGS: Final = 3
"""The fewest ratings that are drawn as a picture."""


def draw_ratings_chart(points: Sequence[int]) -> Image.Image:
    """Draw a person's ratings (*points*, oldest first) as a line chart with the highest, lowest and newest number.

    There are ``FEWEST_RATINGS`` at least. The highest and the lowest number stand at their heights, and the newest at
    the end of the line.
    """
    low, high = min(points), max(points)
    canvas = Canvas(_WIDTH, _HIGH, 2, GROUND)

    def height(value: int) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return _BOTTOM - share * (_BOTTOM - _TOP)

    width = (_RIGHT - _LEFT) / (len(points) - 1)
    line = [(_LEFT + number * width, height(value)) for number, value in enumerate(points)]
    for value in {low, high}:
        canvas.line([(_LEFT, height(value)), (_RIGHT, height(value))], _RULE, 0.8)
    canvas.line(line, GOLD, 2.4)
    canvas.ellipse(*line[-1], 3.6, fill=GOLD)
    newest = points[-1]
    for value in sorted({low, high}):
        if value != newest and abs(height(value) - line[-1][1]) >= _APART:
            canvas.text(_RIGHT + 6, height(value), str(value), _LETTERS, QUIET, anchor="lm")
    canvas.text(_RIGHT + 6, line[-1][1], str(newest), _LETTERS, GOLD, anchor="lm")
    return canvas.finish()
