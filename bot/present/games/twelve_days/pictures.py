"""Pictures for the rules of 12 Days: all ranks, and combinations."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from bot.i18n import Words
from bot.pictures.canvas import GROUND
from bot.pictures.picture import Picture, picture
from bot.present.games.twelve_days import cards
from bot.present.games.twelve_days.drawings import DRAWINGS
from engine.games.twelve_days.cards import RANKS, Card

_CARD: Final = 84
_EXAMPLES: Final[Sequence[Sequence[Card]]] = ((1,), (8, 8, 8), (2, 3, 4, 5))


def ranks_picture(words: Words) -> Picture:
    """A picture of the twelve ranks."""
    alt = words("The cards 1 to 12, each with a picture of its own.")
    return picture("ranks", RANKS, lambda: _draw_rows([RANKS[:6], RANKS[6:]]), alt)


def combinations_picture(words: Words) -> Picture:
    """A picture of a single card, a set and a straight."""
    alt = words("A single card: 1. A set: 8, 8, 8. A straight: 2, 3, 4, 5.")
    return picture("combinations", _EXAMPLES, lambda: _draw_rows(_EXAMPLES), alt)


def _draw_rows(rows: Sequence[Sequence[Card]]) -> Image.Image:
    """Draw cards by their ranks, in *rows*."""
    across = max(map(len, rows))
    image = Image.new("RGB", (across * _CARD + 16, len(rows) * (_CARD + 6) + 10), GROUND)
    for down, row in enumerate(rows):
        for right, rank in enumerate(row):
            small = DRAWINGS[cards.symbol(rank).key]().resize((_CARD - 8, _CARD - 8))
            image.paste(small, (12 + right * _CARD, 8 + down * (_CARD + 6)), small)
    return image
