"""Passing by itself: for people who want that, the table passes where it is all they can do, so late that it looks like
any other pass."""

from typing import Final

from bot.tables.model import Table, drawn
from engine.game import Seat

PASS_BEATS: Final = (1.0, 3.0)
"""Between how many beats after a turn begins a pass lands, for people who let the table pass for them."""


def pass_lands_at(table: Table) -> int:
    """The moment (ms) before which no pass lands of a player on turn who lets the table pass for them: it is the same
    whether they click or not, so it does not tell that they had no choice.

    The seed draws it. At a table without a beat, and in a game without passes, it is when the turn begins.
    """
    begins = max(table.turn_began, table.beat_ends)
    if table.rules.passes is None:
        return begins
    return begins + int(drawn(table, "pass", *PASS_BEATS) * table.options.beat_ms)


def passes_alike(table: Table, seat: Seat) -> bool:
    """Whether the passes of the player in *seat* all land at their moment (``pass_lands_at``): they let the table pass
    for them.

    Not at a table without a beat: a pass at once would tell that they had no choice, so they pass by themselves there.
    """
    player = table.players[seat]
    return player.passes and not player.automatic and table.rules.passes is not None and table.options.beat_ms > 0


def will_pass(table: Table) -> bool:
    """Whether the table will pass for the player on turn of the running game, as they can do nothing else and want
    that. Only they may learn of it before."""
    seat = table.rules.on_turn(table.state)
    assert seat is not None
    return passes_alike(table, seat) and table.rules.forced_pass(table.state) is not None
