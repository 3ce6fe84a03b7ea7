"""The events of 17: facts, never sentences. ``None`` in place of a card: the witness did not see it."""

from enum import Enum
from typing import NamedTuple

from engine.game import Seat
from engine.games.diciassette.cards import Card, Face


class RoundStarted(NamedTuple):
    """A round has started: hands are full and *starter* leads (D4, D18, D18a)."""

    round: int
    starter: Seat


class CardPlayed(NamedTuple):
    """*seat* has played *card*, face up or face down (D6)."""

    seat: Seat
    card: Card | None
    face: Face


class DirectionReversed(NamedTuple):
    """The direction of play has changed: *direction* is now 1, clockwise, or -1 (D5)."""

    direction: int


class CardTrashed(NamedTuple):
    """The card of *seat* has left the queue, taken by a Trash (D11); *face* is how it lay."""

    seat: Seat
    card: Card | None
    face: Face


class Doubled(NamedTuple):
    """The next player must play two cards (D6)."""


class CardsDrawn(NamedTuple):
    """*seat* has drawn *cards*, in that order; fewer than owed when both piles are empty (D7)."""

    seat: Seat
    cards: tuple[Card | None, ...]


class PileShuffled(NamedTuple):
    """The discard pile, or at the deal the deck, became the draw pile of *size* cards.

    *order* is top first; ``None``: unseen.
    """

    size: int
    order: tuple[Card, ...] | None


class Called(NamedTuple):
    """*caller* has called and counts; *others* called at the same time (D9). *last* played the most recent card."""

    caller: Seat
    last: Seat
    others: tuple[Seat, ...]


class Turned(NamedTuple):
    """A card of the queue in the reveal (D13); *face* is how it lay before."""

    seat: Seat
    card: Card
    face: Face

    @property
    def was_hidden(self) -> bool:
        """Whether only its player could know the card before the reveal (D2)."""
        return self.face is Face.DOWN and not self.card.open_back


class Revealed(NamedTuple):
    """The whole queue, left to right, and its total (D13)."""

    queue: tuple[Turned, ...]
    total: int


class Token(Enum):
    """The kinds of token."""

    VICTORY = "victory"
    PENALTY = "penalty"


class Because(Enum):
    """The reason for a token (D14)."""

    TRAP = "trap"
    RIGHT_CALL = "right_call"
    WRONG_CALL = "wrong_call"


class TokenGiven(NamedTuple):
    """*seat* receives a token (D14)."""

    seat: Seat
    token: Token
    because: Because


class TokenWithheld(NamedTuple):
    """*seat* did not get a second victory token in one round (D15)."""

    seat: Seat
    because: Because


class PenaltiesDiscarded(NamedTuple):
    """*seat* returned two penalty tokens, and, if *victory_lost*, a victory token with them (D16)."""

    seat: Seat
    victory_lost: bool


class GameEnded(NamedTuple):
    """The game is over, because somebody has three victory tokens; several *winners* win together (D17)."""

    winners: tuple[Seat, ...]


Event = (
    RoundStarted
    | CardPlayed
    | DirectionReversed
    | CardTrashed
    | Doubled
    | CardsDrawn
    | PileShuffled
    | Called
    | Revealed
    | TokenGiven
    | TokenWithheld
    | PenaltiesDiscarded
    | GameEnded
)
