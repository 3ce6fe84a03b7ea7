"""No longer than so many seconds."""

import asyncio
import math
from typing import Any, Final

from bot.clock import LATE_MS

SLICE_SECONDS: Final = 0.25
"""How much of a limit is counted at a time."""


class Limit:
    """An ``asyncio.timeout`` that counts only time in which this process ran.

    If the process is stopped, or gets no processor, what it waits for may have come meanwhile, and nobody has read it
    yet. ``asyncio.timeout`` would not let it be read: it looks at the time alone.
    """

    def __init__(self, seconds: float | None) -> None:
        self._left = math.inf if seconds is None else seconds
        self._timeout = asyncio.timeout(None)
        self._next: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> None:
        """Begin to count."""
        await self._timeout.__aenter__()
        if self._left < math.inf:
            self._wait(late=False)

    async def __aexit__(self, *error: Any) -> None:
        """Stop counting.

        Raises:
            TimeoutError: the time is up; ``expired`` tells that from a TimeoutError of what was waited for.
        """
        if self._next is not None:
            self._next.cancel()
        await self._timeout.__aexit__(*error)

    @property
    def expired(self) -> bool:
        """Whether the time is up."""
        return self._timeout.expired()

    def _wait(self, *, late: bool) -> None:
        """Look again after a slice of the time that is left; *late*: the look before this one came late."""
        loop = asyncio.get_running_loop()
        began, seconds = loop.time(), max(0.0, min(SLICE_SECONDS, self._left))

        def look() -> None:
            self._left -= seconds
            stood_still = loop.time() - began > seconds + LATE_MS / 1000 and not late
            if self._left > 0 or stood_still:  # what has come meanwhile is read first
                self._wait(late=stood_still)
            else:
                self._timeout.reschedule(loop.time())

        self._next = loop.call_later(seconds, look)
