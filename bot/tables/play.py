"""Clicks in a running game, and timers that act: the beat, the held move, the call window. Pure: table in, table out.

Every ``now`` and ``at`` is in ms since 1970; ``at`` is the snowflake time of the click, which decides who was first. A
move *lands* when it takes effect.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any, Final, NamedTuple

from bot.tables.computers import can_act, may_ask_for_hints, updated_memories
from bot.tables.errors import Refusal, Why
from bot.tables.model import Call, CallWindow, Ending, HeldMove, Phase, Table
from bot.tables.passing import automatic_pass_time, has_auto_pass_enabled
from bot.tables.timers import LATE_ARRIVAL_MS, computer_seats_yet_to_decide_call
from engine.errors import General, IllegalAction
from engine.fair import SeededChance
from engine.game import Seat, Step

ABSURD_LATENCY_MS: Final = 3000
"""A click older than this has missed Discord's deadline, so an older stamp means that a clock is wrong."""
SOON_MS: Final = 700
"""If a move takes effect this soon, the answer to its click waits for it, so that one answer is enough."""


class ClickEffect(Enum):
    """What a click that was not refused has done: the move landed or is held, a call is made, or nothing new."""

    LANDED = "landed"
    HELD = "held"
    CALLED = "called"
    """The call window is open."""
    REPEATED = "repeated"
    """Nothing new: a double click, or a call by somebody who is barred. It is answered like the first one."""


class ClickResult(NamedTuple):
    """The table after a click, and what the click has done to it."""

    table: Table
    effect: ClickEffect
    brief: bool = False
    """Whether only a move is held, for so short a time that its click is answered after it has landed.

    If it never lands, nobody was told of it.
    """


def clamp_click_time(at: int, now: int) -> int:
    """Limit the time *at* (ms) of a click to the three seconds before *now*: otherwise a clock is wrong.

    >>> clamp_click_time(5_000, now=5_100), clamp_click_time(9_000, now=5_100), clamp_click_time(0, now=5_100)
    (5000, 5100, 2100)
    """
    return min(max(at, now - ABSURD_LATENCY_MS), now)


def require_seat_in_game(table: Table, user: int) -> Seat:
    """Return the seat of *user* in the running game, or raise Refusal if they have none or no game is running."""
    if table.phase is Phase.LOBBY:
        raise Refusal(Why.NOT_STARTED)
    seat = table.seat_of(user)
    if seat is None:
        raise Refusal(Why.NOT_AT_TABLE)
    if table.phase is Phase.OVER:
        raise Refusal(Why.GAME_FINISHED)
    return seat


def _check_not_away_and_ply_valid(table: Table, seat: Seat, ply: int) -> None:
    """Raise Refusal if the person in *seat* is away, or their message shows more actions (*ply*) than were made: the
    button is forged, or a backup was restored."""
    if table.players[seat].away:
        raise Refusal(Why.AWAY)
    if ply > table.state.ply:
        raise Refusal(Why.BUTTON_DEAD)


def require_seat_on_turn(table: Table, user: int, ply: int) -> Seat:
    """Return the seat of *user*, or raise Refusal or IllegalAction if they are not on turn or their message is not of
    the present *ply*.

    *ply* is the number of actions made so far. At an unhurried table their cards are offered after *Next*.

    Raises:
        Refusal, IllegalAction: it is not on turn, the message is old, or they have to press *Next* first.
    """
    seat = require_seat_in_game(table, user)
    _check_not_away_and_ply_valid(table, seat, ply)
    if table.rules.on_turn(table.state) != seat:
        raise IllegalAction(General.NOT_YOUR_TURN)
    if ply < table.state.ply:
        raise Refusal(Why.HAND_CHANGED)
    if table.awaits_next and (table.window is None or not table.window.closed):
        raise Refusal(Why.NEXT_FIRST)
    return seat


def require_seat_for_hint(table: Table, user: int, ply: int) -> Seat:
    """The seat of *user*, if hints are on, all others are computers, and they can act or call now; else raise Refusal.

    *ply* is what the clicked message showed. An old message will do; a later ply is forged.

    Raises:
        Refusal: they may not have a hint.
    """
    seat = require_seat_in_game(table, user)
    _check_not_away_and_ply_valid(table, seat, ply)
    if table.rules.coach is None:
        raise Refusal(Why.BUTTON_DEAD)
    if not table.options.hints:
        raise Refusal(Why.NO_HINTS)
    if not may_ask_for_hints(table, seat):
        raise Refusal(Why.NOT_ALONE)
    if not can_act(table, seat):
        raise Refusal(Why.NOTHING_TO_DECIDE)
    return seat


def record_pick(table: Table, user: int, ply: int, now: int) -> Table:
    """Record that *user*, on turn, is active, as they picked something in their hand that is no move yet; or raise
    Refusal or IllegalAction.

    Their message showed *ply*. The game does not change, but the table does: its player needs no reminder and no new
    message that it is their turn.

    Raises:
        Refusal, IllegalAction: it is not their turn, or the game has moved on since *ply*.
    """
    return table.with_changed_player(require_seat_on_turn(table, user, ply), active_at=now)


