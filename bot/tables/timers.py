"""The timers of a table. They follow from the table alone, so none can be forgotten or left over."""

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from bot.tables.lobby import RESERVED_MS
from bot.tables.model import Phase, Table, cached_by_table, number_from_seed
from bot.tables.names import QUICK, computer_tempo
from bot.tables.passing import automatic_pass_time, has_auto_pass_enabled, will_pass_automatically
from bot.tables.start import STARTING_MS
from engine.game import Seat

LATE_ARRIVAL_MS: Final = 250
"""How long the call window stays open after its end, for clicks that are still on their way."""
CALL_SHARE: Final = (0.6, 0.9)
"""The parts of the beat between which computer players call: people have had time to see the card, and can be first."""
MIN_CALL_MS: Final = 900
"""The least time before a computer calls: at a fast pace nobody could be first. Without a beat they call at once."""
HIDDEN_CALL_FACTOR: Final = 1.25
"""How much a computer player's time to move varies in a game with calls, as a multiple of the time for which a call can
stay hidden: so its silence does not tell that somebody has called (D9). It is the same for quick characters and slow
ones."""
PAUSED_MS: Final = 3_600_000
"""A game that is paused for this long may be closed by somebody who opens a new table there (L2)."""
IDLE_MS: Final = 86_400_000
"""A table at which nothing has happened for this long is closed."""
REMINDER_SHARE: Final = 0.25
"""The last part of a turn's time; when it begins the player is reminded."""


class Timer(Enum):
    """The kinds of timers of a table. The order matters: of two that are due together the first acts first."""

    WINDOW = "window"
    """The call window closes."""
    REVEAL = "reveal"
    """The cards are turned over."""
    LANDING = "landing"
    """The held move lands."""
    COMPUTERS_CALL = "computers_call"
    """The computer players decide whether to call."""
    FORCED = "forced"
    """The player on turn has no choice, so the table acts for them (D10)."""
    PASS = "pass"
    """The player on turn can only pass, and lets the table do that."""
    COMPUTER = "computer"
    """The computer player on turn moves."""
    REMINDER = "reminder"
    TURN = "turn"
    """The turn's time is up (L1)."""
    STARTING = "starting"
    """No message for the game could be sent: the table goes back to the lobby."""
    IDLE = "idle"
    """Nothing has happened for a day: the table closes."""


PLAYER_CLOCK: Final = frozenset({Timer.REMINDER, Timer.TURN})
"""Timers that run against a person: they wait while we are cut off from Discord."""

_ORDER: Final = {timer: number for number, timer in enumerate(Timer)}
"""The order of timers that are due at the same moment."""


class DueTimer(NamedTuple):
    """A kind of timer of a table, and the time when it is due."""

    at: int
    """ms since 1970."""
    timer: Timer


def all_timers(table: Table) -> Iterator[DueTimer]:
    """Yield all timers of *table* with the times at which they are due, in no order; none if it is over."""
    if not table.live:
        return
    yield DueTimer(table.changed_at + IDLE_MS, Timer.IDLE)
    if table.starting:
        yield DueTimer(table.turn_began + table.turn_credit + STARTING_MS, Timer.STARTING)
    if table.phase is not Phase.PLAYING or table.paused or (table.awaits_next and table.window is None):
        return
    rules, state = table.rules, table.state
    on_turn = rules.on_turn(state)
    assert on_turn is not None
    if computer_seats_yet_to_decide_call(table):
        yield DueTimer(_computers_call_time(table), Timer.COMPUTERS_CALL)
        if table.unhurried_seat is not None:  # whatever else is due has to wait: else it would matter how soon it is
            return
    if table.window is not None:
        yield DueTimer(table.window.due, Timer.REVEAL if table.window.closed else Timer.WINDOW)
    elif table.held is not None:
        yield DueTimer(table.held.due, Timer.LANDING)
    if table.window is not None or table.held is not None:
        return
    hold = table.hold_ms if rules.callers(state) else 0
    if rules.forced_call(state) is not None:
        yield DueTimer(table.beat_ends + hold, Timer.FORCED)
    elif table.players[on_turn].automatic:
        yield DueTimer(_computer_move_time(table, on_turn) + hold, Timer.COMPUTER)
    elif will_pass_automatically(table):
        yield DueTimer(automatic_pass_time(table) + hold, Timer.PASS)
    elif limit := table.turn_ms:
        began = table.clock_began + table.turn_credit
        if table.reminded != table.turn_began:
            yield DueTimer(began + int(limit * (1 - REMINDER_SHARE)), Timer.REMINDER)
        yield DueTimer(began + limit, Timer.TURN)


