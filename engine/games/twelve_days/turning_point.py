"""The decision that mattered most in a game of 12 Days: the last cards of the hand that brought the winner most."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.game import Seat, Step
from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.cards import Cards
from engine.games.twelve_days.events import Event, HandWon, TrickWon
from engine.games.twelve_days.state import State


class TurningPoint(NamedTuple):
    """The play with which a hand was won."""

    ply: int
    seat: Seat
    """Who won the hand: not always somebody who won the game."""
    cards: Cards
    hand_number: int
    swing: int
    """By how many gifts the lead of those who won the game over all others grew with it."""


def turning_point(course: Sequence[tuple[State, Step[Any, Event]]]) -> TurningPoint | None:
    """The play of *course* that decided the game; ``None``: nobody has won, or everybody together.

    Looked at is the end of every hand: by how many gifts it changed the lead of those who won the game over the best of
    the others. That counts as many times as the number of the hand, as a late change is harder to make good. The
    decision is the play with which the hand was won. Of equal ones it is the latest.
    """
    winners = course[-1][1].state.winners if course else ()
    found = [it for before, step in course if (it := _swing(before, step, winners)) is not None]
    return max(found, key=lambda it: (it.swing * it.hand_number, it.ply), default=None)


def _swing(before: State, step: Step[Any, Event], winners: Sequence[Seat]) -> TurningPoint | None:
    """The play that won the hand, if *step* ended one in favour of the *winners*; else ``None``."""
    won = next((event for event in step.events if isinstance(event, HandWon)), None)
    if won is None or len(winners) in (0, len(before.gifts)):
        return None
    swing = _lead(step.state.gifts, winners) - _lead(before.gifts, winners)
    if swing <= 0:
        return None
    trick = next(event.trick for event in step.events if isinstance(event, TrickWon))
    place, play = next((n, it) for n, it in enumerate(trick) if isinstance(it, Play) and it.seat == won.seat)
    made_at = before.ply - (len(trick) - 1 - place)
    return TurningPoint(made_at, won.seat, play.cards, won.hand_number, swing)


def _lead(gifts: Sequence[int], winners: Sequence[Seat]) -> int:
    """How many gifts the best of *winners* are ahead of the best of the others."""
    return max(gifts[seat] for seat in winners) - max(n for seat, n in enumerate(gifts) if seat not in winners)