def make_move(table: Table, user: int, ply: int, choose: Callable[[Seat], Any], at: int, now: int) -> ClickResult:
    """Make the game move that ``choose(seat)`` returns for *user*, now or held for a moment; or raise Refusal or
    IllegalAction.

    Their message showed *ply*. The move lands at once, or is held until the beat is over and no call that was stamped
    earlier can arrive any more. While the call window is open it is held like any other, so that nobody learns of the
    call; it lands only if it was made before the call, which is then void. A pass of somebody who lets the table pass
    for them lands when the table would have passed.

    At an unhurried table it lands at once, or as soon as the computer players have decided whether to call, which takes
    them some milliseconds; and the first move counts, as a second click would be too late a moment later.

    Raises:
        Refusal, IllegalAction: it is not their turn, the move is not legal, or everybody has seen a call; nothing has
            changed.
    """
    seat = require_seat_on_turn(table, user, ply)
    rules = table.rules
    action = choose(seat)
    step = rules.apply(table.state, action, make_shuffle_random(table))
    encoded = rules.encode_action(action)
    unhurried = table.unhurried_seat is not None
    if table.held is not None and (table.held.action == encoded or unhurried):
        return ClickResult(table, ClickEffect.REPEATED)
    later = (
        not unhurried
        and has_auto_pass_enabled(table, seat)
        and rules.is_pass(action)
        and clamp_click_time(at, now) < automatic_pass_time(table)
    )
    if unhurried:
        lands_at = now
    else:
        lands_at = max(clamp_click_time(at, now), automatic_pass_time(table) if later else table.beat_ends)
    window = table.window
    if window is not None and window.closed:
        raise Refusal(Why.CALL_STANDS, names=[table.players[call.seat].name for call in window.calls])
    hold = table.hold_ms if rules.callers(table.state) else 0
    due = max(now, lands_at) + hold
    if window is not None and lands_at < window.first_call_at:
        window = None
    if not later:  # else it must be to all others as if the table passed for them
        table = table.with_changed_player(seat, timeouts=0, active_at=now)
    if window is None and due <= now and not (unhurried and computer_seats_yet_to_decide_call(table)):
        return ClickResult(apply_step(_with_action_entry(table, action), step, now), ClickEffect.LANDED)
    if window is not None and clamp_click_time(at, now) > window.first_call_at:
        window = window._replace(barred=(*window.barred, seat))
    brief = table.window is None and table.held is None and due - now <= SOON_MS
    return ClickResult(
        table._replace(held=HeldMove(seat, encoded, lands_at, due), window=window), ClickEffect.HELD, brief
    )


def make_call(table: Table, user: int, ply: int, at: int, now: int) -> ClickResult:
    """Make a call of "17!" for *user*: open the call window or join it; or raise Refusal or IllegalAction.

    Their message showed *ply*. While the window is open every call is taken in the same way, those that come too late
    as well (D9).

    Raises:
        Refusal, IllegalAction: they may not call, or are too late; nothing has changed.
    """
    seat = require_seat_in_game(table, user)
    _check_not_away_and_ply_valid(table, seat, ply)
    rules = table.rules
    if rules.calls is None:
        raise Refusal(Why.BUTTON_DEAD)
    stale = ply < table.state.ply
    try:
        rules.apply(table.state, rules.call((seat,)), make_shuffle_random(table))
    except IllegalAction as illegal:
        if stale and illegal.reason is General.NOTHING_TO_CALL:
            raise Refusal(Why.ROUND_OVER) from illegal
        raise
    if stale:
        raise Refusal(Why.MOVED_ON)
    if seat not in table.may_call:
        raise Refusal(Why.NEXT_PRESSED)
    at = clamp_click_time(at, now)
    window = table.window
    if window is not None and window.closed:
        first = min(window.calls, key=lambda other: other.at)
        raise Refusal(Why.CALLED_TOO_LATE, name=table.players[first.seat].name)
    if window is None and table.held is not None and at >= table.held.lands_at:
        raise Refusal(Why.CARD_WAS_FIRST, name=table.players[table.held.seat].name)
    table = table.with_changed_player(seat, timeouts=0, active_at=now)
    if window is not None and (seat in window.barred or any(other.seat == seat for other in window.calls)):
        return ClickResult(table, ClickEffect.REPEATED)
    return add_call_to_window(table, seat, at, now)


def go_on_without_call(table: Table, user: int, ply: int, now: int) -> Table:
    """Record that *user*, who could call, has pressed *Next*, so that the game of their unhurried table goes on; or
    raise Refusal.

    Their message showed *ply*. They cannot call any more before the next card. The computer players decide now whether
    they call. A second click at the same ply changes nothing.

    Raises:
        Refusal: the table does not wait for them, or no longer does.
    """
    seat = require_seat_in_game(table, user)
    _check_not_away_and_ply_valid(table, seat, ply)
    if seat != table.unhurried_seat:
        raise Refusal(Why.BUTTON_DEAD)
    if table.next_pressed == ply == table.state.ply:
        return table
    if ply < table.state.ply or not table.awaits_next or table.window is not None:
        raise Refusal(Why.HAND_CHANGED)
    return table.with_changed_player(seat, timeouts=0, active_at=now)._replace(next_pressed=ply)


