"""A table while the game runs: clicks, the beat, the call window, computer players, leaving. Pure: table in,
table out. Every ``now`` and ``at`` is in ms since 1970; ``at`` is the snowflake time of the click, the referee.
"""

from collections.abc import Callable
from enum import Enum
from random import Random
from typing import Any, Final, NamedTuple

from bot.refusals import Refusal, Why
from bot.tables.model import Ending, Held, Phase, Shout, Table, Window
from bot.tables.timers import LATE_ARRIVAL_MS, Due, Timer, next_due
from engine.errors import General, IllegalAction
from engine.fair import Fair
from engine.game import Seat, Step

TIMEOUTS_TO_GO_AWAY: Final = 2
"""Time-outs in a row after which a computer player takes over (L1)."""
ABSURD_LATENCY_MS: Final = 3000
"""A click older than this has missed Discord's deadline; a stamp beyond it is a clock that is wrong."""


class Outcome(Enum):
    """What became of a click that was not refused."""

    LANDED = "landed"
    HELD = "held"
    SHOUTED = "shouted"
    """The call window is open."""
    REPEATED = "repeated"
    """A double click: nothing new."""


class Clicked(NamedTuple):
    table: Table
    outcome: Outcome


def honest(at: int, now: int) -> int:
    """The click's time *at*, within what is possible if both clocks are right."""
    return min(max(at, now - ABSURD_LATENCY_MS), now)


def _seat(table: Table, user: int) -> Seat:
    if table.phase is Phase.LOBBY:
        raise Refusal(Why.NOT_STARTED)
    seat = table.seat_of(user)
    if seat is None:
        raise Refusal(Why.NOT_AT_TABLE)
    if table.phase is Phase.OVER:
        raise Refusal(Why.GAME_FINISHED)
    return seat


def _check_here(table: Table, seat: Seat, ply: int) -> None:
    """A person sits here, and the button is not from the future."""
    if table.players[seat].away:
        raise Refusal(Why.AWAY)
    if ply > table.rules.ply(table.state):
        raise Refusal(Why.BUTTON_DEAD)


def on_turn(table: Table, user: int, ply: int) -> Seat:
    """The seat of *user*, who is on turn and sees it on a message that showed *ply*.

    Raises:
        Refusal, IllegalAction: it is not so.
    """
    seat = _seat(table, user)
    _check_here(table, seat, ply)
    if table.rules.on_turn(table.state) != seat:
        raise IllegalAction(General.NOT_YOUR_TURN)
    if ply < table.rules.ply(table.state):
        raise Refusal(Why.HAND_CHANGED)
    return seat


def pick(table: Table, user: int, ply: int, now: int) -> Table:
    """*user*, on turn, takes a step on the way to a move: nothing changes but that they are here.

    Raises:
        Refusal, IllegalAction: it is not their turn on a message that showed *ply*.
    """
    return table.with_player(on_turn(table, user, ply), active_at=now)


def move(table: Table, user: int, ply: int, choose: Callable[[Seat], Any], at: int, now: int) -> Clicked:
    """*user* makes the move that ``choose(seat)`` names, from a message that showed *ply*.

    Raises:
        Refusal, IllegalAction: nothing has changed.
    """
    seat = on_turn(table, user, ply)
    rules = table.rules
    action = choose(seat)
    step = rules.apply(table.state, action, _chance(table))
    encoded = rules.encode_action(action)
    if table.held is not None and table.held.action == encoded:
        return Clicked(table, Outcome.REPEATED)
    lands_at = max(honest(at, now), table.beat_ends)
    if table.window is not None and lands_at >= table.window.first:
        raise Refusal(Why.CALL_STANDS, names=[table.players[s.seat].name for s in table.window.shouts])
    hold = table.options.hold_ms if rules.shouters(table.state) else 0
    due = max(now, lands_at) + hold
    table = table.with_player(seat, timeouts=0, active_at=now)._replace(window=None, held=None)
    if due <= now:
        return Clicked(_after(table, step, now), Outcome.LANDED)
    return Clicked(table._replace(held=Held(seat, encoded, lands_at, due)), Outcome.HELD)


