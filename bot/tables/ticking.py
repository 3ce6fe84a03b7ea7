"""What happens when a timer is due: the window closes, a held move lands, computer players act, a turn's time is up.

Pure: table in, table out. Every ``now`` is in ms since 1970.

Computer players take a while to decide, so their decisions can be made before (``decide_for_computers``): elsewhere
than in the event loop, which must not be blocked.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final, NamedTuple

from bot.tables.errors import UnusableTable
from bot.tables.leaving import close_table, give_seat_to_computer
from bot.tables.model import Ending, Phase, Table
from bot.tables.names import computer_level
from bot.tables.play import add_call_to_window, apply_action, apply_calls, close_call_window, land_held_move
from bot.tables.start import return_to_lobby_after_failed_start
from bot.tables.timers import DueTimer, Timer, computer_seats_yet_to_decide_call, next_due
from engine.game import Seat

TIMEOUTS_TO_GO_AWAY: Final = 2
"""Time-outs in a row after which a computer player takes over (L1)."""


class ComputerDecisions(NamedTuple):
    """The game actions that computer players have chosen for one version of the table, by seat."""

    version: int
    """The version of the table for which they have decided."""
    actions: Mapping[Seat, Any]
    """By seat; ``None``: nothing."""


NO_DECISIONS: Final = ComputerDecisions(-1, {})


def decide_for_computers(table: Table) -> ComputerDecisions:
    """Choose the actions that computer players need when the first timer of *table* is due; takes milliseconds. Raises
    UnusableTable.

    Raises:
        UnusableTable: it fails, and would do so again.
    """
    due = next_due(table)
    try:
        return ComputerDecisions(
            table.version, {seat: _decide_action(table, seat) for seat in _computer_seats_that_must_decide(table, due)}
        )
    except Exception as error:  # as in ``serve_due_timer``
        raise UnusableTable.from_error(table.id, error) from error


def computers_must_decide(table: Table) -> bool:
    """Whether a computer player has to choose an action when the first timer of *table* is due."""
    return bool(_computer_seats_that_must_decide(table, next_due(table)))


def _computer_seats_that_must_decide(table: Table, due: DueTimer | None) -> list[Seat]:
    """Return the seats whose computer must choose an action when the timer *due* acts; empty if none must."""
    if due is None or table.phase is not Phase.PLAYING:
        return []
    on_turn = table.rules.on_turn(table.state)
    match due.timer:
        case Timer.COMPUTERS_CALL:
            return computer_seats_yet_to_decide_call(table)
        case Timer.COMPUTER | Timer.TURN if on_turn is not None:
            return [on_turn]
        case _:
            return []


def serve_due_timer(table: Table, now: int, decisions: ComputerDecisions = NO_DECISIONS) -> Table:
    """Apply the first timer of *table* if it is due at *now* (ms); return the same object if none is, or raise
    UnusableTable if that fails.

    The actions of computer players are taken from *decisions*, if those are of this version of the table; else they are
    computed here.

    Raises:
        UnusableTable: it fails, and would do so again: nothing here depends on anything but the table.
    """
    due = next_due(table)
    if due is None or due.at > now:
        return table
    try:
        return _apply_timer(table, due, now, decisions.actions if decisions.version == table.version else {})
    except Exception as error:  # a bug or damage of any kind: the same table fails again, so it is told apart
        raise UnusableTable.from_error(table.id, error) from error


def _apply_timer(table: Table, due: DueTimer, now: int, decided: Mapping[Seat, Any]) -> Table:
    """Do what the timer *due* stands for, as landing a move or ending a turn; *decided* has actions that computers have
    chosen already, by seat."""
    rules, state = table.rules, table.state
    match due.timer:
        case Timer.WINDOW:
            assert table.window is not None
            return close_call_window(table, table.window, now)
        case Timer.REVEAL:
            assert table.window is not None
            return apply_calls(table, table.window, now)
        case Timer.LANDING:
            assert table.held is not None
            return land_held_move(table, table.held, now)
        case Timer.COMPUTERS_CALL:
            return _ask_computers_for_calls(table, due.at, now, decided)
        case Timer.FORCED:
            return apply_action(table, rules.forced_call(state), now)
        case Timer.PASS:
            return apply_action(table, rules.forced_pass(state), now)
        case Timer.COMPUTER:
            return _make_computer_move(table, now, decided)
        case Timer.REMINDER:
            return table._replace(reminded=table.turn_began)
        case Timer.TURN:
            return _play_for_timed_out(table, now, decided)
        case Timer.STARTING:
            return return_to_lobby_after_failed_start(table)
        case Timer.IDLE:
            return close_table(table, Ending.IDLE)


def _make_seeded_random(table: Table, seat: Seat) -> Random:
    """Make the random generator for a decision of the computer in *seat*, from seed and ply: always the same
    numbers."""
    return Random(f"{table.seed}/{table.state.ply}/{seat}")


def _decide_action(table: Table, seat: Seat) -> Any:
    """Choose the action of the computer in *seat* from its view and memory; ``None`` if it could call but does not."""
    rules, memory = table.rules, table.memories[seat] if table.memories else None
    plays_at = computer_level(table.players[seat], rules)
    return rules.decide(rules.views.view(table.state, seat), _make_seeded_random(table, seat), plays_at, memory)


def _ask_computers_for_calls(table: Table, called_at: int, now: int, decided: Mapping[Seat, Any]) -> Table:
    """Let each computer player that has not decided at this ply say once whether it calls ("17!"), and accept its call
    as made at *called_at* (ms).

    *decided* are the actions that they have chosen already, by seat. If the one on turn is asked as well, and has
    chosen a card, it plays that later.
    """
    rules, state = table.rules, table.state
    asked = computer_seats_yet_to_decide_call(table)
    table = table._replace(calls_decided=state.ply)
    for seat in asked:
        if (decided[seat] if seat in decided else _decide_action(table, seat)) == rules.call((seat,)):
            if table.window is not None and any(call.seat == seat for call in table.window.calls):
                continue
            table = add_call_to_window(table, seat, called_at, now).table
            if table.state.ply != state.ply:
                break
    return table


def _make_computer_move(table: Table, now: int, decided: Mapping[Seat, Any], *, by_clock: bool = False) -> Table:
    """Make the move or call that the computer in the seat on turn has *decided* on, or chooses now.

    *by_clock*: it acts for a person whose time was up. A call opens a window, like anybody's.
    """
    rules, state = table.rules, table.state
    seat = rules.on_turn(state)
    assert seat is not None
    action = decided[seat] if seat in decided else _decide_action(table, seat)
    if seat in rules.callers(state) and action == rules.call((seat,)):
        return add_call_to_window(table, seat, now, now, by_clock=by_clock).table
    return apply_action(table, action, now, by_clock=by_clock)


def _play_for_timed_out(table: Table, now: int, decided: Mapping[Seat, Any]) -> Table:
    """Let a computer act for the person on turn, whose time is up; at the second time-out in a row it takes over the
    seat (L1).

    If nobody is at the table any more, the game pauses instead (L2).
    """
    seat = table.rules.on_turn(table.state)
    assert seat is not None
    timeouts = table.players[seat].timeouts + 1
    table = table.with_changed_player(seat, timeouts=timeouts)
    if timeouts >= TIMEOUTS_TO_GO_AWAY:
        table = give_seat_to_computer(table, seat, timed_out=True)
    if not table.paused:
        ply = table.state.ply
        table = _make_computer_move(table, now, decided, by_clock=True)
        if table.state.ply == ply:  # it has called, which nobody may learn yet (D9)
            return table
    return table._replace(overdue=seat)
