"""What time it is, and being woken at a time. Milliseconds since 1970, as in Discord's snowflakes."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """A wake-up that can still be called off."""

    def cancel(self) -> None:
        """It does not ring any more."""


class Clock(Protocol):
    """Where the bot gets its time from; tests step their own."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        ...

    def call_at(self, when: int, callback: Callable[[], None]) -> Alarm:
        """Call *callback* once it is *when* (ms since 1970) or later, on the event loop."""
        ...


class SystemClock:
    """The machine's clock. Keep it set (NTP): clicks are compared with Discord's own time stamps."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def call_at(self, when: int, callback: Callable[[], None]) -> Alarm:
        """As ``Clock`` says; a time in the past is now."""
        delay = max(0, when - self.now()) / 1000
        return asyncio.get_running_loop().call_later(delay, callback)