def shout(table: Table, user: int, ply: int, at: int, now: int) -> Clicked:
    """*user* interrupts from a message that showed *ply*.

    Raises:
        Refusal, IllegalAction: nothing has changed.
    """
    seat = _seat(table, user)
    _check_here(table, seat, ply)
    rules = table.rules
    if not rules.interrupts:
        raise Refusal(Why.BUTTON_DEAD)
    stale = ply < rules.ply(table.state)
    try:
        rules.apply(table.state, rules.shout((seat,)), _chance(table))
    except IllegalAction as illegal:
        if stale and illegal.reason is General.NOTHING_TO_CALL:
            raise Refusal(Why.ROUND_OVER) from illegal
        raise
    if stale:
        raise Refusal(Why.MOVED_ON)
    at = honest(at, now)
    if table.held is not None and at >= table.held.lands_at:
        raise Refusal(Why.CARD_WAS_FIRST, name=table.players[table.held.seat].name)
    table = table.with_player(seat, timeouts=0, active_at=now)
    if table.window is not None:
        if any(shout.seat == seat for shout in table.window.shouts):
            return Clicked(table, Outcome.REPEATED)
        if at > table.window.first + table.options.window_ms:
            name = table.players[min(table.window.shouts, key=lambda s: s.at).seat].name
            raise Refusal(Why.CALLED_TOO_LATE, name=name)
    return _shouted(table, seat, at, now)


def _shouted(table: Table, seat: Seat, at: int, now: int) -> Clicked:
    """*seat* joins the call window, or opens it; with no window at all the call counts at once."""
    mine = Shout(seat, at)
    if table.window is not None:
        shouts = (*table.window.shouts, mine)
        return Clicked(table._replace(window=table.window._replace(shouts=shouts)), Outcome.SHOUTED)
    window_ms = table.options.window_ms
    if window_ms == 0:
        step = table.rules.apply(table.state, table.rules.shout((seat,)), _chance(table))
        return Clicked(_after(table, step, now), Outcome.LANDED)
    window = Window((mine,), max(now, at + window_ms) + LATE_ARRIVAL_MS)
    return Clicked(table._replace(window=window, held=None), Outcome.SHOUTED)


def tick(table: Table, now: int) -> Table:
    """*table* after the first thing that is due by *now*; the very same table when nothing is."""
    due = next_due(table)
    return table if due is None or due.at > now else _serve(table, due, now)


def _serve(table: Table, due: Due, now: int) -> Table:
    rules, state = table.rules, table.state
    match due.timer:
        case Timer.WINDOW:
            assert table.window is not None
            return _close_window(table, table.window, now)
        case Timer.LANDING:
            assert table.held is not None
            action = rules.decode_action(table.held.action)
            return _after(table, rules.apply(state, action, _chance(table)), now)
        case Timer.SHOUT:
            return _computers_shout(table, due.at, now)
        case Timer.FORCED:
            return _after(table, rules.apply(state, rules.forced(state), _chance(table)), now)
        case Timer.COMPUTER:
            return _computer_moves(table, now)
        case Timer.REMINDER:
            return table._replace(reminded=table.turn_began)
        case Timer.TURN:
            return _time_is_up(table, now)
        case Timer.IDLE:
            return close(table, Ending.IDLE)


def _close_window(table: Table, window: Window, now: int) -> Table:
    """Everybody who called within the window of the first did so at the same time (D9)."""
    shouts = sorted(window.shouts, key=lambda shout: shout.at)
    counted = [shout.seat for shout in shouts if shout.at <= window.first + table.options.window_ms]
    rules = table.rules
    return _after(table, rules.apply(table.state, rules.shout(counted), _chance(table)), now)


def _dice(table: Table, seat: Seat) -> Random:
    """The computer player's own dice: the same in a replay, unknown to anybody without the seed."""
    return Random(f"{table.seed}/{table.rules.ply(table.state)}/{seat}")


def _decide(table: Table, seat: Seat) -> Any:
    return table.rules.decide(table.rules.view(table.state, seat), _dice(table, seat))


def _computers_shout(table: Table, at: int, now: int) -> Table:
    rules, state = table.rules, table.state
    on_turn = rules.on_turn(state)
    table = table._replace(shouted=rules.ply(state))
    for seat in rules.shouters(state):
        player = table.players[seat]
        if player.automatic and seat != on_turn and _decide(table, seat) is not None:
            if table.window is not None and any(shout.seat == seat for shout in table.window.shouts):
                continue
            table = _shouted(table, seat, at, now).table
            if rules.ply(table.state) != rules.ply(state):
                break
    return table


