"""A picture of the end of a game: the winner, the other players by place, and the highlights."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from PIL import Image

from bot.tables.names import shorten_name
from bot.ui.pictures.canvas import GOLD, GROUND, INK, PAPER, PLATE, QUIET, Canvas
from bot.ui.pictures.symbols import Symbol
from bot.ui.pictures.text import drawable_text, isolate_direction, largest_fitting_size, remove_isolates, text_width

_WIDTH: Final = 600
"""In pixels; a phone shows little more than half of them, so nothing is drawn smaller than 24 high."""
_WINNER: Final = 76
_ROW: Final = 48
_HIGHLIGHT: Final = 44
"""The height of a winner's row, another player's and a highlight's, in pixels."""
_NEXT: Final = 32
"""How much each further line adds to the height of a highlight, in pixels."""
_LARGE: Final = 58
_SMALL: Final = 52
"""The size of a highlight's text, in hundredths of the height of one line: large if it fits into one line then."""
_GAP: Final = 4
_MEDALS: Final = {1: GOLD, 2: "#b9c0cc", 3: "#c98a4b"}
_CROWNED: Final = "#4a3d16"
LONGEST_NAME: Final = 16
"""The most characters of a name that are drawn."""


TokenCounts = tuple[tuple[Symbol, int], ...]
"""(token, how many) for each kind of token."""


class Line(NamedTuple):
    """One player's row in the picture of the standings: rank (*place*), name, tokens."""

    place: int
    """From 1."""
    name: str
    won: TokenCounts


class Highlight(NamedTuple):
    """A highlight of a finished game, such as its best bluff: a symbol, a title, who and how."""

    symbol: Symbol
    title: str
    """What it is, such as "Best bluff"."""
    said: str
    """Who and how, without a full stop."""


def drawable_name(name: str, number: int) -> str:
    """*name* as a picture can show it, without emojis, at most 16 characters; "#" and *number* if no typeface can.

    >>> drawable_name("Ada ✨", 1), drawable_name("W" * 20, 2), drawable_name("ᚨ", 3)
    ('Ada', 'WWWWWWWWWWWWWWW…', '#3')
    """
    written = shorten_name(drawable_text(remove_isolates(name)), LONGEST_NAME)
    kept = isolate_direction(written)
    return (kept if kept == written else kept.replace(" ", "\u00a0")) or f"#{number}"


def unique_drawable_names(names: Sequence[str]) -> list[str]:
    """Return all *names* as a picture shows them, each different; "#" and the number of its row stands for one that
    cannot be drawn or looks like an earlier one.

    >>> unique_drawable_names(["Ada", "W" * 18 + "a", "W" * 18 + "b"])
    ['Ada', 'WWWWWWWWWWWWWWW…', '#3']
    """
    found: list[str] = []
    for number, name in enumerate(names, start=1):
        written = drawable_name(name, number)
        found.append(f"#{number}" if written in found else written)
    return found


def numbered_names_legend(drawn: Sequence[str], names: Sequence[str]) -> str:
    """A line of small markdown that says which names "#2" and the like stand for in a picture; empty if there are none.

    *drawn* are the names as the picture shows them; *names* are the same ones as markdown.

    >>> numbered_names_legend(["Ada", "#2"], ["Ada", "ᚨ"]), numbered_names_legend(["Ada"], ["Ada"])
    ('-# #2: ᚨ', '')
    """
    said = [f"#{n}: {name}" for n, name in enumerate(names, start=1) if drawn[n - 1] == f"#{n}"]
    return f"-# {' · '.join(said)}" if said else ""


def draw_standings_image(
    lines: Sequence[Line],
    drawings: Mapping[str, Callable[[], Image.Image]],
    highlights: Sequence[Highlight] = (),
) -> Image.Image:
    """Draw the final standings: a row for each player, the winner's first and large, and below them the *highlights*.

    All names in them must be drawable. *drawings* are by the key of their symbols.
    """
    most = max((count for line in lines for _, count in line.won), default=0)
    rows = [_draw_player_row(line, len(str(most)), drawings) for line in lines]
    rows += [_draw_highlight_row(it, drawings) for it in highlights]
    image = Image.new("RGB", (_WIDTH, sum(row.height for row in rows) + _GAP * 2), GROUND)
    y = _GAP
    for row in rows:
        image.paste(row, (0, y))
        y += row.height
    return image


def _draw_player_row(line: Line, digits: int, drawings: Mapping[str, Callable[[], Image.Image]]) -> Image.Image:
    """Draw one player's row of the standings: rank, name, tokens; scores have up to so many *digits*."""
    first = line.place == 1
    height = _WINNER if first else _ROW
    width = 100 * _WIDTH / height
    row = Canvas(width, height, 2, GROUND)
    row.rounded_rectangle(
        1, 4, width - 2, 92, _CROWNED if first else PLATE, GOLD if first else PLATE, 4 if first else 1
    )
    row.ellipse(50, 50, 32, fill=_MEDALS.get(line.place, "#4b5263"))
    row.text(50, 50, str(line.place), 42, INK if line.place in _MEDALS else PAPER)
    size = 52
    x = width - 20
    for symbol, count in reversed(line.won):
        row.text(x, 50, str(count), size, PAPER, anchor="rm")
        x -= 4 + 28 * digits
        row.paste(drawings[symbol.key](), x - 62, 20, 60)
        x -= 76
    row.text(
        100,
        50,
        line.name,
        largest_fitting_size(line.name, range(30, size + 1, 2), x - 105),
        GOLD if first else PAPER,
        anchor="lm",
    )
    return row.finish()


def wrap_highlight(highlight: Highlight) -> tuple[int, list[str]]:
    """(text size, lines) of *highlight* as it is drawn: as large as fits, long text on several lines, nothing cut.

    The title comes first.
    """
    room = 100 * _WIDTH / _HIGHLIGHT - 125
    whole = f"{highlight.title}: {highlight.said}"
    size = largest_fitting_size(whole, range(_SMALL, _LARGE + 1), room)
    if text_width(whole, size) <= room:
        return size, [whole]
    lines = [f"{highlight.title}:"]
    for word in highlight.said.split(" "):
        longer = f"{lines[-1]} {word}"
        if text_width(longer, _SMALL) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return _SMALL, lines


def _draw_highlight_row(highlight: Highlight, drawings: Mapping[str, Callable[[], Image.Image]]) -> Image.Image:
    """Draw the row of a highlight in the standings: its symbol, its title, and in white who and how."""
    size, lines = wrap_highlight(highlight)
    pixels = _HIGHLIGHT + _NEXT * (len(lines) - 1)
    unit = 100 / pixels  # what a canvas measures in, for each pixel
    row = Canvas(_WIDTH * unit, pixels, 2, GROUND)
    row.paste(
        drawings[highlight.symbol.key](), 0.18 * _HIGHLIGHT * unit, 0.1 * _HIGHLIGHT * unit, 0.8 * _HIGHLIGHT * unit
    )
    high, left = size * _HIGHLIGHT / 100 * unit, 1.12 * _HIGHLIGHT * unit
    title = f"{highlight.title}: "
    for number, line in enumerate(lines):
        y = (_HIGHLIGHT / 2 + _NEXT * number) * unit
        if number == 0:
            row.text(left, y, title, high, QUIET, anchor="lm")
            at = text_width(title, size) * _HIGHLIGHT / 100 * unit
            row.text(left + at, y, line[len(title) :], high, PAPER, anchor="lm")
        else:
            row.text(left, y, line, high, PAPER, anchor="lm")
    return row.finish()
