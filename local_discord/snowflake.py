"""Ids that carry their time. https://discord.com/developers/docs/reference#snowflakes"""

import time
from typing import Final

EPOCH_MS: Final = 1420070400000


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Snowflakes:
    """Ids in strictly rising order."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        """A fresh id, made now."""
        self._last = max(self._last + 1, (now_ms() - EPOCH_MS) << 22)
        return self._last


def time_of(snowflake: int) -> int:
    """When *snowflake* was made, ms since 1970."""
    return (snowflake >> 22) + EPOCH_MS
