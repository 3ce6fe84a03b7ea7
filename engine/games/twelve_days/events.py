"""The events of 12 Days of Christmas: facts, never sentences."""

from typing import NamedTuple

from engine.game import Seat
from engine.games.twelve_days.actions import Action
from engine.games.twelve_days.cards import Card, Cards


class DeckShuffled(NamedTuple):
    """The whole deck was shuffled; *order* begins with the first card dealt (``None``: unseen)."""

    order: tuple[Card, ...] | None


class HandDealt(NamedTuple):
    """A new hand was dealt: everybody holds *size* cards, and *leader* leads (T2, T4)."""

    hand_number: int
    size: int
    leader: Seat


class Played(NamedTuple):
    """*seat* has played the combination *cards* (T5, T6). *leads*: it was the first of the trick."""

    seat: Seat
    cards: Cards
    leads: bool


class Passed(NamedTuple):
    """*seat* passes in this trick (T6)."""

    seat: Seat


class TrickWon(NamedTuple):
    """*seat* won the trick with the lowest card, or the later of equally low ones (T7).

    *trick* holds all plays and passes, in order.
    """

    seat: Seat
    trick: tuple[Action, ...]


class TakenBack(NamedTuple):
    """*seat* played its last cards without winning the trick, and has taken *cards* back (T8)."""

    seat: Seat
    cards: Cards


class HandWon(NamedTuple):
    """*seat* won a trick and has no cards, so it wins the hand; *unplayed* is how many cards each seat still holds
    (T9)."""

    hand_number: int
    seat: Seat
    unplayed: tuple[int, ...]


class GiftClaimed(NamedTuple):
    """*seat* took a gift from the supply, which still holds *left* (T9)."""

    seat: Seat
    left: int


class GiftGiven(NamedTuple):
    """*seat* holds the most unplayed cards and gave *to* a gift (T9)."""

    seat: Seat
    to: Seat


class NoGiftToGive(NamedTuple):
    """*seat* holds the most unplayed cards, but has no gift (T9)."""

    seat: Seat


class GameEnded(NamedTuple):
    """The game is over after its last hand; several *winners* win together (T10)."""

    winners: tuple[Seat, ...]


Event = (
    DeckShuffled
    | HandDealt
    | Played
    | Passed
    | TrickWon
    | TakenBack
    | HandWon
    | GiftClaimed
    | GiftGiven
    | NoGiftToGive
    | GameEnded
)
