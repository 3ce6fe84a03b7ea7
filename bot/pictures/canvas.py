"""A sheet of a hundred by a hundred to draw on, whatever its size in pixels."""

import io
import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from font_roboto import RobotoBold
from PIL import Image, ImageDraw, ImageFont

SIDE: Final = 128
"""Of a symbol, in pixels. Discord shows emojis at 22 or 48."""
FINER: Final = 4
"""Drawn this much larger, then scaled down: smooth edges."""

Point = tuple[float, float]
Colour = str

INK: Final = "#1f2430"
PAPER: Final = "#ffffff"
NIGHT: Final = "#14161c"
GOLD: Final = "#f2b632"


@cache
def font(pixels: int) -> ImageFont.FreeTypeFont:
    """The one typeface, *pixels* high."""
    return ImageFont.truetype(RobotoBold, pixels)


def legible(text: str) -> bool:
    """Whether the typeface has every character of *text*: an unknown one looks like the one for "no such character"."""
    face = font(32)
    missing = bytes(face.getmask("\uffff"))
    return all(char.isspace() or bytes(face.getmask(char)) not in (missing, b"") for char in text)


class Canvas:
    """Shapes in units of a hundredth of the sheet's height."""

    def __init__(self, width: float = 100, side: int = SIDE, finer: int = FINER) -> None:
        self._unit = side * finer / 100
        self._size = (round(width * side / 100), side)
        self.image = Image.new("RGBA", (self._size[0] * finer, side * finer))
        self._draw = ImageDraw.Draw(self.image)

    def _at(self, points: Iterable[Point]) -> list[tuple[float, float]]:
        return [(x * self._unit, y * self._unit) for x, y in points]

    def _wide(self, width: float) -> int:
        return max(1, round(width * self._unit))

    def card(self, x: float, y: float, width: float, height: float, fill: Colour, edge: Colour, rim: float) -> None:
        """A rectangle with round corners and a rim."""
        self._draw.rounded_rectangle(
            self._at([(x, y), (x + width, y + height)]), self._unit * 11, fill, edge, self._wide(rim)
        )

    def box(self, x: float, y: float, width: float, height: float, fill: Colour) -> None:
        """A rectangle."""
        self._draw.rectangle(self._at([(x, y), (x + width, y + height)]), fill)

    def disc(self, x: float, y: float, rx: float, ry: float | None = None, *, fill: Colour | None = None,
             edge: Colour | None = None, rim: float = 0) -> None:  # fmt: skip
        """An ellipse around (x, y)."""
        ry = rx if ry is None else ry
        box = self._at([(x - rx, y - ry), (x + rx, y + ry)])
        self._draw.ellipse([*box[0], *box[1]], fill, edge, self._wide(rim) if rim else 0)

    def shape(self, points: Sequence[Point], fill: Colour) -> None:
        """A polygon."""
        self._draw.polygon(self._at(points), fill)

    def line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """A line with round ends and joints."""
        at = self._at(points)
        self._draw.line(at, colour, self._wide(width), joint="curve")
        half = width * self._unit / 2
        for x, y in (at[0], at[-1]):
            self._draw.ellipse((x - half, y - half, x + half, y + half), colour)

    def arc(self, x: float, y: float, radius: float, start: float, end: float, colour: Colour, width: float) -> None:
        """A part of a circle, in degrees clockwise from the right."""
        box = self._at([(x - radius, y - radius), (x + radius, y + radius)])
        self._draw.arc([*box[0], *box[1]], start, end, colour, self._wide(width))

    def star(self, x: float, y: float, radius: float, fill: Colour) -> None:
        """Five points."""
        turns = [(-90 + 36 * n, radius if n % 2 == 0 else radius * 0.42) for n in range(10)]
        self.shape([(x + r * math.cos(math.radians(a)), y + r * math.sin(math.radians(a))) for a, r in turns], fill)

    def text(self, x: float, y: float, text: str, height: float, colour: Colour, *, anchor: str = "mm",
             edge: Colour | None = None, rim: float = 0) -> None:  # fmt: skip
        """*text* around (x, y), *height* high, perhaps with a rim; *anchor* as Pillow names them."""
        self._draw.text(
            (x * self._unit, y * self._unit), text, colour, font(round(height * self._unit)), anchor,
            stroke_width=self._wide(rim) if rim else 0, stroke_fill=edge,
        )  # fmt: skip

    def put(self, image: Image.Image, x: float, y: float, side: float) -> None:
        """Another picture, *side* high, with its corner at (x, y)."""
        pixels = round(side * self._unit)
        small = image.resize((round(image.width * pixels / image.height), pixels), Image.Resampling.BOX)
        self.image.alpha_composite(small, (round(x * self._unit), round(y * self._unit)))

    def finish(self) -> Image.Image:
        """The picture at its size."""
        return self.image.resize(self._size, Image.Resampling.BOX)


def png(image: Image.Image, colours: int | None = None) -> bytes:
    """*image* as a PNG file, with a palette of *colours* where that is enough."""
    out = io.BytesIO()
    if colours is not None:
        image = image.convert("RGB").quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()
