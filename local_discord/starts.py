"""How often a bot may begin a session at the gateway: its IDENTIFYs.

https://discord.com/developers/docs/events/gateway#rate-limiting and
https://discord.com/developers/docs/events/gateway#session-start-limit-object
"""

from collections.abc import Callable
from typing import Any, Final

from local_discord.errors import invalid_form

BUCKET_SECONDS: Final = 5.0
"""How long after an IDENTIFY the next one of its bucket must come."""
TOTAL: Final = 1000
"""How many a bot has in a day."""
DAY_SECONDS: Final = 86_400.0


class Starts:
    """Limits how often the bot may begin gateway sessions: IDENTIFYs by day, and by *concurrency* in five seconds.

    With *concurrency*, one that comes too early is turned away: shards with the same remainder by it share a bucket,
    and a bucket takes one in five seconds. With ``None`` a bot is told of one at a time, and none is turned away, so
    that a bot that is started again is there at once.
    """

    def __init__(self, concurrency: int | None, clock: Callable[[], float]) -> None:
        self._concurrency = concurrency
        self._clock = clock
        self._buckets: dict[int, float] = {}
        """Bucket -> when it took an IDENTIFY last."""
        self._remaining = TOTAL
        self._day_ends = 0.0

    def limit(self) -> dict[str, Any]:
        """Return the session start limit as ``/gateway/bot`` reports it: total, remaining, reset_after,
        max_concurrency."""
        now = self._clock()
        if now >= self._day_ends:
            self._remaining = TOTAL
        left = max(0, round((self._day_ends - now) * 1000))
        concurrency = self._concurrency or 1
        return {"total": TOTAL, "remaining": self._remaining, "reset_after": left, "max_concurrency": concurrency}

    def set_remaining(self, remaining: Any) -> None:
        """Set how many IDENTIFYs are *remaining* for today; or raise ApiError (50035).

        Raises:
            ApiError: that is no number from 0 on (50035).
        """
        if type(remaining) is not int or not 0 <= remaining <= TOTAL:
            raise invalid_form("starts", "NUMBER_TYPE_COERCE", f"a number from 0 to {TOTAL}")
        now = self._clock()
        self._remaining, self._day_ends = remaining, now + DAY_SECONDS

    @property
    def used_up(self) -> bool:
        """Whether the bot has made all of today's IDENTIFYs."""
        return self._remaining == 0 and self._clock() < self._day_ends

    def try_start(self, shard: int) -> bool:
        """Return whether *shard* may begin a session now: not within five seconds of another one of its bucket; and
        count it if so."""
        now = self._clock()
        if self._concurrency is not None:
            bucket = shard % self._concurrency
            if now < self._buckets.get(bucket, now - BUCKET_SECONDS) + BUCKET_SECONDS:
                return False
            self._buckets[bucket] = now
        if now >= self._day_ends:
            self._remaining, self._day_ends = TOTAL, now + DAY_SECONDS
        self._remaining = max(0, self._remaining - 1)
        return True
