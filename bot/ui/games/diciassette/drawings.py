"""What the cards and tokens of 17 look like.

As in print, a two-sided card is known from both sides: a white border around its front, a black one around its back,
which shows the same number. A one-sided card has a border on neither side.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PIL import Image

from bot.ui.pictures.canvas import GOLD, INK, NIGHT, PAPER, SIDE, Canvas
from bot.ui.pictures.drawings import Drawings

_NUMBERS: Final = ("one", "two", "three", "four", "five")
_HUES: Final = ("#2f7fd6", "#2e9e5b", "#c99700", "#d9622b", "#b0308a")
_DEEP: Final = ("#12355e", "#12442a", "#574100", "#5e260c", "#4d0f3b")
_STEEL: Final = "#3b4254"


def _empty_card(fill: str, edge: str, rim: float) -> Canvas:
    """A canvas with an empty card on it."""
    canvas = Canvas()
    canvas.card(13, 1, 74, 98, fill, edge, rim)
    return canvas


def _front(number: int, two_sided: bool) -> Image.Image:
    """The front of a number card."""
    fill = _HUES[number - 1]
    canvas = _empty_card(INK, INK, 1)
    if two_sided:
        canvas.card(14.5, 2.5, 71, 95, fill, PAPER, 9)
    else:
        canvas.card(14.5, 2.5, 71, 95, fill, fill, 1)
    canvas.text(50, 50, str(number), 72, PAPER)
    return canvas.finish()


def _back(number: int) -> Image.Image:
    """The back of the two-sided card with *number*."""
    canvas = _empty_card(NIGHT, PAPER, 2)
    canvas.card(15, 3, 70, 94, _DEEP[number - 1], NIGHT, 10)
    canvas.text(50, 50, str(number), 68, PAPER)
    return canvas.finish()


def _plain_back() -> Image.Image:
    """The back that all one-sided cards share."""
    canvas = _empty_card(_STEEL, PAPER, 2)
    for step in range(4):
        for row in range(6):
            x, y = 23.5 + step * 17.6, 12 + row * 15.2
            canvas.shape([(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)], "#8a94ad")
    return canvas.finish()


def _special_card() -> Canvas:
    """A canvas with an empty special card on it."""
    return _empty_card("#f6f1e3", INK, 4)


def _reverse() -> Image.Image:
    """The card Reverse."""
    canvas = _special_card()
    for start, end, turn in ((200, 340, 1), (20, 160, -1)):
        canvas.arc(50, 50, 22, start, end, "#1565c0", 10)
        head = ((9, -7), (32, -13), (26, 13))
        canvas.shape([(50 + turn * x, 50 + turn * y) for x, y in head], "#1565c0")
    return canvas.finish()


def _trash() -> Image.Image:
    """The card Trash."""
    canvas = _special_card()
    canvas.shape([(30, 38), (70, 38), (65, 84), (35, 84)], "#5b6272")
    canvas.box(26, 27, 48, 8, "#5b6272")
    canvas.box(42, 20, 16, 7, "#5b6272")
    for x in (42, 50, 58):
        canvas.line([(x, 46), (50 + (x - 50) * 0.8, 76)], PAPER, 3)
    return canvas.finish()


def _x2() -> Image.Image:
    """The card x2."""
    canvas = _special_card()
    canvas.text(50, 49, "x2", 50, "#6a1b9a")
    return canvas.finish()


def _trap() -> Image.Image:
    """The card Trap."""
    canvas = _special_card()
    red = "#c62828"
    teeth = [22 + 8 * n for n in range(8)]
    for y, way in ((24, 1), (76, -1)):
        points = [(teeth[0], y)]
        for number, x in enumerate(teeth):
            points.append((x, y + way * (21 if number % 2 else 8)))
        canvas.shape([*points, (teeth[-1], y), (teeth[-1], y - way * 9), (teeth[0], y - way * 9)], red)
    canvas.disc(50, 50, 6, fill=INK)
    return canvas.finish()


def _victory() -> Image.Image:
    """The victory token."""
    canvas = Canvas()
    canvas.disc(50, 50, 48, fill=GOLD, edge="#8a5a00", rim=6)
    canvas.star(50, 53, 34, INK)
    return canvas.finish()


def _penalty() -> Image.Image:
    """The penalty token."""
    canvas = Canvas()
    canvas.disc(50, 50, 48, fill="#c62828", edge="#5e0f0f", rim=6)
    canvas.line([(32, 32), (68, 68)], PAPER, 13)
    canvas.line([(68, 32), (32, 68)], PAPER, 13)
    return canvas.finish()


def _turned(front: Callable[[], Image.Image], back: Callable[[], Image.Image]) -> Image.Image:
    """A card that lies face down and whose front is known: the front, its back showing behind it."""
    image = Image.new("RGBA", (SIDE, SIDE))
    small = round(SIDE * 0.86)
    for drawn, (x, y) in ((back, (-8, 0)), (front, (SIDE - small + 6, SIDE - small))):
        whole = Image.new("RGBA", (SIDE, SIDE))
        whole.paste(drawn().resize((small, small), Image.Resampling.BOX), (x, y))
        image.alpha_composite(whole)
    return image


def _bravest_call() -> Image.Image:
    """The bravest call: the button, slammed."""
    canvas = Canvas()
    canvas.disc(50, 50, 48, fill="#da373c", edge=PAPER, rim=5)
    canvas.text(48, 50, "17!", 46, PAPER)
    return canvas.finish()


def _best_bluff() -> Image.Image:
    """The best bluff: a mask over the eyes."""
    canvas = Canvas()
    violet = "#8e44c9"
    canvas.disc(30, 50, 28, 24, fill=violet)
    canvas.disc(70, 50, 28, 24, fill=violet)
    canvas.box(30, 27, 40, 30, violet)
    for x, outwards in ((31, -1), (69, 1)):
        canvas.disc(x, 50, 13, 8, fill=PAPER)
        canvas.disc(x + 3 * outwards, 50, 5, fill=NIGHT)
    return canvas.finish()


def name(number: int, which: str = "") -> str:
    """The name of the drawing of *number*: the front of a one-sided card, ``"both_sides"`` for that of a two-sided one,
    ``"back"`` for its back."""
    return "_".join(filter(None, (_NUMBERS[number - 1], which)))


_CARDS: Final[Mapping[str, Callable[[], Image.Image]]] = {
    **{name(n): partial(_front, n, False) for n in range(1, 6)},
    **{name(n, "both_sides"): partial(_front, n, True) for n in range(1, 6)},
    **{name(n, "back"): partial(_back, n) for n in range(1, 6)},
    "plain_back": _plain_back,
    "reverse": _reverse,
    "trash": _trash,
    "x2": _x2,
    "trap": _trap,
    "victory": _victory,
    "penalty": _penalty,
    "bravest_call": _bravest_call,
    "best_bluff": _best_bluff,
}
_KNOWN: Final = {
    **{f"{name(n)}_down": partial(_turned, partial(_front, n, False), _plain_back) for n in range(1, 6)},
    **{
        f"{name(n, 'both_sides')}_down": partial(_turned, partial(_front, n, True), partial(_back, n))
        for n in range(1, 6)
    },
    **{
        f"{special}_down": partial(_turned, _CARDS[special], _plain_back)
        for special in ("reverse", "trash", "x2", "trap")
    },
}
"""Every card as it lies face down when its front is known, by the name of its front with "down" after it."""
DRAWINGS: Final = Drawings(__name__, {**_CARDS, **_KNOWN}, looks={name(n, "back"): 2 for n in range(1, 6)})
