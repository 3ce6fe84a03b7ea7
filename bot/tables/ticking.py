"""What happens when a timer is due: the window closes, a held move lands, computer players call and move, a turn's time
is up. Pure: table in, table out. Every ``now`` is in ms since 1970.

What computer players do takes them a while to find out, so it can be found out before (``thoughts_of``): elsewhere
than in the event loop, which must not stand still.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final, NamedTuple

from bot.tables.errors import Unusable
from bot.tables.leaving import close, take_over
from bot.tables.model import Ending, Phase, Table
from bot.tables.names import level
from bot.tables.play import accept_call, act, close_window, land, turn_over
from bot.tables.start import reopen
from bot.tables.timers import Due, Timer, next_due
from engine.game import Seat

TIMEOUTS_TO_GO_AWAY: Final = 2
"""Time-outs in a row after which a computer player takes over (L1)."""


class Thoughts(NamedTuple):
    """What computer players have decided to do."""

    version: int
    """Of the table for which they have."""
    actions: Mapping[Seat, Any]
    """By seat; ``None``: nothing."""


NO_THOUGHTS: Final = Thoughts(-1, {})


def thoughts_of(table: Table) -> Thoughts:
    """What the computer players will do when the first timer of *table* is due: it takes each of them some
    milliseconds.

    Raises:
        Unusable: it fails, and would do so again.
    """
    due = next_due(table)
    try:
        return Thoughts(table.version, {seat: _decide(table, seat) for seat in _thinkers(table, due)})
    except Exception as error:  # as in ``tick``
        raise Unusable.because_of(table.id, error) from error


def must_think(table: Table) -> bool:
    """Whether computer players have something to decide when the first timer of *table* is due."""
    return bool(_thinkers(table, next_due(table)))


def _thinkers(table: Table, due: Due | None) -> list[Seat]:
    """The seats whose computer players decide something when the timer *due* acts."""
    if due is None or table.phase is not Phase.PLAYING:
        return []
    on_turn = table.rules.on_turn(table.state)
    match due.timer:
        case Timer.COMPUTERS_CALL:
            return [it for it in table.rules.callers(table.state) if it != on_turn and table.players[it].automatic]
        case Timer.COMPUTER | Timer.TURN if on_turn is not None:
            return [on_turn]
        case _:
            return []


def tick(table: Table, now: int, thoughts: Thoughts = NO_THOUGHTS) -> Table:
    """The table after the first timer that is due by *now*; the very same object if none is. What computer players do
    is taken from their *thoughts*, if those are of this version of the table.

    Raises:
        Unusable: it fails, and would do so again: nothing here depends on anything but the table.
    """
    due = next_due(table)
    if due is None or due.at > now:
        return table
    try:
        return _serve(table, due, now, thoughts.actions if thoughts.version == table.version else {})
    except Exception as error:  # a bug or damage of any kind: the same table fails again, so it is told apart
        raise Unusable.because_of(table.id, error) from error


def _serve(table: Table, due: Due, now: int, decided: Mapping[Seat, Any]) -> Table:
    """The table after the timer *due* has acted; some computer players have *decided* what to do."""
    rules, state = table.rules, table.state
    match due.timer:
        case Timer.WINDOW:
            assert table.window is not None
            return close_window(table, table.window, now)
        case Timer.REVEAL:
            assert table.window is not None
            return turn_over(table, table.window, now)
        case Timer.LANDING:
            assert table.held is not None
            return land(table, table.held, now)
        case Timer.COMPUTERS_CALL:
            return _computers_call(table, due.at, now, decided)
        case Timer.FORCED:
            return act(table, rules.forced(state), now)
        case Timer.PASS:
            return act(table, rules.forced_pass(state), now)
        case Timer.COMPUTER:
            return _computer_moves(table, now, decided)
        case Timer.REMINDER:
            return table._replace(reminded=table.turn_began)
        case Timer.TURN:
            return _time_is_up(table, now, decided)
        case Timer.STARTING:
            return reopen(table)
        case Timer.IDLE:
            return close(table, Ending.IDLE)


def _generator(table: Table, seat: Seat) -> Random:
    """The computer player's random numbers for this ply: the same in a replay, unknown to anybody without the seed."""
    return Random(f"{table.seed}/{table.state.ply}/{seat}")


def _decide(table: Table, seat: Seat) -> Any:
    """The action of the computer player in *seat*, which sees that seat's view and remembers what it has witnessed
    there; ``None``: it does not call."""
    rules, memory = table.rules, table.memories[seat] if table.memories else None
    plays_at = level(table.players[seat], rules)
    return rules.decide(rules.views.view(table.state, seat), _generator(table, seat), plays_at, memory)


def _computers_call(table: Table, at: int, now: int, decided: Mapping[Seat, Any]) -> Table:
    """The table after the computer players off turn have decided, once per ply, whether to call; calls count as made at
    *at*. Some have *decided* already."""
    rules, state = table.rules, table.state
    on_turn = rules.on_turn(state)
    table = table._replace(calls_decided=state.ply)
    for seat in rules.callers(state):
        player = table.players[seat]
        if not player.automatic or seat == on_turn:
            continue
        if (decided[seat] if seat in decided else _decide(table, seat)) is not None:
            if table.window is not None and any(call.seat == seat for call in table.window.calls):
                continue
            table = accept_call(table, seat, at, now).table
            if table.state.ply != state.ply:
                break
    return table


def _computer_moves(table: Table, now: int, decided: Mapping[Seat, Any], *, by_clock: bool = False) -> Table:
    """The table after the computer on turn has moved, as it has *decided*, if it has; *by_clock*: for a person whose
    time was up; a call by it opens a window, like anybody's."""
    rules, state = table.rules, table.state
    seat = rules.on_turn(state)
    assert seat is not None
    action = decided[seat] if seat in decided else _decide(table, seat)
    if seat in rules.callers(state) and action == rules.call((seat,)):
        return accept_call(table, seat, now, now, by_clock=by_clock).table
    return act(table, action, now, by_clock=by_clock)


def _time_is_up(table: Table, now: int, decided: Mapping[Seat, Any]) -> Table:
    """The table after a time-out: the computer plays this turn, as it has *decided*, if it has; at the second in a row
    it takes over the seat (L1).

    If nobody is at the table any more, the game pauses instead (L2).
    """
    seat = table.rules.on_turn(table.state)
    assert seat is not None
    timeouts = table.players[seat].timeouts + 1
    table = table.with_player(seat, timeouts=timeouts)
    if timeouts >= TIMEOUTS_TO_GO_AWAY:
        table = take_over(table, seat, timed_out=True)
    if not table.paused:
        ply = table.state.ply
        table = _computer_moves(table, now, decided, by_clock=True)
        if table.state.ply == ply:  # it has called, which nobody may learn yet (D9)
            return table
    return table._replace(overdue=seat)
