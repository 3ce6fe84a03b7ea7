"""The cards of 17 as text: a symbol for the eye, a name for the ear, a line for the newcomer."""

from typing import Final

from bot.i18n import N_, Words
from engine.diciassette.cards import Card, Face
from engine.diciassette.view import Seen

PLAIN_BACK: Final = "⬛"
_OPEN_BACKS: Final = ("❶", "❷", "❸", "❹", "❺")
_NUMBERS: Final = ("1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣")
_SPECIALS: Final = {Card.REVERSE: "🔄", Card.TRASH: "🗑️", Card.X2: "⏩", Card.TRAP: "🪤"}
_NAMES: Final = {
    Card.REVERSE: N_("Reverse"),
    Card.TRASH: N_("Trash"),
    Card.X2: N_("x2"),
    Card.TRAP: N_("Trap"),
}
_DOES: Final = {
    Card.REVERSE: N_("Face up it turns the direction around. Face down it is worth 0."),
    Card.TRASH: N_("Face up it throws away the card before it. Face down it is worth 0."),
    Card.X2: N_("Face up it makes the next player lay two cards. Face down it is worth 0."),
    Card.TRAP: N_("Face down it gives you a victory token and the caller a penalty. Face up it does nothing."),
}
VICTORY: Final = "🏆"
PENALTY: Final = "❌"


def open_back(number: int) -> str:
    """The back of a two-sided card."""
    return _OPEN_BACKS[number - 1]


def front(card: Card) -> str:
    """The front of *card*."""
    return _NUMBERS[card.number - 1] if card.number else _SPECIALS[card]


def lying(seen: Seen) -> str:
    """A card of the queue as the viewer sees it; the viewer's own face-down card in brackets behind its back."""
    if seen.card is None:
        return PLAIN_BACK
    if seen.face is Face.UP:
        return front(seen.card)
    if seen.card.open_back:
        return open_back(seen.card.number)
    return f"{PLAIN_BACK}({front(seen.card)})"


def name(card: Card, words: Words) -> str:
    """A card's name; a number is its own name."""
    return str(card.number) if card.number else words(_NAMES[card])


def does(card: Card, words: Words) -> str:
    """What *card* does, in a line."""
    if card.open_back:
        return words("Its back shows the {number} too, so everyone knows it.", number=card.number)
    if card.number:
        return words("Its back is plain: face down nobody knows it but you.")
    return words(_DOES[card])
