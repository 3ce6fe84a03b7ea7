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

LIMIT: Final = 50
"""So many requests Discord takes in a second. It says nothing of when the second begins: it may be any."""
LIMIT_SECONDS: Final = 1.0
PER_SECOND: Final = 40
"""Below the limit, so that what was held up can be made up for."""
BURST: Final = 4
"""How many may start at once."""
SENT_PER_SECOND: Final = 42
"""How many are sent in a second, whoever makes them: with those that go at once fewer than fifty in any second, also if
some are on their way a tenth of a second longer than others. For those that take longer there is ``sent``."""
LOST_SECONDS: Final = 10.0
"""A request that has had no answer for so long has been counted, or will never be."""


class Throttle:
    """Lets *per_second* requests start in a second, up to *burst* of them at once; ``None``: there is no limit.

    A request that has started may still be held up by discord.py, for the limit of its route; many of those become free
    at the same moment. discord.py also makes requests of its own, and repeats some. So there is a second gate, just
    before a request is sent (``sending``), for all of them.

    Discord counts a request at some moment between ``sent`` and ``answered``. If Discord or the network stands still,
    those that are under way are counted together when it goes on. So no more than ``LIMIT`` are under way or were
    answered in the last second: whenever each of them is counted, no second has more.
    """

    def __init__(self, per_second: float | None = PER_SECOND, burst: int = BURST) -> None:
        self._whole = per_second, burst
        self._gap = 1 / per_second if per_second else 0.0
        self._burst = burst
        self._free_at = -math.inf
        self._gate = asyncio.Lock()
        self._sent_at = -math.inf
        self._limit = LIMIT
        self._open: set[object] = set()
        """The requests that Discord may count in the same second as the next one."""
        self._room = asyncio.Event()
        """Set when there is one less of them."""
        self._waiting: deque[tuple[asyncio.Future[None], Callable[[], bool]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def share(self, members: int) -> None:
        """Take one of *members* equal shares from now on: the limit is one for all processes of a bot."""
        per_second, burst = self._whole
        self._gap = members / per_second if per_second else 0.0
        self._burst = max(1, burst // members)
        self._limit = max(1, LIMIT // members)

    async def sending(self) -> None:
        """Wait until a request may be sent. If it is, note it with ``sent`` at once."""
        if not self._gap:
            return
        loop, gap = asyncio.get_running_loop(), self._gap * PER_SECOND / SENT_PER_SECOND
        async with self._gate:  # one after the other: after a stall those that are late must not leave together
            self._sent_at = max(self._sent_at + gap, loop.time() - (self._burst - 1) * gap)
            if (pause := self._sent_at - loop.time()) > 0:
                await asyncio.sleep(pause)
            while len(self._open) >= self._limit:
                self._room.clear()
                await self._room.wait()

    def sent(self) -> object:
        """Note that a request is sent now; return what ``answered`` wants to know of it."""
        request = object()
        if self._gap:
            self._open.add(request)
            asyncio.get_running_loop().call_later(LOST_SECONDS, self._close, request)
        return request

    def answered(self, request: object) -> None:
        """Note that Discord has answered *request*, so that it has been counted."""
        if request in self._open:
            asyncio.get_running_loop().call_later(LIMIT_SECONDS, self._close, request)

    def _close(self, request: object) -> None:
        """From now on *request* does not count in the same second as the next one."""
        self._open.discard(request)
        self._room.set()

    @property
    def per_second(self) -> float:
        """How many requests may start in a second; ``math.inf``: any number."""
        return 1 / self._gap if self._gap else math.inf

    @property
    def waiting(self) -> int:
        """How many requests wait for their turn."""
        return len(self._waiting)

    async def turn(self, wanted: Callable[[], bool] = lambda: True) -> None:
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
