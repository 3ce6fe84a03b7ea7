"""The tables whose messages are kept up to date: loaded once, let go of when over, remembered for a rematch."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.delivery.decision import LAST_WORD_MS
from bot.delivery.registry import Registry
from bot.delivery.slots import TABLE, Slot, TableSlots, hand_slot, here_slot
from bot.store.store import Handle, Store
from bot.tables.model import Ending, Phase, Table, TableId
from engine.game import Seat
from tests.bot.tables import opened, started
from tests.clocks import SteppedClock
from tests.games import CASES

GAME = sorted(CASES)[0]
DIRECT = 9
"""A channel of direct messages."""
WHAT = {"what": "test", "by": 1}


class Watched:
    """A registry on a store, and what it says."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = SteppedClock()
        self.touched: list[str] = []
        self.registry = Registry(store, self.clock)
        self.registry.touch = self._touch

    def _touch(self, slots: TableSlots, slot: Slot) -> None:
        self.touched.append(slot.name)

    async def add(self, table: Table, *handles: Handle) -> Table:
        """*table* is in the store, and its messages."""
        await self.store.create(table, WHAT, self.clock.now())
        await self.store.put_handles(table.id, handles)
        return table

    def live(self, name: str, message: int, channel: int = DIRECT) -> Handle:
        """A hand that somebody has just clicked."""
        return Handle(name, channel, message, "token", self.clock.now())

    async def kept(self, table: Table) -> list[str]:
        """The slots of *table* of which the store knows."""
        return sorted(handle.slot for handle in await self.store.handles(table.id))


@pytest.fixture
async def watched(store: Store) -> AsyncIterator[Watched]:
    it = Watched(store)
    yield it
    await it.registry.finish()


def over(table: Table) -> Table:
    return table._replace(phase=Phase.OVER, ending=Ending.ENDED)


async def test_messages_are_loaded_once_and_touched(watched: Watched) -> None:
    hand = watched.live(hand_slot(Seat(0)), 12)
    table = await watched.add(started(GAME), Handle(TABLE, 2, 11), hand)
    slots = await watched.registry.loaded(table)
    assert sorted(watched.touched) == [hand.slot, TABLE]
    assert slots.slot(hand.slot).handle == hand
    assert slots.slot(hand.slot).recorded_at == hand.token_at
    assert slots.message == 11
    await watched.store.put_handle(table.id, Handle(TABLE, 2, 99))
    assert (await watched.registry.loaded(table)) is slots
    assert slots.message == 11
    assert len(watched.touched) == 2


async def test_what_is_known_already_is_newer_than_the_store(watched: Watched) -> None:
    table = await watched.add(started(GAME), Handle(TABLE, 2, 11))
    watched.registry.get_or_add(table).slot(TABLE).handle = Handle(TABLE, 2, 12)
    assert (await watched.registry.loaded(table)).message == 12


async def test_rows_that_would_show_a_hand_to_others_are_left_out(watched: Watched) -> None:
    at_the_table = Handle(hand_slot(Seat(0)), 2, 12)
    on_the_table = Handle(here_slot(Seat(1)), 2, 11)
    right = Handle(here_slot(Seat(0)), 2, 13)
    table = await watched.add(started(GAME), Handle(TABLE, 2, 11), at_the_table, on_the_table, right)
    slots = await watched.registry.loaded(table)
    assert {slot.name for slot in slots.all() if slot.handle} == {TABLE, right.slot}


async def test_a_table_is_kept_up_to_date_until_all_its_messages_show_that_it_is_over(watched: Watched) -> None:
    registry, table = watched.registry, await watched.add(started(GAME), Handle(TABLE, 2, 11))
    registry.inherit([table])
    slots = await registry.loaded(table)
    assert slots.inherited
    await registry.forget_if_done(slots)
    assert registry.find(table.id) is slots, "it is live"
    slots.table = over(table)
    slots.slot(TABLE).dirty = True
    await registry.forget_if_done(slots)
    assert registry.find(table.id) is slots, "it does not show that yet"
    slots.slot(TABLE).dirty = False
    await registry.forget_if_done(slots)
    assert registry.find(table.id) is None
    assert len(registry) == 0
    assert await watched.kept(table) == []
    assert not registry.get_or_add(over(table)).inherited, "it is as new"


