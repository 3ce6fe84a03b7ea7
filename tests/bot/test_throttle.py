"""The bot's own requests: spread over time, in order, and those that nobody needs any more take nobody's turn."""

import asyncio
import itertools
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from bot.delivery.errors import Dropped
from bot.delivery.limits import DISCORD_LIMIT, SENT_PER_SECOND, Throttle
from bot.delivery.registry import BUSY_ROUND_MS, MAX_WAIT_MS, RELEASED_PER_ROUND, BusyLoopGate
from tests.clocks import SteppedClock


async def test_so_many_at_once_and_then_one_after_the_other_in_order() -> None:
    throttle, done = Throttle(per_second=200, burst=3), list[int]()

    async def ask(number: int) -> None:
        await throttle.wait_to_start()
        done.append(number)

    began = asyncio.get_running_loop().time()
    await asyncio.gather(*(ask(number) for number in range(13)))
    assert done == list(range(13))
    assert asyncio.get_running_loop().time() - began >= 10 / 200 - 0.001


async def test_requests_that_are_not_wanted_any_more_take_no_turn() -> None:
    """134 games were started and ended; the hands of the next one waited for a minute behind theirs."""
    throttle, live = Throttle(per_second=2, burst=1), True
    await throttle.wait_to_start()
    dead = [asyncio.ensure_future(throttle.wait_to_start(lambda: live)) for _ in range(1000)]
    alive = asyncio.ensure_future(throttle.wait_to_start())
    await asyncio.sleep(0)
    live, waiting = False, [it for it in dead if not it.done()]  # on a busy machine the first one has begun already
    async with asyncio.timeout(2):
        await alive
    assert len(waiting) > 900
    assert all(isinstance(it, Dropped) for it in await asyncio.gather(*waiting, return_exceptions=True))


async def test_who_gives_up_waiting_does_not_stop_the_others() -> None:
    throttle = Throttle(per_second=100, burst=1)
    await throttle.wait_to_start()
    first, second = asyncio.ensure_future(throttle.wait_to_start()), asyncio.ensure_future(throttle.wait_to_start())
    await asyncio.sleep(0)
    first.cancel()
    async with asyncio.timeout(2):
        await second
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_after_a_queue_has_emptied_the_next_request_gets_its_turn_too() -> None:
    throttle = Throttle(per_second=100, burst=1)
    async with asyncio.timeout(2):
        for _ in range(3):
            await throttle.wait_to_start()


def test_what_has_no_limit_has_none_as_one_of_several_either() -> None:
    throttle = Throttle(None)
    throttle.share_limit(4)
    assert throttle.per_second == math.inf


async def test_shares_make_no_more_than_the_whole() -> None:
    """Each of four processes has a quarter, also of those that may start at once."""
    members = [Throttle(per_second=400, burst=4) for _ in range(4)]
    for member in members:
        member.share_limit(4)
    assert sum(member.per_second for member in members) == 400
    loop = asyncio.get_running_loop()
    began = loop.time()
    await asyncio.gather(*(member.wait_to_start() for member in members for _ in range(26)))
    assert loop.time() - began >= 25 / 100 - 0.001


@pytest.mark.parametrize("stall", [0.0, 0.2])
async def test_those_that_are_held_up_together_are_not_sent_together(stall: float) -> None:
    """discord.py holds requests up until the limit of their route allows them, and then lets all of them go; and the
    event loop may stand still while they wait."""
    throttle, sent = Throttle(per_second=40, burst=4), list[float]()
    loop = asyncio.get_running_loop()
    held, some = asyncio.Event(), asyncio.Event()

    async def ask() -> None:
        await held.wait()
        await throttle.wait_to_send()
        sent.append(loop.time())
        if len(sent) == 6:
            some.set()

    asked = [asyncio.ensure_future(ask()) for _ in range(20)]
    await asyncio.sleep(0)
    held.set()
    await some.wait()
    time.sleep(stall)  # noqa: ASYNC251 - nothing else happens meanwhile: that is the point
    await asyncio.gather(*asked)
    assert sent[-1] - sent[0] >= (20 - 4) / SENT_PER_SECOND - 0.01
    assert all(new - old >= 4 / SENT_PER_SECOND - 0.01 for old, new in zip(sent[:-8], sent[8:], strict=True))


