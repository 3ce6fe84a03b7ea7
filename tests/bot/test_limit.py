"""A timeout that counts only time in which this process ran."""

import asyncio
import socket
import time

import pytest

from bot.limit import Limit


async def test_what_does_not_come_in_time_is_given_up() -> None:
    limit = Limit(0.3)
    with pytest.raises(TimeoutError):
        async with limit:
            await asyncio.Event().wait()
    assert limit.expired


async def test_without_a_limit_nothing_is_given_up() -> None:
    async with Limit(None):
        await asyncio.sleep(0)


async def test_another_timeout_is_not_mistaken_for_it() -> None:
    limit = Limit(60)
    with pytest.raises(TimeoutError):
        async with limit:
            raise TimeoutError
    assert not limit.expired


async def test_what_has_come_while_the_process_stood_still_is_in_time() -> None:
    here, there = socket.socketpair()
    with here, there:
        here.setblocking(False)

        async def answer() -> bytes:
            loop = asyncio.get_running_loop()
            first = await loop.sock_recv(here, 1)
            return first + await loop.sock_recv(here, 1)  # not just one step of the event loop

        async with Limit(0.5):
            answering = asyncio.ensure_future(answer())
            await asyncio.sleep(0)
            there.send(b"ok")
            time.sleep(1.5)  # noqa: ASYNC251 - the process stands still
            assert await answering == b"ok"


async def test_who_always_comes_late_is_given_up_all_the_same() -> None:
    """The event loop is so busy that it never looks in time."""
    with pytest.raises(TimeoutError):
        async with Limit(0.5):
            while True:
                time.sleep(0.7)  # noqa: ASYNC251 - nothing else happens meanwhile
                await asyncio.sleep(0)
