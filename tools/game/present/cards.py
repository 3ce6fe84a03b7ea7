"""The cards and tokens of Zebra as symbols."""

from typing import Final

from bot.pictures.symbols import Symbol
from bot.present.games.zebra.drawings import DRAWINGS
from engine.games.zebra.cards import DECK, Card

TRICK: Final = DRAWINGS.symbol("zebra_trick", "🥇")
_CARDS: Final = {card: DRAWINGS.symbol(f"zebra_{card}", "🃏") for card in DECK}


def symbol(card: Card) -> Symbol:
    """The symbol of *card* for a control, which also shows the number."""
    return _CARDS[card]


def shown(card: Card) -> str:
    """A card in a message: the drawing, which holds its number, if Discord has it; else the number."""
    return str(_CARDS[card]._replace(text=f"**{card}**"))
