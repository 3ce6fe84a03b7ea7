"""How Python runs the program: its event loop, its garbage collection."""

import asyncio
import gc
from collections.abc import Callable
from typing import Final

COLLECTED_EVERY: Final = (20_000, 20, 20)
"""How many more objects there are before Python looks for garbage, and how many such looks until it looks at older
ones: tables and their messages are long-lived, and hardly anything here refers to itself."""


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes the event loop: uvloop where it is installed (``pyproject.toml``); ``None``: asyncio's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def collect_less() -> None:
    """Have Python look for garbage less often from now on, and never again at what is there by now."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_EVERY)
