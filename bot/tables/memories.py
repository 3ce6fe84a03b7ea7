"""What the computer players at a table keep in mind. Pure."""

from collections.abc import Iterable
from typing import Any

from bot.tables.model import Table
from engine.game import Seat


def remembered(table: Table, events: Iterable[Any]) -> tuple[Any, ...]:
    """The memories of the computer players at *table* after they have witnessed *events*, those of one step. Whoever
    has taken a seat over has witnessed nothing before."""
    rules, before = table.rules, table.memories or (None,) * len(table.players)
    kept = [
        rules.remember(memory, events, Seat(seat)) if player.automatic else None
        for seat, (player, memory) in enumerate(zip(table.players, before, strict=True))
    ]
    return tuple(kept) if any(it is not None for it in kept) else ()
