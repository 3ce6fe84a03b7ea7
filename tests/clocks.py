"""A clock that tests step. Alarms run in the context they were set in, so SimCord knows whose work they start."""

import contextvars
import heapq
import itertools
from collections.abc import Callable
from datetime import UTC, datetime

import simcord


class _Alarm:
    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback: Callable[[], None] | None = callback
        self._context = contextvars.copy_context()

    def cancel(self) -> None:
        self._callback = None

    def ring(self) -> None:
        if self._callback is not None:
            self._context.run(self._callback)


class SteppedClock:
    """Time stands still until ``advance``. Bound to a SimCord environment it moves that one's time too, so that
    snowflakes and the bot agree."""

    def __init__(self) -> None:
        self.env: simcord.Env | None = None
        self._alarms: list[tuple[int, int, _Alarm]] = []
        self._count = itertools.count()
        self._gap: Callable[[int, int], None] | None = None
        self._own = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp() * 1000)

    def now(self) -> int:
        if self.env is None:
            return self._own
        return round(self.env.now().timestamp() * 1000)

    def call_at(self, when: int, callback: Callable[[], None]) -> _Alarm:
        alarm = _Alarm(callback)
        heapq.heappush(self._alarms, (when, next(self._count), alarm))
        return alarm

    def set_stall_callback(self, callback: Callable[[int, int], None]) -> None:
        self._gap = callback

    def set_backward_step_callback(self, callback: Callable[[], None]) -> None:
        """It is never ahead."""

    def uncorrected_now(self) -> int:
        return self.now()

    def observe_discord_time(self, earliest: int, latest: float, sent: float, received: int) -> None:
        """It is right already."""

    def forget(self) -> None:
        """The process that set the alarms is dead."""
        self._alarms.clear()

    async def stand_still(self, ms: int) -> None:
        """The process is stopped, and goes on *ms* later."""
        began = self.now()
        await self._move(began + ms)
        if self._gap is not None:
            self._gap(began, self.now())
        await self.advance(0)

    async def advance(self, ms: int) -> None:
        """Let *ms* pass; every alarm on the way rings, and the bot finishes what it starts."""
        await self.settle()
        end = self.now() + ms
        while self._alarms and self._alarms[0][0] <= end:
            when, _, alarm = heapq.heappop(self._alarms)
            await self._move(max(when, self.now()))
            alarm.ring()
            await self.settle()
        if end > self.now():
            await self._move(end)
            await self.settle()

    async def _move(self, to: int) -> None:
        if self.env is None:
            self._own = to
        elif to > self.now():
            await self.env.advance_time((to - self.now()) / 1000)

    async def settle(self) -> None:
        if self.env is not None:
            await self.env.settle()
