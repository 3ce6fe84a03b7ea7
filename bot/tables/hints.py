"""Hints: what the coach says during a game, to somebody who plays against computers alone (L6). Pure.

A hint comes from what the person sees and has witnessed, never from the state.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bot.tables.model import Phase, Table
from engine.game import Option, Seat


class Hint(NamedTuple):
    """What somebody may do now."""

    view: Any
    """What they see."""
    options: Sequence[Option[Any]]
    """All of it that is not futile, the best first, as ``Coach.options``."""
    insight: Any
    """As ``Coach.insight``."""


def alone(table: Table, seat: Seat) -> bool:
    """Whether the game at *table* has hints for the person in *seat*: all others are computer players, and keep a seat
    for nobody."""
    return table.hinted and all(it.user is None for other, it in enumerate(table.players) if other != seat)


def decides(table: Table, seat: Seat) -> bool:
    """Whether *seat* may do something now: it is on turn, or may call, and no call counts yet."""
    rules, state = table.rules, table.state
    if table.phase is not Phase.PLAYING or (table.window is not None and table.window.closed):
        return False
    return rules.on_turn(state) == seat or seat in rules.callers(state)


def hint(table: Table, seat: Seat) -> Hint:
    """What the coach says to *seat* now, in a game that has one. It takes some milliseconds: not for the event loop."""
    coach, memory = table.rules.coach, table.memories[seat] if table.memories else None
    assert coach is not None
    view = table.rules.views.view(table.state, seat)
    options = [it for it in coach.options(view, seat, memory) if not it.futile]
    return Hint(view, options, coach.insight(view, seat, memory))
