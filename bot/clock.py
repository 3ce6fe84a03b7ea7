"""The clock of the program, and alarms. Times are milliseconds since 1970, as in Discord's snowflakes.

There is one clock for the whole program, and it shows Discord's time: clicks are compared with it. It counts with the
machine's steady clock, so setting the machine's time changes nothing. Discord's responses and snowflakes correct it.
"""

import heapq
import logging
import math
import time
from asyncio import TimerHandle, get_running_loop
from collections.abc import Callable
from itertools import count
from typing import Final, NamedTuple, Protocol

from bot.log import fields

log = logging.getLogger(__name__)

CHECK_INTERVAL_MS: Final = 250
"""How often the clock checks for due alarms, at least. So a machine that wakes up checks within this time."""
STALL_MS: Final = 300
"""If a check comes this much later than planned, the process or the machine stood still: a stall. A shorter delay is a
busy event loop."""
REPORTED_STALL_MS: Final = 1000
"""Stalls are reported once they add up to this: each report costs writes to the database and edits."""
CATCH_UP_MS: Final = 250
"""How long alarms wait after a stall, so clicks that have arrived meanwhile come first."""
DRIFT: Final = 1e-4
"""The highest error of the machine's steady clock: 0.1 ms a second."""
LOGGED_OFFSET_MS: Final = 500
"""A larger error of the machine's clock is logged."""
SET_BACK_MS: Final = 1000
"""If the clock is set back by less, times that were computed with it may stay as they are."""


JUMP_MS: Final = 5_000
"""An observation that would correct the clock by more must be confirmed by another one: a single answer may have a
wrong date (https://github.com/aws/aws-sdk-go-v2/issues/3409)."""
CONFIRM_AFTER_MS: Final = 1_000
"""How much later the confirming observation must be made, if it is of the same kind."""

DISCORD_EPOCH: Final = 1420070400000
"""Snowflakes count from 2015-01-01. https://discord.com/developers/docs/reference#snowflakes"""


def snowflake_time(snowflake: int) -> int:
    """Return when Discord made *snowflake* (the id of a message, an interaction ...), in ms since 1970.

    >>> snowflake_time(175928847299117063)
    1462015105796
    """
    return (snowflake >> 22) + DISCORD_EPOCH


def least_snowflake_at(ms: int) -> int:
    """Return the least snowflake (Discord id) of the time *ms* since 1970: every id that is made then or later is at
    least that.

    >>> snowflake_time(least_snowflake_at(1462015105796))
    1462015105796
    """
    return (ms - DISCORD_EPOCH) << 22


class Alarm(Protocol):
    """A planned wake-up that can still be cancelled."""

    def cancel(self) -> None:
        """Cancel the wake-up."""


class Clock(Protocol):
    """The source of time for the bot. Tests use clocks that they set themselves."""

    def now(self) -> int:
        """Return the present time on Discord's clock, in milliseconds since 1970."""
        ...

    def call_at(self, when: int, callback: Callable[[], None]) -> Alarm:
        """Call *callback* on the event loop at *when* (ms since 1970) or later; return the alarm, to cancel it."""
        ...

    def set_stall_callback(self, callback: Callable[[int, int], None]) -> None:
        """Set the *callback* that gets (began, ended), ms since 1970, after this process stood still: it was stopped,
        or the machine slept.

        The call comes before any alarm that fell due meanwhile. Short stalls are reported later, as one, when they add
        up to a second.
        """
        ...

    def set_backward_step_callback(self, callback: Callable[[], None]) -> None:
        """Set the *callback* that is called after this clock was set back by a second or more, so that times computed
        with it are too late."""
        ...

    def uncorrected_now(self) -> int:
        """Return this clock's own time in ms since 1970, not corrected to Discord's, for ``observe_discord_time``."""
        ...

    def observe_discord_time(self, earliest: int, latest: float, sent: float, received: int) -> None:
        """Correct this clock by an observation: Discord's clock showed *earliest* to *latest* at a moment between our
        readings *sent* and *received*.

        All are ms since 1970 (``math.inf`` or ``-math.inf``: unknown).
        """
        ...


_BOOTTIME: Final = getattr(time, "CLOCK_BOOTTIME", None)


def monotonic_ms() -> int:
    """Return the ms of a clock that counts from any moment and is never set; it counts on while the machine sleeps,
    where possible."""
    return (time.monotonic_ns() if _BOOTTIME is None else time.clock_gettime_ns(_BOOTTIME)) // 1_000_000


