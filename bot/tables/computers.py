"""The memories of computer players, and the coach's hints for a person who plays against computers alone. Pure."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from bot.tables.model import Phase, Table
from engine.game import RatedAction, Seat


def updated_memories(table: Table, events: Iterable[Any]) -> tuple[Any, ...]:
    """Return by seat what each player remembers after the *events* of a step; an empty tuple if nobody remembers
    anything.

    Computer players have memories, and people only if the game has hints; of others the entry is ``None``.
    Whoever has taken a seat over has witnessed nothing before.
    """
    rules, before = table.rules, table.memories or (None,) * len(table.players)
    kept = [
        rules.remember(memory, events, Seat(seat)) if player.automatic or table.has_hints else None
        for seat, (player, memory) in enumerate(zip(table.players, before, strict=True))
    ]
    return tuple(kept) if any(it is not None for it in kept) else ()


def with_memory_cleared(table: Table, seat: Seat) -> Table:
    """Return *table* without what the player in *seat* remembers of the game, since somebody else plays that seat
    now."""
    kept = tuple(None if number == seat else memory for number, memory in enumerate(table.memories))
    return table._replace(memories=kept if any(it is not None for it in kept) else ())


# Hints: the coach's advice during a game, for a person who plays against computers alone (L6). Pure.
#
# A hint comes from what the person sees and has witnessed, never from the state.


class Hint(NamedTuple):
    """The coach's advice for a player's next action: their view, the sensible actions, the best first, and an
    insight.
    """

    view: Any
    """The player's view."""
    options: Sequence[RatedAction[Any]]
    """Their actions that are not futile, the best first, as ``Coach.rated_actions``."""
    insight: Any
    """As ``Coach.insight``."""


def may_ask_for_hints(table: Table, seat: Seat) -> bool:
    """Whether the person in *seat* may ask for hints: hints are on in this game, and no other seat is a person's."""
    return table.has_hints and all(it.user is None for other, it in enumerate(table.players) if other != seat)


def can_act(table: Table, seat: Seat) -> bool:
    """Whether *seat* is on turn or may call ("17!") now; False if no game runs, or the calls are shown already."""
    if table.phase is not Phase.PLAYING or (table.window is not None and table.window.closed):
        return False
    return table.rules.on_turn(table.state) == seat or seat in table.may_call


def make_hint(table: Table, seat: Seat) -> Hint:
    """Ask the game's coach what *seat* should do, from its view and memory; takes milliseconds, so call it in a
    thread."""
    coach, memory = table.rules.coach, table.memories[seat] if table.memories else None
    assert coach is not None
    view = table.rules.views.view(table.state, seat)
    options = [it for it in coach.rated_actions(view, seat, memory) if not it.futile]
    return Hint(view, options, coach.insight(view, seat, memory))
