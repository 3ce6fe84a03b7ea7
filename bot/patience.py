"""Waiting for what cannot be reached yet: after a start of the machine the network, Discord or the database may come up
later than the bot.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import aiohttp
import discord

from bot.settings import BadSetting

T = TypeVar("T")

log = logging.getLogger(__name__)

FIRST_SECONDS: Final = 1.0
LONGEST_SECONDS: Final = 30.0
"""The pauses between two attempts: each is twice as long as the one before, up to this."""
SAID_AGAIN_SECONDS: Final = 300.0
"""How often it is said that the bot still waits."""
FOR_A_WHILE: Final = (403, 429)
"""Statuses below 500 with which Discord, or the firewall before it, refuses everything for a while."""
AUTHENTICATION_FAILED: Final = 4004
"""https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes"""
LASTED_SECONDS: Final = 60.0
"""After an attempt that went on for so long, the pauses are short again."""


class NotReached(Exception):
    """Something cannot be reached now; the text says what, and why, in one line without secrets."""


def why(error: BaseException) -> str:
    """Why nobody answers, in the system's words as far as *error* has them.

    >>> why(ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 9)"))
    'Connection refused'
    """
    behind = getattr(error, "os_error", error)
    number = getattr(behind, "errno", None)
    if number is not None and number > 0:
        return os.strerror(number)
    said = getattr(behind, "strerror", None) or str(behind)
    return said.splitlines()[0] if said else type(error).__name__


@contextmanager
def as_not_reached(api_url: str) -> Iterator[None]:
    """In the block, turn what discord.py raises when nobody answers at *api_url* into NotReached.

    Raises:
        BadSetting: somebody answers who is not Discord, or the token was changed while the bot ran.
    """
    try:
        yield
    except discord.LoginFailure:
        raise
    except discord.ConnectionClosed as error:
        if error.code != AUTHENTICATION_FAILED:
            raise
        remedy = "Discord does not accept this token any more; set the new one"
        raise BadSetting("DISCORD_TOKEN", None, remedy) from None
    except (aiohttp.ClientConnectionError, TimeoutError) as error:
        raise NotReached(f"Discord cannot be reached at {api_url}: {why(error)}") from None
    except discord.GatewayNotFound:
        raise NotReached(f"Discord does not name its gateway at {api_url}") from None
    except discord.HTTPException as error:
        if error.status >= 500 or error.status in FOR_A_WHILE:
            raise NotReached(f"Discord has no time for us at {api_url}: status {error.status}") from None
        raise BadSetting("DISCORD_API_URL", api_url, f"this is not Discord's API (status {error.status})") from None


async def reach(
    attempt: Callable[[], Awaitable[T]], stop: asyncio.Event, note: Callable[[str], None] = lambda why: None
) -> T | None:
    """The result of *attempt*, which is made again and again while it raises NotReached; ``None``: *stop* was set
    before that. *note* is told what is waited for; an empty text: nothing any more.

    Raises:
        Exception: any other error of *attempt*, at once.
    """
    loop = asyncio.get_running_loop()
    pause, said, said_at = FIRST_SECONDS, "", 0.0
    while not stop.is_set():
        began = loop.time()
        try:
            note("")
            return await attempt()
        except NotReached as no:
            reason, now = str(no), loop.time()
        note(reason)
        if now - began > LASTED_SECONDS:
            pause, said = FIRST_SECONDS, ""
        if reason != said or now - said_at >= SAID_AGAIN_SECONDS:
            log.warning("%s; waiting until it answers", reason)
            said, said_at = reason, now
        try:
            await asyncio.wait_for(stop.wait(), pause)
        except TimeoutError:
            pause = min(2 * pause, LONGEST_SECONDS)
    return None


async def unless(stop: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """The result of *work*; ``None``: *stop* was set before that, and *work* was cancelled."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        stopping.cancel()
        working.cancel()
        await asyncio.wait({working})
