"""The memory of a computer player in 17: the cards that it saw going to the discard pile, and the current round
(D19)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.game import Seat
from engine.games.diciassette.cards import KINDS, Card, Face
from engine.games.diciassette.events import (
    CardPlayed,
    CardsDrawn,
    CardTrashed,
    Event,
    PileShuffled,
    Revealed,
    RoundStarted,
)

NONE: Final = (0,) * len(KINDS)


class Discarded(NamedTuple):
    """What a seat knows about the cards that went to the discard pile since the last shuffle. Cards are counted by
    kind, in the order of ``KINDS``."""

    seen: tuple[int, ...] = NONE
    """The cards that everybody saw."""
    own: tuple[int, ...] = NONE
    """The cards that only the seat knew: its own cards that were trashed face down."""
    lost: int = 0
    """The number of other seats' cards that were trashed face down."""


class Memory(NamedTuple):
    """What one seat remembers: the cards that went to the discard pile, and the plays and draws of this round."""

    discarded: Discarded = Discarded()
    before: Discarded = Discarded()
    """What the seat knew about the discard pile when this round started."""
    round: tuple[Event, ...] = ()
    """The plays and draws of this round, and every shuffle, as the seat witnessed them."""


NOTHING: Final = Memory()


def remember(memory: Memory | None, events: Sequence[Event], seat: Seat) -> Memory:
    """Add to *memory* (``None``: empty) the discarded cards and the plays of *events*, one step as *seat* witnessed it,
    and return it.

    The events went through ``view.witness``.
    """
    discarded, before, this_round = memory or NOTHING
    seen, own, lost = list(discarded.seen), list(discarded.own), discarded.lost
    kept = list(this_round)
    for event in events:
        match event:
            case CardPlayed(_, card, face):
                kept.append(event)
                seen[Card.TRASH.index] += card is Card.TRASH and face is Face.UP
            case CardTrashed(_, None, _):
                lost += 1
            case CardTrashed(owner, card, face) if card is not None:
                only_own = owner == seat and face is Face.DOWN and not card.open_back
                (own if only_own else seen)[card.index] += 1
            case CardsDrawn():
                kept.append(event)
            case Revealed(queue):
                for turned in queue:
                    seen[turned.card.index] += 1
            case PileShuffled():
                seen, own, lost = list(NONE), list(NONE), 0
                kept.append(event)
            case RoundStarted():
                before, kept = Discarded(tuple(seen), tuple(own), lost), []
    return Memory(Discarded(tuple(seen), tuple(own), lost), before, tuple(kept))