def _wall_clock_ms() -> int:
    """Return the machine's time of day, in ms since 1970; somebody may have set it wrong."""
    return time.time_ns() // 1_000_000


class Offset:
    """The difference between Discord's time and this machine's clock (ms): a lower and an upper bound, narrowed by
    every observation.

    Times are in ms. As the clock may drift, the bounds widen slowly.
    """

    def __init__(self) -> None:
        self._least, self._most = -math.inf, math.inf
        self._at = 0
        self.known = False
        """Whether there has been an observation with both bounds."""
        self.value = 0
        """The offset: if the bounds rule out the one before, the nearest that they allow, or, if that one was far off,
        their middle."""

    def narrow(self, least: float, most: float, at: int) -> None:
        """Narrow the bounds by an observation, made at *at*, that the offset is from *least* to *most* (ms); adjust
        ``value`` if it is outside them."""
        self.known = self.known or (math.isfinite(least) and math.isfinite(most))
        widening = max(0, at - self._at) * DRIFT
        known_least, known_most, self._at = self._least - widening, self._most + widening, at
        if least > known_most:  # the clocks have moved against each other: the newest observation counts
            self._least, self._most = least, max(least, most)
        elif most < known_least:
            self._least, self._most = min(least, most), most
        else:
            self._least, self._most = max(least, known_least), min(most, known_most)
        if not self._least <= self.value <= self._most:
            nearest = math.ceil(self._least) if self.value < self._least else math.floor(self._most)
            middle = (self._least + self._most) / 2
            # A value that was far off says nothing of which end of the bounds is more likely.
            far = abs(nearest - self.value) > self._most - self._least and math.isfinite(middle)
            self.value = round(middle) if far else nearest


class _UnconfirmedOffset(NamedTuple):
    """An observation that would correct the clock by much, and is not confirmed yet."""

    least: float
    most: float
    at: int

    def is_confirmed_by(self, least: float, most: float, at: int) -> bool:
        """Whether a second observation (*least*, *most*, *at*) agrees with this one within 5 s, and is independent: a
        second later, or of another kind.

        Of another kind is a snowflake beside a date.
        """
        independent = at - self.at >= CONFIRM_AFTER_MS or math.isfinite(most) != math.isfinite(self.most)
        return independent and max(least, self.least) - min(most, self.most) <= JUMP_MS


