"""The time, and being woken up later. Times are milliseconds since 1970, as in Discord's snowflakes."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """A planned wake-up that can still be cancelled."""

    def cancel(self) -> None:
        """Cancel the wake-up."""


class Clock(Protocol):
    """Where the bot gets the time from. Tests use clocks that they set themselves."""

    def now(self) -> int:
        """The present time, in milliseconds since 1970."""
        ...

    def call_at(self, when: int, callback: Callable[[], None]) -> Alarm:
        """Call *callback* on the event loop when it is *when* (ms since 1970) or later; return the alarm, to cancel
        it."""
        ...


class SystemClock:
    """The machine's clock. It must be set right (NTP): clicks are compared with Discord's own time stamps."""

    def now(self) -> int:
        """The present time, in milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def call_at(self, when: int, callback: Callable[[], None]) -> Alarm:
        """Call *callback* on the running event loop at *when* (ms since 1970), at once if that is past; return the
        alarm."""
        delay = max(0, when - self.now()) / 1000
        return asyncio.get_running_loop().call_later(delay, callback)
