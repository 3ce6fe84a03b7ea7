"""A picture of the end of a game: who has won, the others by place, what is worth telling."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from PIL import Image

from bot.pictures.canvas import GOLD, INK, PAPER, Canvas, font, legible
from bot.pictures.symbols import Symbol

_WIDTH: Final = 600
"""In pixels; a phone shows little more than half of them, so nothing is drawn smaller than 24 high."""
_WINNER: Final = 76
_ROW: Final = 48
_HIGHLIGHT: Final = 44
"""The height of a winner's row, another player's and a highlight's, in pixels."""
_GAP: Final = 4
_MEDALS: Final = {1: GOLD, 2: "#b9c0cc", 3: "#c98a4b"}
_GROUND: Final = "#22252e"
_PLATE: Final = "#30343f"
_CROWNED: Final = "#4a3d16"
_QUIET: Final = "#b9c0cc"
LONGEST_NAME: Final = 16
SHORT_NAME: Final = 10
"""How many characters of a name fit into the row of a player, and into a highlight, where two may stand."""


Won = tuple[tuple[Symbol, int], ...]
"""(token, how many)."""


class Line(NamedTuple):
    """The row of one player."""

    place: int
    """From 1."""
    name: str
    won: Won


class Highlight(NamedTuple):
    """Something worth telling of a game that is over."""

    symbol: Symbol
    title: str
    """What it is."""
    said: str
    """Who and how, without a full stop."""


def drawable(name: str, number: int, longest: int = LONGEST_NAME) -> str:
    """*name* as it can be drawn: those with more than *longest* characters are shortened; if the typeface cannot write
    it, it is the *number* of its row.

    >>> drawable("Ada", 1), drawable("W" * 20, 2), drawable("阿達", 3)
    ('Ada', 'WWWWWWWWWWWWWWW…', '#3')
    """
    if not legible(name):
        return f"#{number}"
    return name if len(name) <= longest else name[: longest - 1] + "…"


def draw(
    lines: Sequence[Line], drawings: Mapping[str, Callable[[], Image.Image]], highlights: Sequence[Highlight] = ()
) -> Image.Image:
    """A picture of *lines*, the winner's first and large, and below them the *highlights*, whose names are drawable;
    *drawings* are by the key of their symbols."""
    heights = [_WINNER if line.place == 1 else _ROW for line in lines] + [_HIGHLIGHT] * len(highlights)
    image = Image.new("RGBA", (_WIDTH, sum(heights) + _GAP * 2), _GROUND)
    most = max((count for line in lines for _, count in line.won), default=0)
    rows = [_player(line, number, len(str(most)), drawings) for number, line in enumerate(lines, start=1)]
    rows += [_highlight(it, drawings) for it in highlights]
    y = _GAP
    for row, height in zip(rows, heights, strict=True):
        image.alpha_composite(row, (0, y))
        y += height
    return image


def _player(line: Line, number: int, digits: int, drawings: Mapping[str, Callable[[], Image.Image]]) -> Image.Image:
    """The row of a player, *number* of them all; scores have up to so many *digits*."""
    first = line.place == 1
    height = _WINNER if first else _ROW
    width = 100 * _WIDTH / height
    row = Canvas(width, height, 2)
    row.card(1, 4, width - 2, 92, _CROWNED if first else _PLATE, GOLD if first else _PLATE, 4 if first else 1)
    row.disc(50, 50, 32, fill=_MEDALS.get(line.place, "#4b5263"))
    row.text(50, 50, str(line.place), 42, INK if line.place in _MEDALS else PAPER)
    size = 52
    x = width - 20
    for symbol, count in reversed(line.won):
        row.text(x, 50, str(count), size, PAPER, anchor="rm")
        x -= 4 + 28 * digits
        row.put(drawings[symbol.key](), x - 62, 20, 60)
        x -= 76
    name = drawable(line.name, number)
    while size > 30 and font(size).getlength(name) > x - 105:
        size -= 2
    row.text(100, 50, name, size, GOLD if first else PAPER, anchor="lm")
    return row.finish()


def _highlight(it: Highlight, drawings: Mapping[str, Callable[[], Image.Image]]) -> Image.Image:
    """The row of a highlight: its symbol, its title, and in white who and how; what is too long is cut."""
    width = 100 * _WIDTH / _HIGHLIGHT
    row = Canvas(width, _HIGHLIGHT, 2)
    row.put(drawings[it.symbol.key](), 18, 10, 80)
    title, room = f"{it.title}: ", width - 125
    size = 58
    while size > 52 and font(size).getlength(title + it.said) > room:
        size -= 1
    said = it.said
    while font(size).getlength(title + said) > room:
        said = said.removesuffix("…")[:-1] + "…"
    row.text(112, 50, title, size, _QUIET, anchor="lm")
    row.text(112 + font(size).getlength(title), 50, said, size, PAPER, anchor="lm")
    return row.finish()
