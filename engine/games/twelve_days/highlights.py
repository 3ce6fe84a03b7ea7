"""The memorable moments of a game of 12 Days for its end: the biggest play, the best hand, the player caught with many
cards."""

from typing import Any, Final, NamedTuple

from engine.game import Seat, Step
from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.cards import Cards
from engine.games.twelve_days.events import Event, GiftClaimed, GiftGiven, HandWon, TakenBack, TrickWon
from engine.games.twelve_days.state import State


class BiggestPlay(NamedTuple):
    """The play with the most cards."""

    ply: int
    seat: Seat
    cards: Cards


class GiftHarvest(NamedTuple):
    """How many gifts a player got for winning one hand (T9)."""

    ply: int
    seat: Seat
    gifts: int


class PlayersCaught(NamedTuple):
    """A player went out while others still held many cards (T9)."""

    ply: int
    seat: Seat
    others: tuple[Seat, ...]
    """The players who held the most cards."""
    cards: int
    """The number of cards that each of them held."""
    hand_number: int = 0
    """The number of the hand that ended so, from 1; 0: not recorded."""


class Highlights(NamedTuple):
    """The highlights of a game so far; of equal ones the first."""

    biggest: BiggestPlay | None = None
    """The biggest play. A play that was taken back (T8) does not count, nor does a single card."""
    harvest: GiftHarvest | None = None
    """The most gifts for one hand. One gift alone does not count, since every hand brings it."""
    caught: PlayersCaught | None = None


NOTHING: Final = Highlights()


def add_highlights(so_far: Highlights, before: State, step: Step[Any, Event]) -> Highlights:
    """Add to *so_far* the biggest play, the most gifts for a hand and the players caught, as in *step*, and return it.

    *step* is the result of an action in the state *before*. A trick or a hand may have ended in it.
    """
    biggest, harvest, caught = so_far
    ply, events = before.ply, step.events
    back = {event.seat for event in events if isinstance(event, TakenBack)}
    gifts = sum(isinstance(event, GiftClaimed | GiftGiven) for event in events)
    for event in events:
        match event:
            case TrickWon(_, trick):
                stayed = [play for play in trick if isinstance(play, Play) and play.seat not in back]
                longest = max(stayed, key=lambda play: len(play.cards))
                if len(longest.cards) > (len(biggest.cards) if biggest else 1):
                    biggest = BiggestPlay(ply, *longest)
            case HandWon(number, seat, unplayed):
                most = max(unplayed)
                if gifts > (harvest.gifts if harvest else 1):
                    harvest = GiftHarvest(ply, seat, gifts)
                if most > (caught.cards if caught else 0):
                    others = tuple(Seat(other) for other, held in enumerate(unplayed) if held == most)
                    caught = PlayersCaught(ply, seat, others, most, number)
            case _:
                continue
    return Highlights(biggest, harvest, caught)
