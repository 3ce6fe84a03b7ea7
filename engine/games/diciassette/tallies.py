"""The counts of each seat over all games of 17: calls, bluffs, traps."""

from collections.abc import Sequence
from typing import Any, Final

from engine.game import Seat, Step
from engine.games.diciassette.cards import TARGET, Card, Face
from engine.games.diciassette.events import Called, Event, Revealed
from engine.games.diciassette.highlights import successful_bluffers
from engine.games.diciassette.state import State

RIGHT_CALLS: Final = "right_calls"
WRONG_CALLS: Final = "wrong_calls"
BLUFFS: Final = "bluffs"
"""Bluffs that worked (``highlights.successful_bluffers``)."""
TRAPS: Final = "traps"
"""Traps that fired at another seat's call (D14)."""
COUNTS: Final = (RIGHT_CALLS, WRONG_CALLS, BLUFFS, TRAPS)


def count_increments(before: State, step: Step[Any, Event]) -> Sequence[tuple[Seat, str]]:
    """What a call in *step* adds to the players' counts of calls, bluffs and traps: (seat, one of ``COUNTS``) each;
    empty if it was no call.

    *step* is the result of an action in the state *before*.
    """
    called = next((event for event in step.events if isinstance(event, Called)), None)
    if called is None:
        return ()
    caller = called.caller
    (revealed,) = [event for event in step.events if isinstance(event, Revealed)]
    found = [(caller, RIGHT_CALLS if revealed.total >= TARGET else WRONG_CALLS)]
    found += [(seat, BLUFFS) for seat in successful_bluffers(before, step)]
    traps = [it.seat for it in revealed.queue if it.card is Card.TRAP and it.face is Face.DOWN]
    return (*found, *((seat, TRAPS) for seat in traps if seat != caller))
