"""Ids that hold the time they were made. https://discord.com/developers/docs/reference#snowflakes"""

import time
from typing import Final

EPOCH_MS: Final = 1420070400000
"""When Discord's time begins: the start of 2015, in ms since 1970."""


def now_ms() -> int:
    """The time now, in ms since 1970."""
    return time.time_ns() // 1_000_000


class Snowflakes:
    """Makes ids, each higher than the one before."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        """Make a new id that holds the current time and is higher than all before."""
        self._last = max(self._last + 1, (now_ms() - EPOCH_MS) << 22)
        return self._last

    def skip_to(self, known: int) -> None:
        """Make every id from now on higher than *known*."""
        self._last = max(self._last, known)


def snowflake_time_ms(snowflake: int) -> int:
    """The time at which *snowflake* was made, in ms since 1970."""
    return (snowflake >> 22) + EPOCH_MS


def parse_id(text: str) -> int | None:
    """Return the id written in *text* in decimal digits; ``None`` if it is no id (below 2 ** 63)."""
    # "²".isdigit() is true, and int() refuses it; it also refuses very many digits.
    if not text.isascii() or not text.isdigit() or len(text) > 19:
        return None
    found = int(text)
    return found if found < 1 << 63 else None
