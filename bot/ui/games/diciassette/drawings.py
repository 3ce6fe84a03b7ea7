"""The drawings of the cards and tokens of 17.

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


def _blank_card_canvas(fill: str, edge: str, rim: float) -> Canvas:
    """Return a new canvas with a blank card on it: *fill* is the colour of its face, *edge* of its border, which is
    *rim* wide."""
    canvas = Canvas()
    canvas.rounded_rectangle(13, 1, 74, 98, fill, edge, rim)
    return canvas


def _draw_front_image(number: int, two_sided: bool) -> Image.Image:
    """Draw the image of a number card's front, with a border if it is two-sided."""
    fill = _HUES[number - 1]
    canvas = _blank_card_canvas(INK, INK, 1)
    if two_sided:
        canvas.rounded_rectangle(14.5, 2.5, 71, 95, fill, PAPER, 9)
    else:
        canvas.rounded_rectangle(14.5, 2.5, 71, 95, fill, fill, 1)
    canvas.text(50, 50, str(number), 72, PAPER)
    return canvas.finish()


def _draw_back_image(number: int) -> Image.Image:
    """Draw the image of the back of the two-sided card with *number*."""
    canvas = _blank_card_canvas(NIGHT, PAPER, 2)
    canvas.rounded_rectangle(15, 3, 70, 94, _DEEP[number - 1], NIGHT, 10)
    canvas.text(50, 50, str(number), 68, PAPER)
    return canvas.finish()


def _draw_plain_back_image() -> Image.Image:
    """Draw the image of the back that all one-sided cards share."""
    canvas = _blank_card_canvas(_STEEL, PAPER, 2)
    for step in range(4):
        for row in range(6):
            x, y = 23.5 + step * 17.6, 12 + row * 15.2
            canvas.polygon([(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)], "#8a94ad")
    return canvas.finish()


def _blank_special_card_canvas() -> Canvas:
    """Return a new canvas with a blank special card on it: light face, dark border."""
    return _blank_card_canvas("#f6f1e3", INK, 4)


def _draw_reverse_image() -> Image.Image:
    """Draw the image of the card Reverse."""
    canvas = _blank_special_card_canvas()
    for start, end, turn in ((200, 340, 1), (20, 160, -1)):
        canvas.arc(50, 50, 22, start, end, "#1565c0", 10)
        head = ((9, -7), (32, -13), (26, 13))
        canvas.polygon([(50 + turn * x, 50 + turn * y) for x, y in head], "#1565c0")
    return canvas.finish()


def _draw_trash_image() -> Image.Image:
    """Draw the image of the card Trash."""
    canvas = _blank_special_card_canvas()
    canvas.polygon([(30, 38), (70, 38), (65, 84), (35, 84)], "#5b6272")
    canvas.rectangle(26, 27, 48, 8, "#5b6272")
    canvas.rectangle(42, 20, 16, 7, "#5b6272")
    for x in (42, 50, 58):
        canvas.line([(x, 46), (50 + (x - 50) * 0.8, 76)], PAPER, 3)
    return canvas.finish()


def _draw_x2_image() -> Image.Image:
    """Draw the image of the card x2."""
    canvas = _blank_special_card_canvas()
    canvas.text(50, 49, "x2", 50, "#6a1b9a")
    return canvas.finish()


def _draw_trap_image() -> Image.Image:
    """Draw the image of the card Trap."""
    canvas = _blank_special_card_canvas()
    red = "#c62828"
    teeth = [22 + 8 * n for n in range(8)]
    for y, way in ((24, 1), (76, -1)):
        points = [(teeth[0], y)]
        for number, x in enumerate(teeth):
            points.append((x, y + way * (21 if number % 2 else 8)))
        canvas.polygon([*points, (teeth[-1], y), (teeth[-1], y - way * 9), (teeth[0], y - way * 9)], red)
    canvas.ellipse(50, 50, 6, fill=INK)
    return canvas.finish()


def _draw_victory_token() -> Image.Image:
    """Draw the image of the victory token."""
    canvas = Canvas()
    canvas.ellipse(50, 50, 48, fill=GOLD, edge="#8a5a00", rim=6)
    canvas.star(50, 53, 34, INK)
    return canvas.finish()