async def test_one_second_after_an_answer_another_may_be_sent() -> None:
    """Discord has counted a request when it answers, and not before it was sent. Nobody knows more."""
    throttle, loop = Throttle(per_second=5000, burst=DISCORD_LIMIT), asyncio.get_running_loop()
    sent = list[object]()

    async def send() -> None:
        await throttle.wait_to_send()
        sent.append(throttle.record_sent())

    await asyncio.gather(*(send() for _ in range(DISCORD_LIMIT)))
    late = asyncio.ensure_future(send())
    began = loop.time()
    throttle.record_answered(sent[0])
    async with asyncio.timeout(5):
        await late
    assert loop.time() - began >= 1
    assert len(sent) == DISCORD_LIMIT + 1


async def test_what_is_never_answered_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.delivery.limits.LOST_REQUEST_SECONDS", 0.1)
    throttle = Throttle(per_second=5000, burst=DISCORD_LIMIT)
    async with asyncio.timeout(2):
        for _ in range(2 * DISCORD_LIMIT + 1):
            await throttle.wait_to_send()
            throttle.record_sent()


async def test_shares_send_no_more_than_the_whole_though_nothing_is_answered() -> None:
    members = [Throttle(per_second=5000, burst=DISCORD_LIMIT) for _ in range(7)]
    sent = 0

    async def send(member: Throttle) -> None:
        nonlocal sent
        await member.wait_to_send()
        member.record_sent()
        sent += 1

    for member in members:
        member.share_limit(len(members))
    asked = [asyncio.ensure_future(send(member)) for member in members for _ in range(DISCORD_LIMIT)]
    await asyncio.sleep(0.2)
    for task in asked:
        task.cancel()
    assert DISCORD_LIMIT - len(members) < sent <= DISCORD_LIMIT


# What nobody waits for, while the event loop is busy with clicks.

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
    calm = BusyLoopGate(clock)
    turns = [asyncio.create_task(calm.wait_while_busy()) for _ in range(100)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert all(turn.done() for turn in turns)


async def test_while_rounds_take_long_all_wait_and_then_go_a_few_at_a_time() -> None:
    clock = Time()
    calm = BusyLoopGate(clock)
    async with rounds(clock, BUSY_ROUND_MS):
        turns = [asyncio.create_task(calm.wait_while_busy()) for _ in range(3 * RELEASED_PER_ROUND)]
        for _ in range(MAX_WAIT_MS // BUSY_ROUND_MS - 10):
            await asyncio.sleep(0)
        assert not any(turn.done() for turn in turns)
    gone = []
    while not all(turn.done() for turn in turns):
        gone.append(sum(turn.done() for turn in turns))
        await asyncio.sleep(0)
    assert max(after - before for before, after in itertools.pairwise(gone)) == RELEASED_PER_ROUND


async def test_a_loop_that_is_always_busy_keeps_nobody_longer_than_a_second() -> None:
    clock = Time()
    calm = BusyLoopGate(clock)
    async with rounds(clock, BUSY_ROUND_MS):
        began = clock.uncorrected_now()
        await calm.wait_while_busy()
        assert MAX_WAIT_MS <= clock.uncorrected_now() - began <= MAX_WAIT_MS + 5 * BUSY_ROUND_MS


async def test_who_has_given_up_takes_no_turn() -> None:
    clock = Time()
    calm = BusyLoopGate(clock)
    async with rounds(clock, BUSY_ROUND_MS):
        turns = [asyncio.create_task(calm.wait_while_busy()) for _ in range(RELEASED_PER_ROUND + 2)]
        for _ in range(5):
            await asyncio.sleep(0)
        turns[0].cancel()
        turns[1].cancel()
        await asyncio.sleep(0)
    for _ in range(4):
        await asyncio.sleep(0)
    assert all(turn.done() for turn in turns)
    await calm.wait_while_busy()
