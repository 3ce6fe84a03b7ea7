"""An image to draw on. Lengths are hundredths of its height, whatever its size in pixels."""

import io
import math
from collections.abc import Iterable, Sequence
from typing import Final

from PIL import Image, ImageDraw

from bot.ui.pictures.text import draw_text

SIDE: Final = 128
"""The size of a symbol in pixels. Discord shows emojis at 22 or 48."""
FINER: Final = 4
"""How many times as large a symbol is drawn before it is scaled down: that makes smooth edges."""

Point = tuple[float, float]
Colour = str

INK: Final = "#1f2430"
PAPER: Final = "#ffffff"
NIGHT: Final = "#14161c"
GOLD: Final = "#f2b632"
GROUND: Final = "#22252e"
"""The background of a picture that goes with a message."""
PLATE: Final = "#30343f"
"""The background of a line in such a picture."""
QUIET: Final = "#b9c0cc"
"""The colour of less important text in such a picture."""


class Canvas:
    """An image to draw shapes and text on. Lengths and positions are hundredths of its height; (0, 0) is the top left.

    *width* is in these units, *side* is the height in pixels. It is drawn *finer* times as large and then scaled down,
    for smooth edges. With a *ground* of one colour it is opaque, which takes far less time than transparency; ``None``:
    it is transparent.
    """

    def __init__(self, width: float = 100, side: int = SIDE, finer: int = FINER, ground: Colour | None = None) -> None:
        self._unit = side * finer / 100
        self._size = (round(width * side / 100), side)
        self._finer = finer
        size = (self._size[0] * finer, side * finer)
        self.image = Image.new("RGBA", size) if ground is None else Image.new("RGB", size, ground)
        self._draw = ImageDraw.Draw(self.image)

    def _scale_points_to_pixels(self, points: Iterable[Point]) -> list[tuple[float, float]]:
        """Convert *points* to pixels of the larger image."""
        return [(x * self._unit, y * self._unit) for x, y in points]

    def _pixel_width(self, width: float) -> int:
        """The *width* of a line in pixels of the larger image; 1 at least."""
        return max(1, round(width * self._unit))

    def rounded_rectangle(
        self, x: float, y: float, width: float, height: float, fill: Colour, edge: Colour, rim: float
    ) -> None:
        """Draw a rectangle with round corners and an edge of the colour *edge*, *rim* wide; (x, y) is its top left."""
        self._draw.rounded_rectangle(
            self._scale_points_to_pixels([(x, y), (x + width, y + height)]),
            self._unit * 11,
            fill,
            edge,
            self._pixel_width(rim),
        )

    def rectangle(self, x: float, y: float, width: float, height: float, fill: Colour) -> None:
        """Draw a rectangle filled with *fill*; (x, y) is its top left corner."""
        self._draw.rectangle(self._scale_points_to_pixels([(x, y), (x + width, y + height)]), fill)

    def ellipse(self, x: float, y: float, rx: float, ry: float | None = None, *, fill: Colour | None = None,
             edge: Colour | None = None, rim: float = 0) -> None:  # fmt: skip
        """Draw an ellipse around (x, y) with the radii *rx* and *ry* (``None``: a circle), perhaps with an edge."""
        ry = rx if ry is None else ry
        box = self._scale_points_to_pixels([(x - rx, y - ry), (x + rx, y + ry)])
        self._draw.ellipse([*box[0], *box[1]], fill, edge, self._pixel_width(rim) if rim else 0)

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """Draw a polygon with the corners *points*, filled with *fill*."""
        self._draw.polygon(self._scale_points_to_pixels(points), fill)

    def line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """Draw a line through *points* with round ends and joints."""
        at = self._scale_points_to_pixels(points)
        self._draw.line(at, colour, self._pixel_width(width), joint="curve")
        half = width * self._unit / 2
        for x, y in (at[0], at[-1]):
            self._draw.ellipse((x - half, y - half, x + half, y + half), colour)

    def long_line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """Draw a line through hundreds of *points*, much faster than ``line``: with a disc at every point."""
        at = self._scale_points_to_pixels(points)
        self._draw.line(at, colour, self._pixel_width(width))
        half = width * self._unit / 2
        for x, y in at:
            self._draw.ellipse((x - half, y - half, x + half, y + half), colour)

    def arc(self, x: float, y: float, radius: float, start: float, end: float, colour: Colour, width: float) -> None:
        """Draw a part of a circle from *start* to *end*, in degrees clockwise from the right."""
        box = self._scale_points_to_pixels([(x - radius, y - radius), (x + radius, y + radius)])
        self._draw.arc([*box[0], *box[1]], start, end, colour, self._pixel_width(width))

    def star(self, x: float, y: float, radius: float, fill: Colour) -> None:
        """Draw a star with five points around (x, y)."""
        turns = [(-90 + 36 * n, radius if n % 2 == 0 else radius * 0.42) for n in range(10)]
        self.polygon([(x + r * math.cos(math.radians(a)), y + r * math.sin(math.radians(a))) for a, r in turns], fill)

    def text(self, x: float, y: float, text: str, height: float, colour: Colour, *, anchor: str = "mm",
             edge: Colour | None = None, rim: float = 0) -> None:  # fmt: skip
        """Write *text* around (x, y), *height* high, perhaps with an edge; *anchor* is one of Pillow's names."""
        pixels, width = round(height * self._unit), self._pixel_width(rim) if rim else 0
        draw_text(self._draw, (x * self._unit, y * self._unit), text, pixels, colour, anchor, width, edge)

    def paste(self, image: Image.Image, x: float, y: float, side: float) -> None:
        """Paste *image*, scaled to be *side* high, with its top left corner at (x, y)."""
        pixels = round(side * self._unit)
        small = image.resize((round(image.width * pixels / image.height), pixels), Image.Resampling.BOX)
        at = (round(x * self._unit), round(y * self._unit))
        if self.image.mode == "RGB":
            self.image.paste(small, at, small)
        else:
            self.image.alpha_composite(small, at)

    def finish(self) -> Image.Image:
        """Return the finished image, scaled down to its size in pixels."""
        if self.image.mode == "RGB":
            return self.image.reduce(self._finer)
        return self.image.resize(self._size, Image.Resampling.BOX)


def png_bytes(image: Image.Image, colours: int | None = None) -> bytes:
    """Convert *image* to a PNG file; with *colours*, in a palette of that many colours and without transparency."""
    out = io.BytesIO()
    if colours is not None:
        image = image.convert("RGB").quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()
