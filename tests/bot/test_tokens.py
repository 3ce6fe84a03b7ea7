"""Which token edits which message, and when one is recorded. Without any request."""

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.delivery.discord_api import DiscordApi
from bot.delivery.limits import Throttle, Traffic
from bot.delivery.messages import DirectMessages
from bot.delivery.slots import TABLE, Click, Slot, TableSlots
from bot.delivery.tokens import RECORD_AFTER_MS, TOKEN_LIFE_MS, Tokens, is_click_on_slot_message
from bot.metrics import Metrics
from bot.store.store import Handle, Store
from bot.ui.components import Sheet, text_display
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
        self.api = DiscordApi(
            discord.Client(intents=discord.Intents(guilds=True)),
            Throttle(None),
            self.clock,
            Traffic(self.clock, Metrics(), Throttle(None)),
            Metrics(),
        )
        self.tasks: list[asyncio.Task[Any]] = []
        self.tokens = Tokens(store, self.api, self.clock, self._spawn)
        self.slots = TableSlots(started(GAME), inherited=False)

    def _spawn(self, work: Any) -> None:
        self.tasks.append(asyncio.ensure_future(work))

    async def message(self, handle: Handle) -> Slot:
        """The slot of *handle*, which is recorded."""
        await self.store.create_table(self.slots.table, {"what": "test"}, self.clock.now())
        await self.store.save_handle(self.slots.table.id, handle)
        slot = self.slots.slot(handle.slot)
        slot.handle, slot.recorded_at = handle, handle.token_at
        return slot

    async def recorded(self) -> str | None:
        """The token that the store has."""
        await asyncio.gather(*self.tasks)
        (handle,) = await self.store.load_handles(self.slots.table.id)
        return handle.token


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


async def test_a_token_is_used_for_less_than_the_15_minutes_that_it_is_valid(desk: Desk) -> None:
    """https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages"""
    handle = Handle(TABLE, 1, 2, "token", desk.clock.now())
    assert desk.tokens.has_valid_token(handle)
    assert not desk.tokens.has_valid_token(handle._replace(token=None))
    await desk.clock.advance(TOKEN_LIFE_MS - 1)
    assert desk.tokens.has_valid_token(handle)
    await desk.clock.advance(1)
    assert not desk.tokens.has_valid_token(handle)
    assert 10 * MINUTE < TOKEN_LIFE_MS < 15 * MINUTE


async def test_nothing_is_requested_with_a_token_that_has_expired(desk: Desk) -> None:
    """The client is not connected: a request would fail."""
    handle = Handle(TABLE, 1, 2, "token", desk.clock.now() - TOKEN_LIFE_MS)
    assert not await desk.tokens.edit(handle, Sheet(text_display("a table")))
    assert not await desk.tokens.delete_message(handle)
    assert await desk.tokens.fetch_response_message_id(handle) is None


async def test_the_newest_token_is_used_and_recorded_only_now_and_then(desk: Desk) -> None:
    slot = await desk.message(Handle(TABLE, 1, 2, "old", desk.clock.now(), 7))
    await desk.clock.advance(RECORD_AFTER_MS - 1)
    desk.tokens.keep_token(desk.slots, slot, click(2, "newer"))
    assert slot.handle == Handle(TABLE, 1, 2, "newer", desk.clock.now(), 7)
    assert await desk.recorded() == "old"
    await desk.clock.advance(1)
    desk.tokens.keep_token(desk.slots, slot, click(2, "newest"))
    assert await desk.recorded() == "newest"
    assert slot.recorded_at == desk.clock.now()
    await desk.clock.advance(RECORD_AFTER_MS - 1)
    desk.tokens.keep_token(desk.slots, slot, click(2, "last"))
    assert await desk.recorded() == "newest"


async def test_the_token_of_a_click_elsewhere_is_not_kept(desk: Desk) -> None:
    slot = await desk.message(Handle(TABLE, 1, 2, "old", desk.clock.now()))
    await desk.clock.advance(RECORD_AFTER_MS)
    for other in (click(3), click(None)):
        assert not is_click_on_slot_message(slot, other)
        desk.tokens.keep_token(desk.slots, slot, other)
    assert slot.handle is not None
    assert slot.handle.token == "old"
    assert await desk.recorded() == "old"
    slot.handle = None
    assert not is_click_on_slot_message(slot, click(2))
    desk.tokens.keep_token(desk.slots, slot, click(2))


async def test_a_message_that_is_gone_meanwhile_is_not_recorded(desk: Desk) -> None:
    slot = await desk.message(Handle(TABLE, 1, 2, "old", desk.clock.now()))
    await desk.clock.advance(RECORD_AFTER_MS)
    desk.tokens.keep_token(desk.slots, slot, click(2))
    slot.handle = None
    assert await desk.recorded() == "old"


def direct(desk: Desk) -> DirectMessages:
    return DirectMessages(desk.store, desk.api, desk.clock)
