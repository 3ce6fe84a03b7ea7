"""What nobody waits for, while the event loop is busy with clicks."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot.delivery.registry import AT_ONCE, BUSY_MS, MOST_MS, Calm
from tests.clocks import SteppedClock

Round = Callable[[], object]


class Time(SteppedClock):
    """Stands still, unless it is set on."""

    def pass_by(self, ms: int) -> None:
        """*ms* pass at once, as when something keeps the event loop."""
        self._own += ms


@asynccontextmanager
async def rounds(clock: Time, ms: int) -> AsyncIterator[None]:
    """In the block every round of the event loop takes *ms*."""

    async def work() -> None:
        while True:
            clock.pass_by(ms)
            await asyncio.sleep(0)

    working = asyncio.create_task(work())
    try:
        yield
    finally:
        working.cancel()


async def test_nobody_waits_longer_than_a_round_while_the_loop_is_idle() -> None:
    clock = Time()
    calm = Calm(clock)
    turns = [asyncio.create_task(calm.wait()) for _ in range(100)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert all(turn.done() for turn in turns)


async def test_while_rounds_take_long_all_wait_and_then_go_a_few_at_a_time() -> None:
    clock = Time()
    calm = Calm(clock)
    async with rounds(clock, BUSY_MS):
        turns = [asyncio.create_task(calm.wait()) for _ in range(3 * AT_ONCE)]
        for _ in range(MOST_MS // BUSY_MS - 10):
            await asyncio.sleep(0)
        assert not any(turn.done() for turn in turns)
    gone = []
    while not all(turn.done() for turn in turns):
        gone.append(sum(turn.done() for turn in turns))
        await asyncio.sleep(0)
    assert max(after - before for before, after in itertools.pairwise(gone)) == AT_ONCE


async def test_a_loop_that_is_always_busy_keeps_nobody_longer_than_a_second() -> None:
    clock = Time()
    calm = Calm(clock)
    async with rounds(clock, BUSY_MS):
        began = clock.reading()
        await calm.wait()
        assert MOST_MS <= clock.reading() - began <= MOST_MS + 5 * BUSY_MS


async def test_who_has_given_up_takes_no_turn() -> None:
    clock = Time()
    calm = Calm(clock)
    async with rounds(clock, BUSY_MS):
        turns = [asyncio.create_task(calm.wait()) for _ in range(AT_ONCE + 2)]
        for _ in range(5):
            await asyncio.sleep(0)
        turns[0].cancel()
        turns[1].cancel()
        await asyncio.sleep(0)
    for _ in range(4):
        await asyncio.sleep(0)
    assert all(turn.done() for turn in turns)
    await calm.wait()
