"""The drawings of the twelve ranks and the gifts of 12 Days: a large number above a picture for each rank."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PIL import Image

from bot.ui.pictures.canvas import GOLD, INK, PAPER, Canvas
from bot.ui.pictures.drawings import Drawings

_PAPER: Final = "#f7f3e8"
_HUES: Final = (
    "#4c8c2b", "#5f7fa8", "#b5482a", "#2b63b0", "#a87400", "#7a6a4f",
    "#3f7f8c", "#4664a0", "#a8327a", "#6a3fa0", "#8c4a1f", "#b01f2e",
)  # fmt: skip


def _draw_bird(c: Canvas, hue: str, x: float, y: float, size: float, *, comb: bool = False, neck: float = 0) -> None:
    """Draw the picture of a bird that looks to the right; with *neck* of a swan or a goose."""
    c.ellipse(x, y, 15 * size, 9 * size, fill=hue)
    c.polygon([(x - 13 * size, y), (x - 24 * size, y - 9 * size), (x - 16 * size, y + 5 * size)], hue)
    top = y - (8 + neck) * size
    if neck:
        c.line([(x + 10 * size, y), (x + 12 * size, top)], hue, 6 * size)
    c.ellipse(x + 13 * size, top, 6 * size, fill=hue)
    c.polygon([(x + 18 * size, top - 2 * size), (x + 27 * size, top + size), (x + 18 * size, top + 3 * size)], GOLD)
    c.ellipse(x + 14.5 * size, top - 1.5 * size, 1.4 * size, fill=INK)
    if comb:
        for step in (-3, 1, 5):
            c.ellipse(x + (12 + step) * size, top - 6 * size, 2.6 * size, fill="#d32f2f")


def _draw_pear(c: Canvas, hue: str) -> None:
    """Draw the picture of a pear, for rank 1."""
    c.ellipse(50, 78, 15, 14, fill=hue)
    c.ellipse(50, 64, 9, 10, fill=hue)
    c.line([(50, 56), (53, 50)], "#6b4423", 3)
    c.polygon([(53, 53), (65, 47), (62, 57)], "#2e6b12")


def _draw_doves(c: Canvas, hue: str) -> None:
    """Draw the picture of two doves, for rank 2."""
    _draw_bird(c, hue, 36, 66, 0.8)
    _draw_bird(c, hue, 58, 82, 0.8)


def _draw_hen(c: Canvas, hue: str) -> None:
    """Draw the picture of a hen, for rank 3."""
    _draw_bird(c, hue, 48, 76, 1.15, comb=True)


def _draw_calling_bird(c: Canvas, hue: str) -> None:
    """Draw the picture of a singing bird, for rank 4."""
    _draw_bird(c, hue, 40, 76, 1)
    for radius in (6, 12):
        c.arc(66, 66, radius, -40, 40, hue, 3)


def _draw_ring(c: Canvas, hue: str) -> None:
    """Draw the picture of a ring, for rank 5."""
    c.ellipse(50, 77, 15, edge=hue, rim=6)
    c.polygon([(41, 57), (59, 57), (50, 67)], "#35b6d6")


def _draw_goose(c: Canvas, hue: str) -> None:
    """Draw the picture of a goose with an egg, for rank 6."""
    _draw_bird(c, "#9b8d70", 44, 74, 0.9, neck=8)
    c.ellipse(66, 86, 6, 7, fill=PAPER, edge=hue, rim=2)


def _draw_swan(c: Canvas, hue: str) -> None:
    """Draw the picture of a swan, for rank 7."""
    _draw_bird(c, hue, 46, 80, 1.1, neck=14)


def _draw_milk(c: Canvas, hue: str) -> None:
    """Draw the picture of a bucket of milk, for rank 8."""
    c.polygon([(34, 60), (66, 60), (61, 92), (39, 92)], hue)
    c.ellipse(50, 60, 16, 5, fill=PAPER, edge=hue, rim=2)
    c.arc(50, 60, 17, 180, 360, hue, 3)


def _draw_dancer(c: Canvas, hue: str) -> None:
    """Draw the picture of a dancing lady, for rank 9."""
    c.ellipse(50, 56, 5.5, fill=INK)
    c.polygon([(50, 62), (70, 84), (30, 84)], hue)
    c.line([(50, 66), (33, 57)], INK, 3)
    c.line([(50, 66), (67, 57)], INK, 3)
    c.line([(46, 84), (44, 93)], INK, 3)
    c.line([(54, 84), (57, 93)], INK, 3)


def _draw_lord(c: Canvas, hue: str) -> None:
    """Draw the picture of a leaping lord, for rank 10."""
    c.ellipse(55, 56, 5.5, fill=hue)
    c.line([(53, 62), (47, 76)], hue, 8)
    c.line([(47, 76), (64, 82), (72, 74)], hue, 5)
    c.line([(47, 76), (34, 84), (27, 92)], hue, 5)
    c.line([(52, 66), (70, 60)], hue, 4)
    c.line([(52, 66), (36, 60)], hue, 4)


def _draw_pipes(c: Canvas, hue: str) -> None:
    """Draw the picture of pan pipes, for rank 11."""
    for number, x in enumerate((36, 45, 54, 63)):
        c.line([(x, 56), (x, 92 - 6 * number)], hue, 6)
        c.ellipse(x, 66, 1.4, fill=PAPER)
        c.ellipse(x, 74, 1.4, fill=PAPER)


def _draw_drum(c: Canvas, hue: str) -> None:
    """Draw the picture of a drum, for rank 12."""
    c.rectangle(30, 68, 40, 20, hue)
    c.ellipse(50, 88, 20, 6, fill=hue)
    c.ellipse(50, 68, 20, 6, fill=PAPER, edge=hue, rim=2)
    c.line([(30, 70), (42, 90), (50, 72), (58, 90), (70, 70)], GOLD, 2)
    c.line([(30, 52), (46, 65)], INK, 3)
    c.line([(70, 52), (54, 65)], INK, 3)


_PICTURES: Final = (
    _draw_pear, _draw_doves, _draw_hen, _draw_calling_bird, _draw_ring, _draw_goose, _draw_swan, _draw_milk,
    _draw_dancer, _draw_lord, _draw_pipes, _draw_drum,
)  # fmt: skip


_PICTURE_SCALE: Final = 0.8
"""The scale of the pictures: the number above them is what must be read at a glance."""


def _draw_rank_image(rank: int) -> Image.Image:
    """Draw the image of the card of *rank*: its number above its picture."""
    hue = _HUES[rank - 1]
    canvas, picture = Canvas(), Canvas()
    canvas.rounded_rectangle(5, 1, 90, 98, _PAPER, hue, 4)
    _PICTURES[rank - 1](picture, hue)
    canvas.paste(picture.image, 50 - _PICTURE_SCALE * 50, 97 - _PICTURE_SCALE * 95, _PICTURE_SCALE * 100)
    canvas.text(50, 31, str(rank), 67, INK)
    return canvas.finish()


def _draw_gift() -> Image.Image:
    """Draw the image of the gift token."""
    canvas = Canvas()
    red = "#c62828"
    canvas.rectangle(14, 44, 72, 50, red)
    canvas.rectangle(8, 30, 84, 18, "#8e1b1b")
    canvas.rectangle(43, 30, 14, 64, GOLD)
    canvas.ellipse(37, 20, 13, 9, edge=GOLD, rim=6)
    canvas.ellipse(63, 20, 13, 9, edge=GOLD, rim=6)
    return canvas.finish()


def _draw_most_cards_symbol() -> Image.Image:
    """Draw the symbol of the highlight "caught" (left with the most cards): three cards and an exclamation mark."""
    canvas = Canvas()
    for step, hue in enumerate(("#1565c0", "#2e9e5b", "#c62828")):
        canvas.rounded_rectangle(4 + 19 * step, 26 - 11 * step, 50, 70, _PAPER, hue, 7)
    canvas.text(67, 39, "!", 56, "#c62828")
    return canvas.finish()


_NAMES: Final = (
    "one_pear", "two_doves", "three_hen", "four_bird", "five_ring", "six_goose", "seven_swan", "eight_milk",
    "nine_dancer", "ten_lord", "eleven_pipes", "twelve_drum",
)  # fmt: skip

_ALL: Final[Mapping[str, Callable[[], Image.Image]]] = {
    **{name: partial(_draw_rank_image, rank) for rank, name in enumerate(_NAMES, start=1)},
    "gift": _draw_gift,
    "caught": _draw_most_cards_symbol,
}
DRAWINGS: Final = Drawings(__name__, _ALL, looks=dict.fromkeys(_NAMES, 2))


def card_drawing_name(rank: int) -> str:
    """Return the name of the drawing of the card *rank* (1 to 12), such as "two_doves"."""
    return _NAMES[rank - 1]