def computer_seats_yet_to_decide_call(table: Table) -> list[Seat]:
    """Return the seats of computer players that have still to decide whether they call ("17!") at this ply, in seat
    order.

    The one on turn decides later, with its move. But where the person of an unhurried table may call it decides with
    the others, so that it is as quick as they are (D9); not if it must call, which it does when its time to play comes
    (D10).
    """
    rules, state = table.rules, table.state
    if table.calls_decided == state.ply or (table.window is not None and table.window.closed):
        return []
    callers = rules.callers(state)
    together = table.unhurried_seat in callers and rules.forced_call(state) is None
    later = None if together else rules.on_turn(state)
    return [seat for seat in callers if table.players[seat].automatic and seat != later]


def _computers_call_time(table: Table) -> int:
    """Return when (ms) the computer players decide whether to call, 60 to 90 % of the beat after the turn began, from
    the seed.

    Where the person of an unhurried table may call, it is at once when they have pressed *Next*, and the very moment of
    their call when they have called.
    """
    if table.unhurried_seat in table.rules.callers(table.state):
        return table.turn_began if table.window is None else table.window.first_call_at
    beat = table.options.beat_ms
    after = int(beat * number_from_seed(table, "call", *CALL_SHARE))
    return table.turn_began + max(after, min(MIN_CALL_MS, beat))


def _computer_move_time(table: Table, seat: Seat) -> int:
    """Return when (ms) the computer player in *seat*, on turn, makes its move: from its character's tempo, the pace and
    the seed.

    Never from the cards, or how many choices they leave.
    """
    beat = table.options.beat_ms
    least, most = (int(part * beat) for part in computer_tempo(table.players[seat]))
    quickest = int(QUICK.least * beat)
    if table.rules.calls is not None:  # everybody has the whole beat to call
        soonest = max(table.beat_ends, table.turn_began + beat) + least - quickest
        hidden_ms = table.window_ms + LATE_ARRIVAL_MS
        spread = HIDDEN_CALL_FACTOR * hidden_ms if table.window_ms else most - least
    else:
        soonest = max(table.beat_ends - quickest, table.turn_began) + least
        spread = most - least
    return soonest + int(number_from_seed(table, "move", 0, spread))


@cached_by_table
def next_due(table: Table) -> DueTimer | None:
    """Return the timer of *table* that is due first, though that may be in the future; ``None`` if it has none, as when
    it is over."""
    return min(all_timers(table), key=lambda due: (due.at, _ORDER[due.timer]), default=None)


def limit_future_times(table: Table, now: int) -> Table:
    """Return *table*, from the store, with times that lie too far ahead of *now* (ms) set back to what is possible; the
    same object if none does.

    If the table was written by a clock that was ahead, all times are set back by as much. Otherwise each time is
    limited.
    """
    ahead = table.changed_at - now
    right = _cap_times_at_latest_possible(_move_times_earlier(table, ahead) if ahead > 0 else table, now)
    return table if right == table else right


def _move_times_earlier(table: Table, ms: int) -> Table:
    """Return *table* with all times made earlier by *ms*."""
    held, window = table.held, table.window
    return table._replace(
        changed_at=table.changed_at - ms,
        turn_began=table.turn_began - ms,
        beat_ends=table.beat_ends - ms,
        offered_at=table.offered_at - ms if table.offered_at else 0,
        reminded=table.reminded - ms if table.reminded else 0,
        held=held and held._replace(lands_at=held.lands_at - ms, due=held.due - ms),
        window=window
        and window._replace(calls=tuple(call._replace(at=call.at - ms) for call in window.calls), due=window.due - ms),
    )


def _cap_times_at_latest_possible(table: Table, now: int) -> Table:
    """Return *table* with every time limited to the latest that is possible at *now* (ms), such as the end of a beat
    that begins now."""
    options, held, window = table.options, table.held, table.window
    beat_ends = min(table.beat_ends, now + max(options.beat_ms, options.round_result_display_ms))
    if held is not None:
        latest = max(now, beat_ends)
        if has_auto_pass_enabled(table, held.seat):
            at_rest = table._replace(turn_began=min(table.turn_began, now), beat_ends=beat_ends)
            latest = max(latest, automatic_pass_time(at_rest))
        lands_at = min(held.lands_at, latest)
        held = held._replace(lands_at=lands_at, due=min(held.due, max(now, lands_at) + table.hold_ms))
    if window is not None:
        rest = options.reveal_delay_ms if window.closed else table.window_ms + LATE_ARRIVAL_MS
        calls = tuple(call._replace(at=min(call.at, now)) for call in window.calls)
        window = window._replace(calls=calls, due=min(window.due, now + rest))
    turn_began, offered_at = min(table.turn_began, now), min(table.offered_at, now)
    return table._replace(
        turn_began=turn_began,
        offered_at=offered_at,
        turn_credit=min(table.turn_credit, now - max(turn_began, offered_at)),
        beat_ends=beat_ends,
        reserved_until=min(table.reserved_until, now + RESERVED_MS),
        held=held,
        window=window,
        players=tuple(player._replace(active_at=min(player.active_at, now)) for player in table.players),
    )
