"""The deck of 17: fourteen kinds of card (ruling D1)."""

from enum import Enum
from typing import Final


class Face(Enum):
    """The way a card lies in the queue."""

    UP = "up"
    DOWN = "down"

    __hash__ = object.__hash__  # faster: Enum's own hashes the name, in Python


class Card(Enum):
    """A kind of card. Cards of one kind are interchangeable.

    The value is the audit transcript's name of the kind.

    >>> Card.THREE_OPEN.number, Card.THREE_OPEN.open_back, Card.TRAP.number, Card.TRAP.open_back
    (3, True, 0, False)
    """

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    ONE_OPEN = "1="
    TWO_OPEN = "2="
    THREE_OPEN = "3="
    FOUR_OPEN = "4="
    FIVE_OPEN = "5="
    REVERSE = "reverse"
    TRASH = "trash"
    X2 = "x2"
    TRAP = "trap"

    number: int
    """What the card adds to the queue's total; 0 for specials (D12)."""
    open_back: bool
    """Whether the back shows the number too, so that the card is never hidden (D2)."""
    index: int
    """Position among the kinds, from 0, for counting cards in tuples."""

    __hash__ = object.__hash__  # faster: there is one object per kind, and Enum's own hashes the name, in Python

    def __init__(self, text: str) -> None:
        self.number = int(text[0]) if text[0].isdigit() else 0
        self.open_back = text.endswith("=")
        self.index = len(self.__class__.__members__)


FACES: Final = tuple(Face)
KINDS: Final = tuple(Card)
PLAIN_BACKED: Final = tuple(card for card in KINDS if not card.open_back)


def copies_in_deck(card: Card) -> int:
    """The number of cards of the kind *card* in the whole deck (D1)."""
    if card.open_back:
        return 7
    return 3 if card.number else 5


DECK: Final[tuple[Card, ...]] = tuple(card for card in KINDS for _ in range(copies_in_deck(card)))
"""All 70 cards, unshuffled."""

TARGET: Final = 17
HAND_SIZE: Final = 3
VICTORIES_TO_WIN: Final = 3
