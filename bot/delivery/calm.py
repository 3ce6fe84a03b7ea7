"""What nobody waits for lets clicks go first: Discord gives up a click that is not answered within three seconds, while
an edit may come whenever it likes. https://discord.com/developers/docs/interactions/receiving-and-responding

All work shares one event loop, which takes it in turns. When hundreds of clicks come at one instant a round takes long,
and it is they that are being answered.
"""

import asyncio
from collections import deque
from typing import Final

from bot.clock import Clock

BUSY_MS: Final = 10
"""The event loop is busy when one round takes this long."""
MOST_MS: Final = 1000
"""So long anybody waits at most: a loop that is always busy must make edits as well."""
AT_ONCE: Final = 8
"""After a busy time so many go in one round, so that there is none that takes long again."""


class Calm:
    """Makes whoever asks wait while the event loop is busy."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()
        """Since when (by the clock's reading), and who; in this order."""
        self._task: asyncio.Task[None] | None = None

    async def wait(self) -> None:
        """Return when the event loop is not busy, or has been for long."""
        before = self._clock.reading()
        if not self._waiting:
            await asyncio.sleep(0)
            if self._clock.reading() - before < BUSY_MS:
                return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((before, turn))
        if self._task is None:
            self._task = asyncio.create_task(self._release(), name="calm")
        await turn

    async def _release(self) -> None:
        """Give everybody their turn."""
        before = self._clock.reading()
        while self._waiting:
            await asyncio.sleep(0)
            now = self._clock.reading()
            count = AT_ONCE if now - before < BUSY_MS else 0
            while self._waiting and (count > 0 or now - self._waiting[0][0] >= MOST_MS):
                _, turn = self._waiting.popleft()
                if not turn.done():  # the task may have been cancelled
                    turn.set_result(None)
                    count -= 1
            before = now
        self._task = None
