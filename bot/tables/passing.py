"""Automatic passes: for people who want that, the table passes where it is all they can do.

It passes so late that it looks like any other pass.
"""

from typing import Final

from bot.tables.model import Table, number_from_seed
from engine.game import Seat

PASS_BEATS: Final = (1.0, 3.0)
"""The least and the most beats after a turn begins at which an automatic pass lands."""


def automatic_pass_time(table: Table) -> int:
    """Return when (ms) a pass of the player on turn takes effect if the table passes for them: one to three beats after
    the turn began.

    The seed decides, so it is the same whether they click or not, and does not tell that they had no choice. At a table
    without a beat, and in a game without passes, it is when the turn begins.
    """
    begins = max(table.turn_began, table.beat_ends)
    if table.rules.passes is None:
        return begins
    return begins + int(number_from_seed(table, "pass", *PASS_BEATS) * table.options.beat_ms)


def has_auto_pass_enabled(table: Table, seat: Seat) -> bool:
    """Whether the table passes for the person in *seat* where that is all they can do: they chose it, are not away, and
    moves have pauses here.

    At a table without a beat a pass at once would tell that they had no choice, so they pass by themselves there. All
    their passes land at ``automatic_pass_time``.
    """
    player = table.players[seat]
    return player.passes and not player.automatic and table.rules.passes is not None and table.options.beat_ms > 0


def will_pass_automatically(table: Table) -> bool:
    """Whether the table will pass for the person on turn: they have chosen that, and can do nothing else now.

    Only they may learn of it before.
    """
    seat = table.rules.on_turn(table.state)
    assert seat is not None
    return has_auto_pass_enabled(table, seat) and table.rules.forced_pass(table.state) is not None
