"""What the cards and tokens of Zebra look like.

They must be told apart at 22 pixels and without colour, from those of every other game too: a test compares them.
"""

from functools import partial
from typing import Final

from PIL import Image

from bot.ui.pictures.canvas import GOLD, INK, PAPER, Canvas
from bot.ui.pictures.drawings import Drawings
from engine.games.zebra.cards import DECK


def _card(number: int) -> Image.Image:
    """A card with its number."""
    canvas = Canvas()
    canvas.rounded_rectangle(13, 1, 74, 98, INK, PAPER, 4)
    for stripe in range(number % 4 + 1):
        y = (4, 80, 14, 90)[stripe]
        canvas.rectangle(17, y, 66, 5, PAPER)
    canvas.text(50, 50, str(number), 58 if number < 10 else 46, PAPER)
    return canvas.finish()


def _trick() -> Image.Image:
    """The token for a trick."""
    canvas = Canvas()
    canvas.ellipse(50, 50, 46, fill=GOLD, edge=INK, rim=10)
    return canvas.finish()


DRAWINGS: Final = Drawings(
    __name__, {**{f"zebra_{card}": partial(_card, card) for card in DECK}, "zebra_trick": _trick}
)
