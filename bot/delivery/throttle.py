"""The bot's own requests, spread so that Discord's global limit is never reached.

Discord allows a bot 50 requests a second over all routes; those on interaction tokens do not count. discord.py waits
out a 429 of that kind, but does not avoid it. https://discord.com/developers/docs/topics/rate-limits
"""

import asyncio
from typing import Final

PER_SECOND: Final = 40
"""Below the limit: discord.py makes requests of its own."""
BURST: Final = 4
"""How many may start at once: together with ``PER_SECOND`` and discord.py's own fewer than fifty in any second."""


class Throttle:
    """Lets *per_second* requests start in a second, up to ``BURST`` of them at once; ``None``: there is no limit."""

    def __init__(self, per_second: int | None = PER_SECOND) -> None:
        self._gap = 1 / per_second if per_second else 0.0
        self._free_at = 0.0

    async def turn(self) -> None:
        """Wait until the next request may start; those that wait are served in order."""
        if not self._gap:
            return
        now = asyncio.get_running_loop().time()
        self._free_at = max(self._free_at, now - BURST * self._gap) + self._gap
        if self._free_at > now:
            await asyncio.sleep(self._free_at - now)