def add_call_to_window(table: Table, seat: Seat, at: int, now: int, *, by_clock: bool = False) -> ClickResult:
    """Add the checked call ("17!") of *seat* to the call window, or open one; if this table collects no calls (0 ms),
    apply it to the game at once.

    *by_clock*: a computer has made it for somebody whose time was up. A move that has not landed stays held while the
    window is open, so that its player learns nothing; then it is dropped. At an unhurried table the window closes as
    soon as the computer players have decided: nobody else is to be waited for.
    """
    mine = Call(seat, at, by_clock)
    if table.window is not None:
        window = table.window._replace(calls=(*table.window.calls, mine))
        return ClickResult(table._replace(window=window), ClickEffect.CALLED)
    if table.unhurried_seat is not None:
        return ClickResult(table._replace(window=CallWindow((mine,), now)), ClickEffect.CALLED)
    window_ms = table.window_ms
    if window_ms == 0:
        return ClickResult(apply_action(table, table.rules.call((seat,)), now, by_clock=by_clock), ClickEffect.LANDED)
    window = CallWindow((mine,), max(now, at + window_ms) + LATE_ARRIVAL_MS)
    return ClickResult(table._replace(window=window), ClickEffect.CALLED)


def close_call_window(table: Table, window: CallWindow, now: int) -> Table:
    """Close the call *window*, drop the held move, and show who called within ``window_ms`` of the first call (D9).

    After ``reveal_delay_ms`` the cards are turned over; at once if that is 0.
    """
    calls = sorted(window.calls, key=lambda call: call.at)
    counted = tuple(call for call in calls if call.at <= window.first_call_at + table.options.window_ms)
    closed = CallWindow(counted, now + table.options.reveal_delay_ms, closed=True)
    table = table._replace(window=closed, held=None)
    return table if table.options.reveal_delay_ms else apply_calls(table, closed, now)


def apply_calls(table: Table, window: CallWindow, now: int) -> Table:
    """Apply all calls of the closed *window* to the game as one action: the cards are turned over."""
    action = table.rules.call([call.seat for call in window.calls])
    return apply_action(table, action, now, by_clock=any(call.by_clock for call in window.calls))


def land_held_move(table: Table, held: HeldMove, now: int) -> Table:
    """Apply the *held* move, which has waited long enough, to the game at *now* (ms)."""
    return apply_action(table, table.rules.decode_action(held.action), now)


def apply_action(table: Table, action: Any, now: int, *, by_clock: bool = False) -> Table:
    """Apply the *action* to the game of *table*, add it to the record, and begin the next turn; or raise IllegalAction.

    *by_clock*: a computer has made it because the time of the player on turn was up. See ``apply_step``.

    Raises:
        IllegalAction: it is not legal.
    """
    step = table.rules.apply(table.state, action, make_shuffle_random(table))
    return apply_step(_with_action_entry(table, action, by_clock=by_clock), step, now)


def _with_action_entry(table: Table, action: Any, *, by_clock: bool = False) -> Table:
    """Add *action* to what is to be recorded of the game; *by_clock*: a computer made it because the time was up."""
    entry = table.rules.encode_action(action)
    return table.with_entry({**entry, "by": "clock"} if by_clock else entry)


def apply_step(table: Table, step: Step[Any, Any], now: int) -> Table:
    """Put the new game state of *step* into *table*, and begin the next turn with its beat, or end the game.

    After the end of a round there is time to see the result instead. No move is held and no call window is open.
    Handovers are forgotten only after as many actions as there are seats, because computers may act before anybody has
    read of them.
    """
    rules, options = table.rules, table.options
    over = rules.on_turn(step.state) is None
    ended = rules.ends_round(step.events)
    rest = options.round_result_display_ms if ended else options.beat_ms if rules.needs_pause(step) else 0
    return table._replace(
        state=step.state,
        recent=step.events,
        highlights=rules.add_highlights(table.highlights, table.state, step),
        memories=updated_memories(table, step.events),
        outcome=step.events if ended else table.outcome,
        outcome_ply=step.state.ply - 1 if ended else table.outcome_ply,
        turn_began=now,
        turn_credit=0,
        beat_ends=now + rest,
        overdue=None,
        handovers=tuple(it for it in table.handovers if step.state.ply < it.ply + len(table.players)),
        held=None,
        window=None,
        phase=Phase.OVER if over else table.phase,
        ending=Ending.FINISHED if over else None,
    )


def make_shuffle_random(table: Table) -> SeededChance:
    """Make the random generator for shuffles and drawn cards, from the table's secret seed: always the same for the
    same table."""
    return SeededChance(bytes.fromhex(table.seed))
