"""A picture of a whole game of 12 Days: how many gifts everybody had after every hand, and who won it."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from bot.i18n import Words
from bot.pictures.canvas import GOLD, GROUND, INK, PAPER, PLATE, QUIET, Canvas
from bot.pictures.picture import Picture, in_words, picture
from bot.pictures.standings import drawn_names, numbers
from bot.pictures.writing import fitting, largest, length
from bot.present.sheet import escaped, plain
from bot.review.moments import Open
from engine.game import Seat
from engine.games.twelve_days.actions import Action
from engine.games.twelve_days.events import Event, HandWon
from engine.games.twelve_days.view import View

OpenDays = Open[View, Action, Event]

_WIDTH: Final = 600
"""In pixels; a phone shows little more than half of them."""
_NAMES: Final = 156
_TITLE: Final = 42
_HEAD: Final = _TITLE + 36
_ROW: Final = 52
_TEXT: Final = 26

Hands = Sequence[tuple[Seat, tuple[int, ...]]]
"""For every hand: who won it, and everybody's gifts after it."""


def hands_of(moments: Sequence[OpenDays]) -> Hands:
    """The hands of a game that were played to their end; *moments* is all of it."""
    ended = [(shown, it) for shown in moments for it in shown.scene.recent if isinstance(it, HandWon)]
    return [(won.seat, shown.scene.view.gifts) for shown, won in ended]


def gifts_picture(moments: Sequence[OpenDays], words: Words) -> Picture | None:
    """The picture of the game of which *moments* is all; ``None``: no hand has ended."""
    hands = hands_of(moments)
    if not hands:
        return None
    scene = moments[-1].scene
    seats = range(len(scene.people))
    names = [plain(scene.name(Seat(seat))) for seat in seats]
    head = words("Everyone’s gifts after every hand. A star marks who won the hand.")
    told = [
        words("Hand {n}: {name} won.", n=number, name=names[seat]) + f" {_most(names, gifts, words)}"
        for number, (seat, gifts) in enumerate(hands, start=1)
    ]
    safe = [escaped(name) for name in names]
    instead = [
        words("Hand {n}: {name} won.", n=number, name=safe[seat]) + f" {_most(safe, gifts, words)}"
        for number, (seat, gifts) in enumerate(hands, start=1)
    ]
    written = drawn_names(names)
    title = words("Gifts after every hand")
    star = words("won the hand")
    return picture(
        "gifts",
        (hands, written, title, star),
        lambda: draw(hands, written, title, star),
        in_words([head, *told]),
        "\n".join(instead),
        numbers(written, safe),
    )


def _most(names: Sequence[str], gifts: Sequence[int], words: Words) -> str:
    """Who has the most of *gifts*, and how many."""
    most = max(gifts)
    ahead = words.all_of([name for name, n in zip(names, gifts, strict=True) if n == most])
    return words("Most gifts ({n}): {names}.", n=most, names=ahead)


def draw(hands: Hands, names: Sequence[str], title: str, star: str) -> Image.Image:
    """Draw a row for each of *names* and a column for each of *hands*: the gifts; a star for who won the hand, a light
    field for who had the most. The *title* stands above, and what the *star* means."""
    height = _HEAD + _ROW * len(names) + 4
    unit = 100 / height
    canvas = Canvas(_WIDTH * unit, height, 2, GROUND)
    step = (_WIDTH - _NAMES - 8) / len(hands)
    high = largest(f"{title} {star}", range(18, _TEXT + 1), _WIDTH - 60)
    canvas.text(8 * unit, _TITLE / 2 * unit, title, high * unit, PAPER, anchor="lm")
    beside = _WIDTH - 8 - length(star, high)
    canvas.star((beside - 16) * unit, _TITLE / 2 * unit, 9 * unit, QUIET)
    canvas.text(beside * unit, _TITLE / 2 * unit, star, high * unit, QUIET, anchor="lm")
    for number in range(1, len(hands) + 1):
        middle = _NAMES + (number - 0.5) * step
        canvas.text(middle * unit, (_TITLE + _HEAD) / 2 * unit, str(number), _TEXT * unit, QUIET)
    for seat, name in enumerate(names):
        y = _HEAD + _ROW * seat
        shown = fitting(name, _TEXT, _NAMES - 16)
        canvas.text(8 * unit, (y + _ROW / 2) * unit, shown, _TEXT * unit, PAPER, anchor="lm")
        for number, (winner, gifts) in enumerate(hands):
            x = _NAMES + number * step
            leads = gifts[seat] == max(gifts)
            canvas.box((x + 2) * unit, (y + 2) * unit, (step - 4) * unit, (_ROW - 4) * unit, GOLD if leads else PLATE)
            ink = INK if leads else PAPER
            right = winner == seat
            if right:
                canvas.star((x + step / 2) * unit, (y + _ROW - 14) * unit, 9 * unit, ink)
            middle = y + (_ROW / 2 - 8 if right else _ROW / 2)
            canvas.text((x + step / 2) * unit, middle * unit, str(gifts[seat]), _TEXT * unit, ink)
    return canvas.finish()
