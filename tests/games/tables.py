"""Tables dealt anew."""

from random import Random

from bot.tables.model import Table
from engine.game import Seat
from tests.games import CASES


def otherwise(table: Table, seat: Seat | None, rng: Random) -> Table:
    """*table* with everything hidden from *seat* (``None``: from everybody) dealt anew, in the state and in what just
    happened. As long as the call window is open nobody has called; nobody else has clicked a move that has not landed.
    """
    case = CASES[table.game]
    return table._replace(
        window=table.window if table.window is not None and table.window.closed else None,
        held=table.held if table.held is not None and table.held.seat == seat else None,
        state=None if table.state is None else case.redealt(table.state, seat, rng),
        recent=tuple(case.otherwise(it, seat, rng) for it in table.recent),
        outcome=tuple(case.otherwise(it, seat, rng) for it in table.outcome),
    )
