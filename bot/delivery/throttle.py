"""The bot's own requests, spread so that Discord's global limit is never reached.

Discord allows a bot 50 requests a second over all routes; those on interaction tokens do not count. discord.py waits
out a 429 of that kind, but does not avoid it. https://discord.com/developers/docs/topics/rate-limits
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable
from typing import Final

from bot.delivery.faults import Dropped

PER_SECOND: Final = 40
"""Below the limit: discord.py makes requests of its own."""
BURST: Final = 4
"""How many may start at once: together with ``PER_SECOND`` and discord.py's own fewer than fifty in any second."""


def _always() -> bool:
    """True: a request that is wanted whatever happens."""
    return True


class Throttle:
    """Lets *per_second* requests start in a second, up to *burst* of them at once; ``None``: there is no limit."""

    def __init__(self, per_second: float | None = PER_SECOND, burst: int = BURST) -> None:
        self._gap = 1 / per_second if per_second else 0.0
        self._burst = burst
        self._free_at = -math.inf
        self._waiting: deque[tuple[asyncio.Future[None], Callable[[], bool]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    async def turn(self, wanted: Callable[[], bool] = _always) -> None:
        """Wait until the next request may start; those that wait are served in order.

        Raises:
            Dropped: when it would be its turn *wanted* says that it need not be made any more; the next one gets its
                turn.
        """
        if not self._gap:
            if not wanted():
                raise Dropped
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((turn, wanted))
        if self._timer is None:
            self._serve()
        await turn

    def _serve(self) -> None:
        """Let those start whose turn it is, and come back for the others."""
        loop = asyncio.get_running_loop()
        self._timer = None
        now = loop.time()
        self._free_at = max(self._free_at, now - (self._burst - 1) * self._gap)
        while self._waiting:
            turn, wanted = self._waiting[0]
            if turn.done():  # cancelled
                self._waiting.popleft()
            elif not wanted():
                self._waiting.popleft()
                turn.set_exception(Dropped())
            elif self._free_at <= now:
                self._waiting.popleft()
                self._free_at += self._gap
                turn.set_result(None)
            else:
                self._timer = loop.call_at(self._free_at, self._serve)
                return
