"""Waiting for what another process does."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

PATIENCE_SECONDS: Final = 60.0


async def eventually(what: Callable[[], Any], why: str | Callable[[], str], seconds: float = PATIENCE_SECONDS) -> Any:
    """What *what* returns, once it is true.

    Raises:
        AssertionError: it takes longer than *seconds*; *why* says what was waited for in vain.
    """
    deadline = asyncio.get_running_loop().time() + seconds
    while not (found := what()):
        if asyncio.get_running_loop().time() > deadline:
            raise AssertionError(f"waited in vain: {why if isinstance(why, str) else why()}")
        await asyncio.sleep(0.01)
    return found


async def until(what: Callable[[], Awaitable[bool]], why: str, seconds: float = PATIENCE_SECONDS) -> None:
    """Wait until *what* is so.

    Raises:
        AssertionError: it takes longer than *seconds*; it says *why*.
    """
    deadline = asyncio.get_running_loop().time() + seconds
    while not await what():
        assert asyncio.get_running_loop().time() < deadline, why
        await asyncio.sleep(0.02)
