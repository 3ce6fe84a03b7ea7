"""What the computer players at a table keep in mind, and what its person has witnessed who may ask for hints. Pure."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from bot.tables.model import Phase, Table
from engine.game import RatedAction, Seat


def remembered(table: Table, events: Iterable[Any]) -> tuple[Any, ...]:
    """The memories of the computer players at *table*, and of people if it is ``hinted``, after they have witnessed
    *events*, those of one step. Whoever has taken a seat over has witnessed nothing before."""
    rules, before = table.rules, table.memories or (None,) * len(table.players)
    kept = [
        rules.remember(memory, events, Seat(seat)) if player.automatic or table.hinted else None
        for seat, (player, memory) in enumerate(zip(table.players, before, strict=True))
    ]
    return tuple(kept) if any(it is not None for it in kept) else ()


def forgotten(table: Table, seat: Seat) -> Table:
    """*table* once *seat* has changed hands: whoever plays it now has witnessed nothing yet."""
    kept = tuple(None if number == seat else memory for number, memory in enumerate(table.memories))
    return table._replace(memories=kept if any(it is not None for it in kept) else ())


# Hints: what the coach says during a game, to somebody who plays against computers alone (L6). Pure.
#
# A hint comes from what the person sees and has witnessed, never from the state.


class Hint(NamedTuple):
    """What somebody may do now."""

    view: Any
    """What they see."""
    options: Sequence[RatedAction[Any]]
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
