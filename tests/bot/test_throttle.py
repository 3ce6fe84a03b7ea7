"""The bot's own requests: spread over time, in order, and those that nobody needs any more take nobody's turn."""

import asyncio

import pytest

from bot.delivery.faults import Dropped
from bot.delivery.throttle import Throttle


async def test_so_many_at_once_and_then_one_after_the_other_in_order() -> None:
    throttle, done = Throttle(per_second=200, burst=3), list[int]()

    async def ask(number: int) -> None:
        await throttle.turn()
        done.append(number)

    began = asyncio.get_running_loop().time()
    await asyncio.gather(*(ask(number) for number in range(13)))
    assert done == list(range(13))
    assert asyncio.get_running_loop().time() - began >= 10 / 200 - 0.001


async def test_what_is_not_wanted_any_more_takes_no_turn_f11() -> None:
    """134 games were started and ended; the hands of the next one waited for a minute behind theirs."""
    throttle, live = Throttle(per_second=2, burst=1), True
    await throttle.turn()
    dead = [asyncio.ensure_future(throttle.turn(lambda: live)) for _ in range(1000)]
    alive = asyncio.ensure_future(throttle.turn())
    await asyncio.sleep(0)
    live = False
    async with asyncio.timeout(2):
        await alive
    assert all(isinstance(it, Dropped) for it in await asyncio.gather(*dead, return_exceptions=True))


async def test_who_gives_up_waiting_does_not_stop_the_others() -> None:
    throttle = Throttle(per_second=100, burst=1)
    await throttle.turn()
    first, second = asyncio.ensure_future(throttle.turn()), asyncio.ensure_future(throttle.turn())
    await asyncio.sleep(0)
    first.cancel()
    async with asyncio.timeout(2):
        await second
    with pytest.raises(asyncio.CancelledError):
        await first
