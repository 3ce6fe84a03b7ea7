"""What every response of Discord tells besides its content: what time it is there, and whether the request was one of
those that count towards a ban. Every request is counted and measured here, and waits for its time to be sent."""

import math
import time
from collections import deque
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Any, Final

import aiohttp

from bot.clock import Clock
from bot.delivery import door
from bot.delivery.availability import Availability
from bot.delivery.faults import JSON, Busy
from bot.delivery.throttle import Throttle
from bot.tables.shards import AllShards, Shards
from bot.watching.kinds import COUNTED, kind_of
from bot.watching.metrics import Metrics

INVALID: Final = (401, 403, 429)
"""The statuses of an invalid request: 10,000 of them in ten minutes, and Discord bans the address.
https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans"""
PERIOD_MS: Final = 600_000
MOST_INVALID: Final = 1000
"""So many in ten minutes, and the bot makes no request with its own token that could be another one. Several processes,
which may have one address, share them."""
LONGEST_WAIT_MS: Final = 5_000
"""A rate limit that lasts longer is not waited for within a request."""
SAMPLE_MS: Final = 1000
"""How often the time is taken from a response, at most."""


class Traffic:
    """Watches all HTTP requests of the process through ``trace``, which discord.py's client takes as ``http_trace``.
    Those that count against Discord's global limit are sent when *throttle* says so. Those about a table whose
    shard *shards* does not have held here any more, since they or discord.py had to wait, are not sent."""

    def __init__(
        self,
        clock: Clock,
        metrics: Metrics,
        throttle: Throttle,
        shards: Shards = AllShards(),  # noqa: B008 - it has no state
    ) -> None:
        self._shards = shards
        self.availability = Availability(clock)
        self._throttle = throttle
        self._clock = clock
        self._metrics = metrics
        self._invalid: deque[int] = deque()
        self._most_invalid = MOST_INVALID
        self._sampled = -SAMPLE_MS
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._began)
        self.trace.on_connection_create_end.append(self._connected)
        self.trace.on_request_end.append(self._ended)
        self.trace.on_request_exception.append(self._failed)

    @property
    def invalid(self) -> int:
        """How many requests of the last ten minutes were invalid."""
        while self._invalid and self._invalid[0] <= self._clock.reading() - PERIOD_MS:
            self._invalid.popleft()
        return len(self._invalid)

    @property
    def exhausted(self) -> bool:
        """Whether so many requests were invalid that the bot must wait."""
        return self.invalid >= self._most_invalid

    def share(self, members: int) -> None:
        """Take one of *members* shares of the invalid requests that all processes together may make."""
        self._most_invalid = max(1, MOST_INVALID // max(1, members))

    async def _began(self, session: aiohttp.ClientSession, context: SimpleNamespace, params: Any) -> None:
        """Wait until a request may be sent, and note when it was. aiohttp calls this.

        Raises:
            ShardLost, Busy: its table may be another process's by now.
        """
        context.kind = kind_of(params.method, params.url.raw_path)
        if context.kind in COUNTED:
            await self._throttle.sending()
        door.check(self._shards)
        if context.kind in COUNTED:
            context.request = self._throttle.sent()
        context.sent = self._clock.reading()
        context.began = time.perf_counter()

    async def _connected(self, session: aiohttp.ClientSession, context: SimpleNamespace, params: Any) -> None:
        """Look once more whether a request may be sent that had to wait for a connection. aiohttp calls this.

        Raises:
            ShardLost, Busy: its table may be another process's by now.
        """
        door.check(self._shards)

    async def _ended(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        """Note what a response tells. aiohttp calls this."""
        response, now = params.response, self._clock.reading()
        if context.kind in COUNTED:
            self._throttle.answered(context.request)
        self._count(context, str(response.status))
        if response.status >= 500:  # discord.py tries again for half a minute
            self.availability.failed(self._clock.now() - round(1000 * (time.perf_counter() - context.began)))
        if response.status in INVALID and response.headers.get("X-RateLimit-Scope") != "shared":
            self._invalid.append(now)
        if response.status == 429:
            self._metrics.rate_limited(response.headers.get("X-RateLimit-Scope", ""))
            wait_ms = _wait_ms(response.headers)
            if wait_ms > LONGEST_WAIT_MS:  # discord.py would sleep that long, and nobody could do anything else
                raise Busy(wait_ms=wait_ms)
        date = response.headers.get("Date") if _is_fresh(response.headers) else None
        if date is not None and now - self._sampled >= SAMPLE_MS:
            self._sampled = now
            try:
                at = int(parsedate_to_datetime(date).timestamp() * 1000)
            except ValueError:
                return
            # The header counts in whole seconds.
            self._clock.heard(at, at + 999, getattr(context, "sent", -math.inf), now)

    async def _failed(self, session: aiohttp.ClientSession, context: SimpleNamespace, params: Any) -> None:
        """Note that there was no response: nothing more can be known of when it was counted. aiohttp calls this."""
        if (request := getattr(context, "request", None)) is not None:
            self._throttle.answered(request)
        self._count(context, "none")

    def _count(self, context: SimpleNamespace, status: str) -> None:
        """Count and measure the request that *context* is about, which ended with *status*."""
        began = getattr(context, "began", None)
        seconds = 0.0 if began is None else time.perf_counter() - began
        self._metrics.requested(context.kind, context.kind in COUNTED, status, seconds)


def _is_fresh(headers: Mapping[str, str]) -> bool:
    """Whether a response with these *headers* was made by Discord just now: not by a cache, or Cloudflare itself."""
    return "Age" not in headers and headers.get("Content-Type", JSON).startswith(JSON)


def _wait_ms(headers: Mapping[str, str]) -> int:
    """How long Discord says, in the *headers* of a response with status 429, that no such request is taken, ms; 0: it
    does not say. https://discord.com/developers/docs/topics/rate-limits#exceeding-a-rate-limit"""
    try:
        return round(1000 * float(headers["Retry-After"])) if "Via" in headers else 0
    except (KeyError, ValueError):
        return 0
