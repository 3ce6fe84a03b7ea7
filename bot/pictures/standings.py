"""A picture of players, one per row: place, name, what they have won."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from PIL import Image

from bot.pictures.canvas import GOLD, INK, PAPER, Canvas, legible
from bot.pictures.symbols import Symbol

_ROW: Final = 62
"""The height of a row, in pixels."""
_WIDTH: Final = 600
_MEDALS: Final = {1: GOLD, 2: "#b9c0cc", 3: "#c98a4b"}
_GROUND: Final = "#22252e"


Won = tuple[tuple[Symbol, int], ...]
"""(token, how many)."""


class Line(NamedTuple):
    """The row of one player."""

    place: int
    """From 1; 0: no places yet."""
    name: str
    won: Won


def draw(lines: Sequence[Line], drawings: Mapping[str, Callable[[], Image.Image]]) -> Image.Image:
    """A picture of *lines*, the first at the top; *drawings* are by the key of their symbols.

    Long names are shortened. If the typeface cannot write a name, the number of its row stands there instead.
    """
    image = Image.new("RGBA", (_WIDTH, _ROW * len(lines) + 8), _GROUND)
    most = max((count for line in lines for _, count in line.won), default=0)
    for index, line in enumerate(lines):
        row = Canvas(100 * _WIDTH / _ROW, _ROW, 2)
        row.card(1, 8, 100 * _WIDTH / _ROW - 2, 84, "#30343f", "#30343f", 1)
        if line.place:
            row.disc(50, 50, 30, fill=_MEDALS.get(line.place, "#4b5263"))
            row.text(50, 50, str(line.place), 38, INK if line.place in _MEDALS else PAPER)
        name = line.name if legible(line.name) else f"#{index + 1}"
        row.text(100, 50, name if len(name) <= 16 else name[:15] + "…", 40, PAPER, anchor="lm")
        x = 100 * _WIDTH / _ROW - 20
        for symbol, count in reversed(line.won):
            row.text(x, 50, str(count), 40, PAPER, anchor="rm")
            x -= (30, 40, 68, 90)[min(len(str(most)), 4) - 1]  # room for the digits
            row.put(drawings[symbol.key](), x - 66, 18, 64)
            x -= 90
        image.alpha_composite(row.finish(), (0, 4 + index * _ROW))
    return image