def _computer_moves(table: Table, now: int) -> Table:
    """The computer on turn plays; its call opens a window like anybody's."""
    rules, state = table.rules, table.state
    seat = rules.on_turn(state)
    assert seat is not None
    action = _decide(table, seat)
    if seat in rules.shouters(state) and action == rules.shout((seat,)):
        return _shouted(table, seat, now, now).table
    return _after(table, rules.apply(state, action, _chance(table)), now)


def _time_is_up(table: Table, now: int) -> Table:
    """The computer plays this turn; after the second time-out in a row it takes over (L1)."""
    seat = table.rules.on_turn(table.state)
    assert seat is not None
    timeouts = table.players[seat].timeouts + 1
    table = table.with_player(seat, timeouts=timeouts)
    if timeouts >= TIMEOUTS_TO_GO_AWAY:
        table = _away(table, seat)
    return _computer_moves(table, now) if table.phase is Phase.PLAYING else table


def _after(table: Table, step: Step[Any, Any], now: int) -> Table:
    """*table* with the step taken: a new beat begins, what was held or called is done with."""
    rules = table.rules
    over = rules.on_turn(step.state) is None
    return table._replace(
        state=step.state,
        recent=step.events,
        outcome=step.events if rules.concludes(step.events) else table.outcome,
        turn_began=now,
        turn_credit=0,
        beat_ends=now + table.options.beat_ms if rules.rests(step) else now,
        held=None,
        window=None,
        phase=Phase.OVER if over else table.phase,
        ending=Ending.FINISHED if over else None,
    )


def _chance(table: Table) -> Fair:
    return Fair(bytes.fromhex(table.seed))


def _away(table: Table, seat: Seat) -> Table:
    """A computer plays on for *seat* (L1); without any human left the game is abandoned (L2)."""
    table = table.with_player(seat, away=True)
    if table.held is not None and table.held.seat == seat:
        table = table._replace(held=None)
    if all(player.automatic for player in table.players):
        return table._replace(phase=Phase.OVER, ending=Ending.ABANDONED, held=None, window=None)
    return table


def leave(table: Table, user: int) -> Table:
    """*user* goes; a computer player takes over the hand and what was won (L1)."""
    seat = _seat(table, user)
    if table.players[seat].away:
        raise Refusal(Why.NOT_AT_TABLE)
    return _away(table, seat)


def gone(table: Table, user: int) -> Table:
    """*user* has left the server and cannot say so: as ``leave``, but never refused."""
    seat = table.seat_of(user)
    if table.phase is not Phase.PLAYING or seat is None or table.players[seat].away:
        return table
    return _away(table, seat)


def come_back(table: Table, user: int, now: int) -> Table:
    """*user* takes the seat back (L1)."""
    seat = _seat(table, user)
    if not table.players[seat].away:
        raise Refusal(Why.NOT_AWAY)
    table = table.with_player(seat, away=False, timeouts=0, active_at=now)
    return table._replace(turn_began=now, turn_credit=0) if table.rules.on_turn(table.state) == seat else table


def replace(table: Table, user: int, seat: Seat, moderator: bool) -> Table:
    """A computer player takes over for *seat*, by the host or a *moderator*."""
    _running(table)
    if user != table.host and not moderator:
        raise Refusal(Why.HOST_ONLY)
    if not 0 <= seat < len(table.players) or table.players[seat].automatic:
        raise Refusal(Why.NOBODY_TO_REPLACE)
    return _away(table, seat)


def end(table: Table, user: int, name: str, moderator: bool) -> Table:
    """The game ends without a winner, by the host or a *moderator*."""
    _running(table)
    if user != table.host and not moderator:
        raise Refusal(Why.HOST_ONLY)
    return table._replace(phase=Phase.OVER, ending=Ending.ENDED, ended_by=name, held=None, window=None)


def close(table: Table, ending: Ending) -> Table:
    """The table ends before its time, by nobody's will; over already, it stays as it is."""
    return table._replace(phase=Phase.OVER, ending=ending, held=None, window=None) if table.live else table


def _running(table: Table) -> None:
    if table.phase is Phase.LOBBY:
        raise Refusal(Why.NOT_STARTED)
    if table.phase is Phase.OVER:
        raise Refusal(Why.GAME_FINISHED)