async def test_messages_that_are_not_loaded_yet_are_not_forgotten(watched: Watched) -> None:
    table = await watched.add(over(started(GAME)), Handle(TABLE, 2, 11))
    slots = watched.registry.get_or_add(table)
    await watched.registry.forget_if_done(slots)
    assert watched.registry.find(table.id) is slots
    assert await watched.kept(table) == [TABLE]


async def test_a_table_that_was_taken_up_again_is_not_forgotten_by_what_was_done_before(watched: Watched) -> None:
    table = await watched.add(over(started(GAME)), Handle(TABLE, 2, 11))
    before = await watched.registry.loaded(table)
    watched.registry.forget(before)
    now = await watched.registry.loaded(table)
    await watched.registry.forget_if_done(before)
    assert watched.registry.find(table.id) is now
    assert await watched.kept(table) == [TABLE]


async def ended(watched: Watched, name: str, channel: int, *handles: Handle) -> Table:
    """A table *name* in *channel* that is over, which all its messages show."""
    table = await watched.add(over(started(GAME))._replace(id=TableId(name), channel=channel), *handles)
    await watched.registry.forget_if_done(await watched.registry.loaded(table))
    return table


async def test_a_rematch_finds_the_hands_that_a_token_can_still_edit_l5(watched: Watched) -> None:
    live = watched.live(hand_slot(Seat(0)), 12)
    spent = live._replace(slot=hand_slot(Seat(1)), message=13, token_at=live.token_at - LAST_WORD_MS)
    table = await ended(watched, "a", 2, Handle(TABLE, 2, 11), live, spent)
    slots = watched.registry.get_or_add(table)
    assert [(slot.name, slot.handle) for slot in slots.all()] == [(live.slot, live)]
    assert watched.registry.find(table.id) is slots


async def test_a_rematch_that_comes_too_late_finds_no_hand_l5(watched: Watched) -> None:
    table = await ended(watched, "a", 2, Handle(TABLE, 2, 11), watched.live(hand_slot(Seat(0)), 12))
    await watched.clock.advance(LAST_WORD_MS)
    assert watched.registry.get_or_add(table).all() == []


async def test_tables_that_are_over_are_not_remembered_for_ever(watched: Watched) -> None:
    """Only those whose hands a token can still edit."""
    await ended(watched, "none", 2, Handle(TABLE, 2, 11))
    assert len(watched.registry._over) == 0
    await ended(watched, "a", 3, watched.live(hand_slot(Seat(0)), 12))
    await watched.clock.advance(1_000)
    await ended(watched, "b", 4, watched.live(hand_slot(Seat(0)), 13))
    assert list(watched.registry._over) == ["a", "b"]
    await watched.clock.advance(LAST_WORD_MS - 1_000)
    await ended(watched, "c", 5, watched.live(hand_slot(Seat(0)), 14))
    assert list(watched.registry._over) == ["b", "c"]
    await watched.clock.advance(LAST_WORD_MS)
    await ended(watched, "d", 6, watched.live(hand_slot(Seat(0)), 15))
    assert list(watched.registry._over) == ["d"]


async def test_a_lobby_that_is_over_leaves_nothing_behind(watched: Watched) -> None:
    table = await watched.add(over(opened(GAME)), Handle(TABLE, 2, 11))
    await watched.registry.forget_if_done(await watched.registry.loaded(table))
    assert await watched.kept(table) == []


async def test_a_table_that_is_set_aside_rings_no_more_and_its_messages_stay_recorded(watched: Watched) -> None:
    table = await watched.add(started(GAME), Handle(TABLE, 2, 11))
    watched.registry.inherit([table])
    slots = await watched.registry.loaded(table)
    rang: list[int] = []
    slots.slot(TABLE).retry = watched.clock.call_at(watched.clock.now() + 10, lambda: rang.append(1))
    watched.registry.forget(slots)
    await watched.clock.advance(20)
    assert rang == []
    assert watched.registry.every() == []
    assert await watched.kept(table) == [TABLE]
    assert not watched.registry.get_or_add(table).inherited


async def test_it_waits_for_all_its_tasks_also_for_those_begun_meanwhile(watched: Watched) -> None:
    done: list[str] = []

    async def second() -> None:
        done.append("second")

    async def first() -> None:
        await asyncio.sleep(0)
        watched.registry.spawn(second())
        done.append("first")

    watched.registry.spawn(first())
    await watched.registry.finish()
    assert done == ["first", "second"]