class _Alarm:
    """An alarm of the ``SystemClock``; *cancelled* is called when it is cancelled before it rings."""

    __slots__ = ("_cancelled", "callback")

    def __init__(self, callback: Callable[[], None], cancelled: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback
        self._cancelled = cancelled

    def cancel(self) -> None:
        """Cancel the wake-up."""
        if self.callback is not None:
            self.callback = None
            self._cancelled()

    def ring(self) -> None:
        """Call the callback, at most once, unless the alarm was cancelled."""
        callback, self.callback = self.callback, None
        if callback is not None:
            callback()


class SystemClock:
    """The machine's steady clock, corrected to Discord's time, with alarms and detection of stalls. It needs a running
    event loop.

    *steady* and *wall* return ms. The first counts from any moment on and is never set; the second counts since 1970,
    and is asked only once, now.
    """

    def __init__(self, steady: Callable[[], int] = monotonic_ms, wall: Callable[[], int] = _wall_clock_ms) -> None:
        self._steady = steady
        self._ahead = wall() - steady()
        """How much the wall clock was ahead of the steady one at the start, ms."""
        self._offset = Offset()
        self._doubt: _UnconfirmedOffset | None = None
        self._said = False
        self._alarms: list[tuple[int, int, _Alarm]] = []
        self._number = count()
        self._cancelled = 0
        """How many of the alarms, at most, are cancelled."""
        self._gap: Callable[[int, int], None] | None = None
        self._was_ahead: Callable[[], None] | None = None
        self._looked: int | None = None
        """When the clock last checked the alarms, on its uncorrected time; ``None``: not yet."""
        self._stalled = 0
        """How long the process stood still without a report of it, ms."""
        self._catching_up = False
        """Whether alarms wait since the process stood still a moment ago."""
        self._next: TimerHandle | None = None

    def uncorrected_now(self) -> int:
        """Return this machine's time in ms since 1970, not corrected to Discord's."""
        return self._steady() + self._ahead

    def now(self) -> int:
        """Return the present time on Discord's clock, as far as it is known, in ms since 1970."""
        return self.uncorrected_now() + self._offset.value

    def observe_discord_time(self, earliest: int, latest: float, sent: float, received: int) -> None:
        """Correct this clock by an observation of Discord's time (*earliest* to *latest*, ms); a correction by over 5 s
        needs a second one.

        The first correction needs none. Time that is jumped over counts as a gap. See ``Clock.observe_discord_time``.
        """
        before, now = self._offset.value, self.uncorrected_now()
        least, most = earliest - received, latest - sent
        if self._offset.known and max(least - before, before - most) > JUMP_MS:
            if self._doubt is None or not self._doubt.is_confirmed_by(least, most, now):
                if self._doubt is None or now - self._doubt.at >= CONFIRM_AFTER_MS:
                    self._doubt = _UnconfirmedOffset(least, most, now)
                return
            self._doubt = None
        self._offset.narrow(least, most, now)
        after = self._offset.value
        if after != before:
            self._schedule_check()
        if after - before > JUMP_MS and self._gap is not None:
            self._gap(now + before, now + after)
        if before - after >= SET_BACK_MS and self._was_ahead is not None:
            self._was_ahead()
        if abs(after) > LOGGED_OFFSET_MS and not self._said:
            self._said = True
            log.warning("this machine's clock is wrong; Discord's time is used", extra=fields(ms=-after))

    def set_stall_callback(self, callback: Callable[[int, int], None]) -> None:
        """Set the callback for times in which the process stood still (``Clock.set_stall_callback``), and begin to look
        for them every 250 ms.

        The clock must be used on the running event loop.
        """
        self._gap = callback
        self._looked = self.uncorrected_now()
        self._schedule_check()

    def set_backward_step_callback(self, callback: Callable[[], None]) -> None:
        """Set the callback that is called after this clock was set back by a second or more
        (``Clock.set_backward_step_callback``)."""
        self._was_ahead = callback

    def call_at(self, when: int, callback: Callable[[], None]) -> Alarm:
        """Call *callback* on the running event loop at *when* (ms since 1970), at once if that is past; return the
        alarm."""
        alarm = _Alarm(callback, self._count_cancelled)
        heapq.heappush(self._alarms, (when, next(self._number), alarm))
        if self._alarms[0][2] is alarm:
            self._schedule_check()
        return alarm

    def _count_cancelled(self) -> None:
        """Count a cancelled alarm; once more than half of the alarms are cancelled, remove those from memory."""
        self._cancelled += 1
        if self._cancelled > 100 and 2 * self._cancelled > len(self._alarms):
            self._alarms = [it for it in self._alarms if it[2].callback is not None]
            heapq.heapify(self._alarms)
            self._cancelled = 0

    def _schedule_check(self) -> None:
        """Set the event loop's timer for the next check of the alarms: when the first one is due, within 250 ms if
        stalls are watched for.

        After a stall it is no earlier than the end of the wait for clicks.
        """
        if self._next is not None:
            self._next.cancel()
            self._next = None
        if not self._alarms and self._gap is None:
            return
        since = 0 if self._looked is None else self.uncorrected_now() - self._looked
        wait = CHECK_INTERVAL_MS - since
        if self._alarms:
            wait = min(wait, self._alarms[0][0] - self.now())
        if self._catching_up:
            wait = max(wait, CATCH_UP_MS - since)
        self._next = get_running_loop().call_later(max(0, wait) / 1000, self._ring_due_alarms)

    def _ring_due_alarms(self) -> None:
        """Ring the alarms that are due; if the process stood still, record that stall first, and ring them 250 ms
        later.

        If the process stalled again while it waited for that moment, ring them now: otherwise they might never ring.
        """
        here = self.uncorrected_now()
        passed = 0 if self._looked is None else here - self._looked
        self._looked = here
        if self._gap is not None and passed > CHECK_INTERVAL_MS + STALL_MS:
            self._record_stall(passed, here)
            self._catching_up = not self._catching_up
            if self._catching_up:
                self._schedule_check()
                return
        self._catching_up = False
        due = []
        while self._alarms and self._alarms[0][0] <= self.now():
            due.append(heapq.heappop(self._alarms)[2])
        self._schedule_check()
        for alarm in due:
            get_running_loop().call_soon(alarm.ring)

    def _record_stall(self, ms: int, here: int) -> None:
        """Add a stall of *ms* that ended at *here* (uncorrected time); once they add up to a second, report all as one
        gap to the callback."""
        self._stalled += ms
        if self._gap is None or self._stalled < REPORTED_STALL_MS:
            return
        stalled, self._stalled = self._stalled, 0
        log.warning("the process stood still", extra=fields(ms=stalled))
        ended = here + self._offset.value
        self._gap(ended - stalled, ended)
