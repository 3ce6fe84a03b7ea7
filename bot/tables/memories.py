"""What the computer players at a table keep in mind, and what its person has witnessed who may ask for hints. Pure."""

from collections.abc import Iterable
from typing import Any

from bot.tables.model import Table
from engine.game import Seat


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
