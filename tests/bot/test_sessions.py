"""Sessions at Discord's gateway: few are begun, and one that may be deaf is begun anew before somebody loses a seat."""

import asyncio

import pytest

from bot.delivery.errors import Busy
from bot.gateway import FIRST_PAUSE_MS, MAX_PAUSE_MS, RENEW_INTERVAL_MS, RESERVE, STABLE_MS, SessionBudget, Sessions
from bot.tables.model import TableId
from tests.clocks import SteppedClock

MINUTE = 60_000
HOUR = 60 * MINUTE
ONE, TWO = TableId("one"), TableId("two")


class Gateway:
    """What Discord says of sessions, and what was done about them."""

    def __init__(self) -> None:
        self.clock = SteppedClock()
        self.remaining = 900
        self.answers = True
        self.renewed: list[int] = []
        self.with_turn_credit: list[tuple[int, int]] = []
        self.sessions = Sessions(self.clock, self.budget, self.renew, lambda *span: self.with_turn_credit.append(span))

    async def budget(self) -> SessionBudget:
        if not self.answers:
            raise Busy
        return SessionBudget(self.remaining, self.clock.now() + HOUR)

    async def renew(self, shard: int) -> None:
        self.renewed.append(shard)

    async def begins(self, within_ms: int) -> bool:
        """Whether shard 0 may begin a session within that time; if not, it still waits."""
        task = asyncio.ensure_future(self.sessions.wait_to_begin(0))
        await rest()
        await self.pass_time(within_ms)
        done = task.done()
        task.cancel()
        await asyncio.wait({task})
        return done

    async def pass_time(self, ms: int) -> None:
        await self.clock.advance(ms)
        await rest()


async def rest() -> None:
    """What can go on goes on."""
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture
def gateway() -> Gateway:
    return Gateway()


async def test_sessions_that_do_not_last_are_begun_ever_later(gateway: Gateway) -> None:
    assert await gateway.begins(0)
    assert await gateway.begins(0), "one may fail"
    pause = FIRST_PAUSE_MS
    for _ in range(3):
        assert not await gateway.begins(pause - 1_000)
        assert await gateway.begins(1_000)
        pause *= 2
    for _ in range(12):
        assert await gateway.begins(MAX_PAUSE_MS)
    assert not await gateway.begins(MAX_PAUSE_MS - 1_000), "at most ten minutes"


async def test_after_a_session_that_has_lasted_the_next_one_begins_at_once(gateway: Gateway) -> None:
    for _ in range(3):
        assert await gateway.begins(FIRST_PAUSE_MS)
    await gateway.pass_time(STABLE_MS + 2 * FIRST_PAUSE_MS)
    assert await gateway.begins(0)
    assert await gateway.begins(0)


async def test_with_few_left_none_is_begun_until_there_are_more(
    gateway: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    gateway.remaining = RESERVE - 1
    waiting = asyncio.ensure_future(gateway.sessions.wait_to_begin(0))
    await gateway.pass_time(0)
    assert sum(record.levelname == "WARNING" for record in caplog.records) == 1, "one clear line"
    await gateway.pass_time(HOUR - 1_000)
    assert not waiting.done()
    gateway.remaining = 1000
    await gateway.pass_time(1_000)
    await waiting
    assert gateway.sessions.budget is not None
    assert gateway.sessions.budget.remaining == 999


async def test_what_discord_does_not_say_is_counted(gateway: Gateway) -> None:
    assert await gateway.begins(0)
    gateway.answers = False
    assert await gateway.begins(0)
    assert gateway.sessions.budget is not None
    assert gateway.sessions.budget.remaining == 898


async def test_before_a_second_time_out_counts_a_silent_session_is_begun_anew(gateway: Gateway) -> None:
    gateway.sessions.record_interaction(0)
    heard_at = gateway.clock.now()
    await gateway.pass_time(2 * MINUTE)
    assert not gateway.sessions.defer_timeout_and_renew_if_deaf(ONE, {0}), "one time-out says nothing"
    await gateway.pass_time(2 * MINUTE)
    assert gateway.sessions.defer_timeout_and_renew_if_deaf(ONE, {0})
    await gateway.pass_time(0)
    assert gateway.renewed == [0]
    assert gateway.with_turn_credit == [(heard_at, gateway.clock.now())]
    for _ in range(3):
        await gateway.pass_time(2 * MINUTE)
        assert not gateway.sessions.defer_timeout_and_renew_if_deaf(ONE, {0}), "once an hour"
    await gateway.pass_time(RENEW_INTERVAL_MS)
    assert gateway.sessions.defer_timeout_and_renew_if_deaf(ONE, {0})


async def test_time_outs_at_two_tables_are_as_suspicious(gateway: Gateway) -> None:
    assert not gateway.sessions.defer_timeout_and_renew_if_deaf(ONE, {0})
    assert gateway.sessions.defer_timeout_and_renew_if_deaf(TWO, {0})


async def test_a_session_that_brings_interactions_is_not_deaf(gateway: Gateway) -> None:
    for _ in range(3):
        assert not gateway.sessions.defer_timeout_and_renew_if_deaf(ONE, {0})
        gateway.sessions.record_interaction(0)


async def test_whoever_also_clicks_in_direct_messages_is_heard_by_two_sessions(gateway: Gateway) -> None:
    assert not gateway.sessions.defer_timeout_and_renew_if_deaf(ONE, {3, 0})
    gateway.sessions.record_interaction(0)
    assert not gateway.sessions.defer_timeout_and_renew_if_deaf(ONE, {3, 0}), "their direct messages work"
