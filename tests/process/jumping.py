"""The bot on a machine whose time of day jumps by an hour, forwards and backwards, every ``JUMP_SECONDS``: it runs as
``python -m tests.process.jumping``."""

import os
import time
from typing import Final

from bot.cli.main import main

HOUR_NS: Final = 3_600_000_000_000


def jump() -> None:
    """From now on Python's clocks of the time of day jump; monotonic ones, as everywhere, do not."""
    every, began, real = float(os.environ["JUMP_SECONDS"]), time.monotonic(), time.time_ns

    def time_ns() -> int:
        jumps = int((time.monotonic() - began) / every)
        return real() + (0, HOUR_NS, -HOUR_NS)[jumps % 3]

    time.time_ns = time_ns
    time.time = lambda: time_ns() / 1e9


if __name__ == "__main__":
    jump()
    main()