def _draw_penalty_token() -> Image.Image:
    """Draw the image of the penalty token."""
    canvas = Canvas()
    canvas.ellipse(50, 50, 48, fill="#c62828", edge="#5e0f0f", rim=6)
    canvas.line([(32, 32), (68, 68)], PAPER, 13)
    canvas.line([(68, 32), (32, 68)], PAPER, 13)
    return canvas.finish()


def _draw_known_face_down_image(front: Callable[[], Image.Image], back: Callable[[], Image.Image]) -> Image.Image:
    """Draw the image of a face-down card whose front is known: the front, with its back showing behind it."""
    image = Image.new("RGBA", (SIDE, SIDE))
    small = round(SIDE * 0.86)
    for drawn, (x, y) in ((back, (-8, 0)), (front, (SIDE - small + 6, SIDE - small))):
        whole = Image.new("RGBA", (SIDE, SIDE))
        whole.paste(drawn().resize((small, small), Image.Resampling.BOX), (x, y))
        image.alpha_composite(whole)
    return image


def _draw_bravest_call_symbol() -> Image.Image:
    """Draw the symbol of the bravest call: the call button."""
    canvas = Canvas()
    canvas.ellipse(50, 50, 48, fill="#da373c", edge=PAPER, rim=5)
    canvas.text(48, 50, "17!", 46, PAPER)
    return canvas.finish()


def _draw_best_bluff_symbol() -> Image.Image:
    """Draw the symbol of the best bluff: a mask over the eyes."""
    canvas = Canvas()
    violet = "#8e44c9"
    canvas.ellipse(30, 50, 28, 24, fill=violet)
    canvas.ellipse(70, 50, 28, 24, fill=violet)
    canvas.rectangle(30, 27, 40, 30, violet)
    for x, outwards in ((31, -1), (69, 1)):
        canvas.ellipse(x, 50, 13, 8, fill=PAPER)
        canvas.ellipse(x + 3 * outwards, 50, 5, fill=NIGHT)
    return canvas.finish()


def card_drawing_name(number: int, which: str = "") -> str:
    """Return the name of the drawing of the number card *number*, such as "three"; with *which* "three_both_sides" or
    "three_back"."""
    return "_".join(filter(None, (_NUMBERS[number - 1], which)))


_CARDS: Final[Mapping[str, Callable[[], Image.Image]]] = {
    **{card_drawing_name(n): partial(_draw_front_image, n, False) for n in range(1, 6)},
    **{card_drawing_name(n, "both_sides"): partial(_draw_front_image, n, True) for n in range(1, 6)},
    **{card_drawing_name(n, "back"): partial(_draw_back_image, n) for n in range(1, 6)},
    "plain_back": _draw_plain_back_image,
    "reverse": _draw_reverse_image,
    "trash": _draw_trash_image,
    "x2": _draw_x2_image,
    "trap": _draw_trap_image,
    "victory": _draw_victory_token,
    "penalty": _draw_penalty_token,
    "bravest_call": _draw_bravest_call_symbol,
    "best_bluff": _draw_best_bluff_symbol,
}
_KNOWN_FACE_DOWN: Final = {
    **{
        f"{card_drawing_name(n)}_down": partial(
            _draw_known_face_down_image, partial(_draw_front_image, n, False), _draw_plain_back_image
        )
        for n in range(1, 6)
    },
    **{
        f"{card_drawing_name(n, 'both_sides')}_down": partial(
            _draw_known_face_down_image, partial(_draw_front_image, n, True), partial(_draw_back_image, n)
        )
        for n in range(1, 6)
    },
    **{
        f"{special}_down": partial(_draw_known_face_down_image, _CARDS[special], _draw_plain_back_image)
        for special in ("reverse", "trash", "x2", "trap")
    },
}
"""Every card as it lies face down when its front is known, by the name of its front with "down" appended."""
DRAWINGS: Final = Drawings(
    __name__, {**_CARDS, **_KNOWN_FACE_DOWN}, looks={card_drawing_name(n, "back"): 2 for n in range(1, 6)}
)
