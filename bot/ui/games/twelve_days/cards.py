"""Ranks, combinations and leads of 12 Days of Christmas in words and symbols."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from bot.i18n import N_, Words
from bot.ui.components import WORD_JOINER
from bot.ui.games.twelve_days import drawings
from bot.ui.pictures.symbols import Symbol
from engine.games.twelve_days.cards import RANKS, Card, Cards
from engine.games.twelve_days.combinations import Kind, Lead, combination_kind

GIFT: Final = drawings.DRAWINGS.symbol("gift", "🎁")
CAUGHT: Final = drawings.DRAWINGS.symbol("caught", "🃏")
_PICTURES: Final = ("🍐", "🕊️", "🐔", "🐦", "💍", "🥚", "🦢", "🥛", "💃", "🤸", "🎶", "🥁")
_SYMBOLS: Final = tuple(
    drawings.DRAWINGS.symbol(drawings.card_drawing_name(rank), f"{rank}{emoji}", emoji)
    for rank, emoji in zip(RANKS, _PICTURES, strict=True)
)
_KINDS: Final = {
    Kind.SET: N_("Set"),
    Kind.STRAIGHT: N_("Straight"),
    Kind.SINGLETON: N_("Single card"),
}
_PLAYABLE: Final = {
    Kind.SET: N_("a set (two or more of one rank), {low} or lower"),
    Kind.STRAIGHT: N_("a straight (two or more ranks in a row) whose lowest card is {low} or lower"),
    Kind.SINGLETON: N_("a single card, {low} or lower"),
}


def rank_symbol(rank: Card) -> Symbol:
    """Return the symbol of the card *rank*: our drawing with its number; while Discord lacks that, number and emoji, on
    a control the emoji alone."""
    return _SYMBOLS[rank - RANKS[0]]


def card_text(rank: Card) -> str:
    """Return the card *rank* for the text of a message: its emoji, or its number and an emoji while Discord lacks
    that."""
    return str(rank_symbol(rank))


def card_label(rank: Card) -> str:
    """Return the card *rank* where only plain text is possible, as in a label: its number and an emoji."""
    return rank_symbol(rank).text


def cards_text(cards: Cards, format_card: Callable[[Card], str] = card_text) -> str:
    """*cards* in one line, equal ones together with their count: "2🕊️  5💍×2"; *format_card* formats a single card.

    >>> cards_text((2, 5, 5)).replace(WORD_JOINER, "")
    '2🕊️  5💍×2'
    """
    shown = []
    for rank in dict.fromkeys(cards):
        count = cards.count(rank)
        shown.append(format_card(rank) if count == 1 else f"{format_card(rank)}{WORD_JOINER}×{count}")
    return "  ".join(shown)


def combination_in_numbers(cards: Cards) -> str:
    """A set or straight in numbers alone: "3 × 8" or "2–5".

    >>> combination_in_numbers((8, 8, 8)), combination_in_numbers((2, 3, 4, 5))
    ('3 × 8', '2–5')
    """
    return f"{len(cards)} × {cards[0]}" if cards[0] == cards[-1] else f"{cards[0]}–{cards[-1]}"


def combination_type_name(which: Kind, words: Words) -> str:
    """Return the name of a type of combination, translated: "Set", "Straight" or "Single card"."""
    return words(_KINDS[which])


@lru_cache(4096)
def play_label(cards: Cards, words: Words) -> str:
    """Return the label of a play in a select: its type first, then its cards ("Set: 2🕊️×2"); *cards* must be a
    combination."""
    which = combination_kind(cards)
    assert which is not None
    name = combination_type_name(which, words)
    if which is Kind.STRAIGHT:
        return f"{name} {cards[0]}–{cards[-1]}: {' '.join(card_label(rank) for rank in cards)}"
    return f"{name}: {cards_text(cards, card_label)}"


def playable_text(lead: Lead | None, words: Words) -> str:
    """What may be played on *lead*, for the middle of a sentence, a pass not mentioned; ``None``: the player leads."""
    if lead is None:
        return words("a single card, a set (two or more of one rank) or a straight (two or more ranks in a row)")
    return words(_PLAYABLE[lead.kind], low=card_text(lead.low))
