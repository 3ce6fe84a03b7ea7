"""The cards and tokens of Zebra as symbols."""

from typing import Final

from bot.ui.games.zebra.drawings import DRAWINGS
from bot.ui.pictures.symbols import Symbol
from engine.games.zebra.cards import DECK, Card

TRICK: Final = DRAWINGS.symbol("zebra_trick", "🥇")
_CARDS: Final = {card: DRAWINGS.symbol(f"zebra_{card}", f"**{card}**", "🃏") for card in DECK}


def symbol(card: Card) -> Symbol:
    """The symbol of *card*: the drawing, which holds its number, if Discord has it.

    Until then a message shows the number, and a control, which must say the number itself, a playing card.
    """
    return _CARDS[card]
