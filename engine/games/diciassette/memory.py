"""What a computer player keeps in mind of a game of 17: the cards it saw going to the discard pile (D19)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.game import Seat
from engine.games.diciassette.cards import PLAIN_BACKED, Card, Face
from engine.games.diciassette.events import CardPlayed, CardTrashed, Event, PileShuffled, Revealed


class Memory(NamedTuple):
    """What one seat remembers."""

    gone: tuple[int, ...] = (0,) * len(PLAIN_BACKED)
    """How many cards of each plain-backed kind the seat saw going to the discard pile since the last shuffle, in the
    order of ``PLAIN_BACKED``. Open backs are not counted: nobody has to guess them."""


NOTHING: Final = Memory()
_PLACE: Final = {card: place for place, card in enumerate(PLAIN_BACKED)}


def remember(memory: Memory | None, events: Sequence[Event], seat: Seat) -> Memory:
    """*memory* (``None``: nothing yet) with what *seat* keeps in mind of *events*, one step as it witnessed it (the
    events went through ``view.witness``)."""
    gone = list((memory or NOTHING).gone)
    for event in events:
        cards: list[Card | None] = []
        match event:
            case CardPlayed(_, Card.TRASH, Face.UP):
                cards = [Card.TRASH]
            case CardTrashed(_, card):
                cards = [card]
            case Revealed(queue):
                cards = [turned.card for turned in queue]
            case PileShuffled():
                gone = [0] * len(gone)
            case _:
                continue
        for card in cards:
            if card is not None and not card.open_back:
                gone[_PLACE[card]] += 1
    return Memory(tuple(gone))
