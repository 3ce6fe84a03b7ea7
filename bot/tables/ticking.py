"""What happens when a timer is due: the window closes, a held move lands, computer players call and move, a turn's time
is up. Pure: table in, table out. Every ``now`` is in ms since 1970."""

from random import Random
from typing import Any, Final

from bot.tables.dealing import reopen
from bot.tables.leaving import close, take_over
from bot.tables.model import Ending, Table
from bot.tables.play import accept_call, act, close_window, land, turn_over
from bot.tables.storage import Unusable
from bot.tables.timers import Due, Timer, next_due
from engine.game import Seat

TIMEOUTS_TO_GO_AWAY: Final = 2
"""Time-outs in a row after which a computer player takes over (L1)."""


def tick(table: Table, now: int) -> Table:
    """The table after the first timer that is due by *now*; the very same object if none is.

    Raises:
        Unusable: it fails, and would do so again: nothing here depends on anything but the table.
    """
    due = next_due(table)
    if due is None or due.at > now:
        return table
    try:
        return _serve(table, due, now)
    except Exception as error:  # a bug or damage of any kind: the same table fails again, so it is told apart
        raise Unusable.because_of(table.id, error) from error


def _serve(table: Table, due: Due, now: int) -> Table:
    """The table after the timer *due* has acted."""
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
            return _computers_call(table, due.at, now)
        case Timer.FORCED:
            return act(table, rules.forced(state), now)
        case Timer.PASS:
            return act(table, rules.only_pass(state), now)
        case Timer.COMPUTER:
            return _computer_moves(table, now)
        case Timer.REMINDER:
            return table._replace(reminded=table.turn_began)
        case Timer.TURN:
            return _time_is_up(table, now)
        case Timer.STARTING:
            return reopen(table)
        case Timer.IDLE:
            return close(table, Ending.IDLE)


def _generator(table: Table, seat: Seat) -> Random:
    """The computer player's random numbers for this ply: the same in a replay, unknown to anybody without the seed."""
    return Random(f"{table.seed}/{table.rules.ply(table.state)}/{seat}")


def _decide(table: Table, seat: Seat) -> Any:
    """The action of the computer player in *seat*; ``None``: it does not call."""
    return table.rules.decide(table.rules.view(table.state, seat), _generator(table, seat))


def _computers_call(table: Table, at: int, now: int) -> Table:
    """The table after the computer players off turn have decided, once per ply, whether to call; calls count as made at
    *at*."""
    rules, state = table.rules, table.state
    on_turn = rules.on_turn(state)
    table = table._replace(calls_decided=rules.ply(state))
    for seat in rules.may_call(state):
        player = table.players[seat]
        if player.automatic and seat != on_turn and _decide(table, seat) is not None:
            if table.window is not None and any(call.seat == seat for call in table.window.calls):
                continue
            table = accept_call(table, seat, at, now).table
            if rules.ply(table.state) != rules.ply(state):
                break
    return table


def _computer_moves(table: Table, now: int, *, by_clock: bool = False) -> Table:
    """The table after the computer on turn has moved, *by_clock*: for a person whose time was up; a call by it opens a
    window, like anybody's."""
    rules, state = table.rules, table.state
    seat = rules.on_turn(state)
    assert seat is not None
    action = _decide(table, seat)
    if seat in rules.may_call(state) and action == rules.call((seat,)):
        return accept_call(table, seat, now, now, by_clock=by_clock).table
    return act(table, action, now, by_clock=by_clock)


def _time_is_up(table: Table, now: int) -> Table:
    """The table after a time-out: the computer plays this turn; at the second in a row it takes over the seat (L1).

    If nobody is at the table any more, the game pauses instead (L2).
    """
    seat = table.rules.on_turn(table.state)
    assert seat is not None
    timeouts = table.players[seat].timeouts + 1
    table = table.with_player(seat, timeouts=timeouts)
    if timeouts >= TIMEOUTS_TO_GO_AWAY:
        table = take_over(table, seat, timed_out=True)
    if not table.paused:
        ply = table.rules.ply(table.state)
        table = _computer_moves(table, now, by_clock=True)
        if table.rules.ply(table.state) == ply:  # it has called, which nobody may learn yet (D9)
            return table
    return table._replace(overdue=seat)
