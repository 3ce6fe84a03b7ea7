"""Which token edits which message, and when one is recorded; where people get direct messages. Without any request."""

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.delivery.courier import Courier
from bot.delivery.direct import CLOSED_MS, DirectMessages
from bot.delivery.faults import TakesNoDms
from bot.delivery.slots import TABLE, Click, Slot, TableSlots
from bot.delivery.throttle import Throttle
from bot.delivery.tokens import RECORDED_MS, TOKEN_LIFE_MS, Tokens, is_on
from bot.delivery.traffic import Traffic
from bot.store.store import Dms, Handle, Store
from bot.watching.metrics import Metrics
from tests.bot.tables import started
from tests.clocks import SteppedClock
from tests.games import CASES

GAME = sorted(CASES)[0]
MINUTE = 60_000


def click(message: int | None, token: str = "fresh") -> Click:
    """A click on *message*; ``None``: a command, which is on none."""
    it: Any = SimpleNamespace(message=None if message is None else SimpleNamespace(id=message), token=token)
    return it


class Desk:
    """Tokens on a store, a table with its message, and a clock."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = SteppedClock()
        self.courier = Courier(
            discord.Client(intents=discord.Intents(guilds=True)),
            Throttle(None),
            self.clock,
            Traffic(self.clock, Metrics(), Throttle(None)),
            Metrics(),
        )
        self.tasks: list[asyncio.Task[Any]] = []
        self.tokens = Tokens(store, self.courier, self.clock, self._spawn)
        self.slots = TableSlots(started(GAME), inherited=False)

    def _spawn(self, work: Any) -> None:
        self.tasks.append(asyncio.ensure_future(work))

    async def message(self, handle: Handle) -> Slot:
        """The slot of *handle*, which is recorded."""
        await self.store.create(self.slots.table, {"what": "test"}, self.clock.now())
        await self.store.put_handle(self.slots.table.id, handle)
        slot = self.slots.slot(handle.slot)
        slot.handle, slot.recorded_at = handle, handle.token_at
        return slot

    async def recorded(self) -> str | None:
        """The token that the store has."""
        await asyncio.gather(*self.tasks)
        (handle,) = await self.store.handles(self.slots.table.id)
        return handle.token


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


async def test_a_token_is_used_for_less_than_the_15_minutes_that_it_is_valid(desk: Desk) -> None:
    """https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages"""
    handle = Handle(TABLE, 1, 2, "token", desk.clock.now())
    assert desk.tokens.reaches(handle)
    assert not desk.tokens.reaches(handle._replace(token=None))
    await desk.clock.advance(TOKEN_LIFE_MS - 1)
    assert desk.tokens.reaches(handle)
    await desk.clock.advance(1)
    assert not desk.tokens.reaches(handle)
    assert 10 * MINUTE < TOKEN_LIFE_MS < 15 * MINUTE


async def test_the_newest_token_is_used_and_recorded_only_now_and_then(desk: Desk) -> None:
    slot = await desk.message(Handle(TABLE, 1, 2, "old", desk.clock.now(), 7))
    await desk.clock.advance(RECORDED_MS - 1)
    desk.tokens.keep(desk.slots, slot, click(2, "newer"))
    assert slot.handle == Handle(TABLE, 1, 2, "newer", desk.clock.now(), 7)
    assert await desk.recorded() == "old"
    await desk.clock.advance(1)
    desk.tokens.keep(desk.slots, slot, click(2, "newest"))
    assert await desk.recorded() == "newest"
    assert slot.recorded_at == desk.clock.now()
    await desk.clock.advance(RECORDED_MS - 1)
    desk.tokens.keep(desk.slots, slot, click(2, "last"))
    assert await desk.recorded() == "newest"


async def test_after_a_restart_the_store_has_a_token_that_is_still_valid_for_long() -> None:
    """At worst it is as old as this, and it is valid for 15 minutes."""
    assert RECORDED_MS < 15 * MINUTE / 2


async def test_the_token_of_a_click_elsewhere_is_not_kept(desk: Desk) -> None:
    slot = await desk.message(Handle(TABLE, 1, 2, "old", desk.clock.now()))
    await desk.clock.advance(RECORDED_MS)
    for other in (click(3), click(None)):
        assert not is_on(slot, other)
        desk.tokens.keep(desk.slots, slot, other)
    assert slot.handle is not None
    assert slot.handle.token == "old"
    assert await desk.recorded() == "old"
    slot.handle = None
    assert not is_on(slot, click(2))
    desk.tokens.keep(desk.slots, slot, click(2))


async def test_a_message_that_is_gone_meanwhile_is_not_recorded(desk: Desk) -> None:
    slot = await desk.message(Handle(TABLE, 1, 2, "old", desk.clock.now()))
    await desk.clock.advance(RECORDED_MS)
    desk.tokens.keep(desk.slots, slot, click(2))
    slot.handle = None
    assert await desk.recorded() == "old"


async def test_without_a_valid_token_nothing_is_requested(desk: Desk) -> None:
    spent = Handle(TABLE, 1, 2, "token", desk.clock.now() - TOKEN_LIFE_MS)
    for handle in (spent, spent._replace(token=None, token_at=desk.clock.now())):
        assert not await desk.tokens.delete(handle)


# Where people get direct messages


def direct(desk: Desk) -> DirectMessages:
    return DirectMessages(desk.store, desk.courier, desk.clock)


async def test_who_takes_no_direct_messages_is_asked_again_after_a_day(desk: Desk) -> None:
    dms = direct(desk)
    await desk.store.put_dms(5, Dms(77))
    assert await dms.channel_of(5, lambda: True) == 77
    await dms.closed(5)
    await desk.clock.advance(CLOSED_MS - 1)
    with pytest.raises(TakesNoDms) as no:
        await dms.channel_of(5, lambda: True)
    assert no.value.code == 0, "Discord was not asked"
    await desk.clock.advance(1)
    assert await dms.channel_of(5, lambda: True) == 77


async def test_who_asks_for_direct_messages_gets_them_at_once(desk: Desk) -> None:
    dms = direct(desk)
    await desk.store.put_dms(5, Dms(77))
    await dms.closed(5)
    await dms.wanted_again(5)
    assert await dms.channel_of(5, lambda: True) == 77
    assert await desk.store.dms(5) == Dms(77)


async def test_who_was_never_written_to_is_not_recorded_for_asking(desk: Desk) -> None:
    await direct(desk).wanted_again(5)
    assert await desk.store.dms(5) == Dms()
