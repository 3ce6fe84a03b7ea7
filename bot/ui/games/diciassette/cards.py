"""The cards of 17 in messages: their symbols, their names, their effects."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import repeat
from typing import Final

from bot.i18n import N_, Words
from bot.ui.components import NO_BREAK_SPACE
from bot.ui.games.diciassette import drawings
from bot.ui.games.diciassette.drawings import DRAWINGS
from bot.ui.pictures import symbols
from bot.ui.pictures.symbols import Symbol
from engine.games.diciassette.cards import VICTORIES_TO_WIN, Card, Face
from engine.games.diciassette.view import Seen

_UP: Final = "🔼"
_DOWN: Final = "🔽"
"""The emojis on the buttons that play a card face up and face down, until Discord has those of its front and back."""
PLAIN_BACK: Final = DRAWINGS.symbol("plain_back", "⬛", _DOWN)
_OPEN_BACKS: Final = tuple(
    DRAWINGS.symbol(drawings.card_drawing_name(n, "back"), text, _DOWN) for n, text in enumerate("❶❷❸❹❺", start=1)
)
_NUMBERS: Final = ("1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣")
_SPECIALS: Final = {
    Card.REVERSE: "🔄",
    Card.TRASH: "🗑️",
    Card.X2: "⏩",
    Card.TRAP: "🪤",
}
_KEYS: Final = {
    card: drawings.card_drawing_name(card.number, "both_sides" if card.open_back else "") if card.number else card.value
    for card in Card
}
_TEXTS: Final = {card: _NUMBERS[card.number - 1] if card.number else _SPECIALS[card] for card in Card}
_FRONTS: Final = {card: DRAWINGS.symbol(_KEYS[card], _TEXTS[card], _UP) for card in Card}
_KNOWN_FACE_DOWN: Final = {card: DRAWINGS.symbol(f"{_KEYS[card]}_down", f"({_TEXTS[card]})", _DOWN) for card in Card}
_NAMES: Final = {
    Card.REVERSE: N_("Reverse"),
    Card.TRASH: N_("Trash"),
    Card.X2: N_("x2"),
    Card.TRAP: N_("Trap"),
}
_EFFECTS: Final = {
    Card.REVERSE: N_("Face up it reverses the direction of play. Face down it is worth 0."),
    Card.TRASH: N_("Face up it discards the card to its left. Face down it is worth 0."),
    Card.X2: N_("Face up it makes the next player play two cards. Face down it is worth 0."),
    Card.TRAP: N_("Face down it gives you a victory token and the caller a penalty. Face up it does nothing."),
}
VICTORY: Final = DRAWINGS.symbol("victory", "🏆")
PENALTY: Final = DRAWINGS.symbol("penalty", "❌")
BRAVEST_CALL: Final = DRAWINGS.symbol("bravest_call", "📣")
BEST_BLUFF: Final = DRAWINGS.symbol("best_bluff", "🎭")


def two_sided_back_symbol(number: int) -> Symbol:
    """The symbol for the back of a two-sided card with *number*."""
    return _OPEN_BACKS[number - 1]


def front_symbol(card: Card) -> Symbol:
    """The symbol for the front of *card*."""
    return _FRONTS[card]


def back_symbol(card: Card) -> Symbol:
    """Return the symbol for the back of *card*, as everybody sees it face down: its number if it is two-sided, else the
    plain back."""
    return two_sided_back_symbol(card.number) if card.open_back else PLAIN_BACK


def known_card_symbol(card: Card, face: Face) -> Symbol:
    """The symbol for *card*, whose front is known, lying with *face* up: one symbol, which no line can break."""
    return _FRONTS[card] if face is Face.UP else _KNOWN_FACE_DOWN[card]


def own_face_down_symbol(card: Card) -> Symbol:
    """Return the symbol for *card* lying face down, for the viewer who knows it: its numbered back, or its front with
    the plain back behind it."""
    return two_sided_back_symbol(card.number) if card.open_back else known_card_symbol(card, Face.DOWN)


def queue_text(seen: Iterable[Seen]) -> str:
    """The cards of the queue in one line of symbols, as the viewer sees them; their own hidden ones with the front."""
    return " ".join(map(_queue_card_text, seen, repeat(symbols.emoji_version())))


@lru_cache(1024)
def _queue_card_text(seen: Seen, edition: int) -> str:
    """Return the symbol of a card of the queue as the viewer sees it; the plain back if they do not know it. *edition*
    is the current ``emoji_version``, for the cache."""
    if seen.card is None:
        return str(PLAIN_BACK)
    return str(front_symbol(seen.card) if seen.face is Face.UP else own_face_down_symbol(seen.card))


def token_counts_text(victory: int, penalty: int) -> str:
    """Return how many victory tokens of those that win, and how many penalties a player has, as symbols and numbers."""
    return f"{VICTORY}{NO_BREAK_SPACE}{victory}/{VICTORIES_TO_WIN} {PENALTY}{NO_BREAK_SPACE}{penalty}"


def card_name(card: Card, words: Words) -> str:
    """Return the name of *card*, translated: "Trap"; a number is its own name."""
    return str(card.number) if card.number else words(_NAMES[card])


def symbol_and_name(card: Card, words: Words) -> str:
    """Return the symbol for the front of *card*, and after it its translated name."""
    return f"{front_symbol(card)}{NO_BREAK_SPACE}{card_name(card, words)}"


def card_effect(card: Card, words: Words) -> str:
    """Return what *card* does, in a translated sentence for the hand message."""
    if card.open_back:
        return words("Both sides show the {number}: face up or face down makes no difference.", number=card.number)
    if card.number:
        return words("Plain back: face down, only you know what it is.")
    return words(_EFFECTS[card])
