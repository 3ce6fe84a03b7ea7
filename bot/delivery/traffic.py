"""What every response of Discord tells besides its content: what time it is there, and whether the request was one of
those that count towards a ban."""

import math
from collections import deque
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Any, Final

import aiohttp

from bot.clock import Clock

INVALID: Final = (401, 403, 429)
"""The statuses of an invalid request: 10,000 of them in ten minutes, and Discord bans the address.
https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans"""
PERIOD_MS: Final = 600_000
MOST_INVALID: Final = 1000
"""So many in ten minutes, and the bot makes no request with its own token that could be another one."""
SAMPLE_MS: Final = 1000
"""How often the time is taken from a response, at most."""


class Traffic:
    """Watches all HTTP requests of the process through ``trace``, which discord.py's client takes as ``http_trace``."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._invalid: deque[int] = deque()
        self._sampled = -SAMPLE_MS
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._began)
        self.trace.on_request_end.append(self._ended)

    @property
    def invalid(self) -> int:
        """How many requests of the last ten minutes were invalid."""
        while self._invalid and self._invalid[0] <= self._clock.reading() - PERIOD_MS:
            self._invalid.popleft()
        return len(self._invalid)

    @property
    def exhausted(self) -> bool:
        """Whether so many requests were invalid that the bot must wait."""
        return self.invalid >= MOST_INVALID

    async def _began(self, session: aiohttp.ClientSession, context: SimpleNamespace, params: Any) -> None:
        """Note when a request was sent. aiohttp calls this."""
        context.sent = self._clock.reading()

    async def _ended(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        """Note what a response tells. aiohttp calls this."""
        response, now = params.response, self._clock.reading()
        if response.status in INVALID and response.headers.get("X-RateLimit-Scope") != "shared":
            self._invalid.append(now)
        date = response.headers.get("Date")
        if date is not None and now - self._sampled >= SAMPLE_MS:
            self._sampled = now
            try:
                at = int(parsedate_to_datetime(date).timestamp() * 1000)
            except ValueError:
                return
            # The header counts in whole seconds.
            self._clock.heard(at, at + 999, getattr(context, "sent", -math.inf), now)
