"""What is counted of each seat in 17, over all games: calls, bluffs, traps."""

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
"""Traps that another seat's call has snapped (D14)."""
COUNTS: Final = (RIGHT_CALLS, WRONG_CALLS, BLUFFS, TRAPS)


def counted(before: State, step: Step[Any, Event]) -> Sequence[tuple[Seat, str]]:
    """What *step*, which an action led to from *before*, adds to whose counts: (seat, one of ``COUNTS``), one each
    time. Only a call adds anything."""
    called = next((event for event in step.events if isinstance(event, Called)), None)
    if called is None:
        return ()
    caller = called.caller
    (revealed,) = [event for event in step.events if isinstance(event, Revealed)]
    found = [(caller, RIGHT_CALLS if revealed.total >= TARGET else WRONG_CALLS)]
    found += [(seat, BLUFFS) for seat in successful_bluffers(before, step)]
    traps = [it.seat for it in revealed.queue if it.card is Card.TRAP and it.face is Face.DOWN]
    return (*found, *((seat, TRAPS) for seat in traps if seat != caller))
