"""Every change to a table: committed once, told once, also beside another process and when the table cannot go on."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import sqlalchemy as sa

from bot.refusals import Refusal, Why
from bot.store.store import Store
from bot.tables.limits import Limits
from bot.tables.model import Ending, Phase, Player, Table, TableId
from bot.tables.options import Options
from bot.tables.service import Tables
from bot.tables.storage import Unusable
from bot.tables.timers import IDLE_MS
from tests.bot.tables import NORMAL, opened, started
from tests.bot.test_service import WHAT, Clock, at
from tests.games import CASES

GAME = sorted(CASES)[0]
MINUTE = 60_000
HOST = Player("host", 100)


class Process:
    """A process on a store: its tables, and what it has said of them."""

    def __init__(self, store: Store, clock: Clock, **how: Any) -> None:
        self.store, self.clock = store, clock
        self.changed: list[Table] = []
        self.restored: list[Table] = []
        self.aside: list[TableId] = []
        self.cut_off = False
        self.tables = Tables(
            store, clock, self.changed.append, self.restored.extend,
            cut_off=lambda: self.cut_off, on_set_aside=self._set_aside, **how,
        )  # fmt: skip

    async def _set_aside(self, table: TableId) -> None:
        self.aside.append(table)

    async def open(self, channel: int = 2, *, guild: int = 1, host: Player = HOST) -> Table:
        return await self.tables.open(guild=guild, channel=channel, game=GAME, host=host, locale="en")


@pytest.fixture
async def process(store: Store) -> AsyncIterator[Process]:
    it = Process(store, Clock())
    await it.tables.resume()
    yield it
    await it.tables.stop()


async def refused(why: Why, asked: Any) -> dict[str, Any]:
    """The facts with which *asked* is refused for *why*."""
    with pytest.raises(Refusal) as no:
        await asked
    assert no.value.why is why
    return no.value.facts


def hosted_by(user: int) -> Any:
    return lambda table: table._replace(host=user)


def refuse(why: Why) -> Any:
    def change(table: Table) -> Table:
        raise Refusal(why)

    return change


async def test_a_change_is_the_next_version_and_is_told_once(process: Process) -> None:
    table = await process.open()
    await process.clock.advance(5)
    after = await process.tables.change(table.id, "test", 100, hosted_by(101))
    assert (after.version, after.host, after.changed_at) == (table.version + 1, 101, process.clock.now())
    assert process.changed == [after] == [await process.store.load(table.id)]
    assert process.tables.live_in(2) == after
    assert await process.tables.change(table.id, "test", 100, hosted_by(101)) is process.tables.live_in(2)
    assert process.changed == [after], "nothing has changed"


async def test_where_the_live_tables_are(process: Process) -> None:
    here, there, elsewhere = await process.open(2), await process.open(3), await process.open(4, guild=9)
    live = process.tables.live_of
    assert [it.id for it in live()] == [here.id, there.id, elsewhere.id]
    assert [it.id for it in live(guild=1)] == [here.id, there.id]
    assert [it.id for it in live(channel=3)] == [there.id]
    assert live(guild=9, channel=3) == []
    assert await process.tables.in_channel(3) == there
    await refused(Why.NO_TABLE_HERE, process.tables.in_channel(7))
    await refused(Why.NO_SUCH_TABLE, process.tables.get(TableId("nothing")))


async def test_a_channel_has_one_table_whichever_process_has_opened_it(process: Process) -> None:
    other = Process(process.store, process.clock)
    await other.tables.resume()
    table = await process.open()
    for it in (process, other):
        facts = await refused(Why.TABLE_OPEN_HERE, it.open(host=Player("b", 101)))
        assert facts["table"] == table.id
    await other.tables.stop()


async def test_the_limits_hold_for_tables_that_are_there(store: Store) -> None:
    process = Process(store, Clock(), limits=Limits(tables_per_person=2))
    await process.tables.resume()
    for channel in (2, 3):
        await process.open(channel)
    with pytest.raises(Refusal):
        await process.open(4)
    await process.open(4, host=Player("b", 101))
    await process.tables.stop()


async def test_a_lobby_that_was_just_opened_closes_after_a_day_without_anything(process: Process) -> None:
    table = await process.open()
    await process.clock.stand_still(IDLE_MS - 1_000)
    assert process.tables.live_in(2) is not None
    await process.clock.advance(2_000)
    assert (await process.tables.get(table.id)).ending is Ending.IDLE


# Beside another process


async def test_a_change_on_an_old_version_is_made_on_the_new_one(process: Process) -> None:
    table = await process.open()
    other = Process(process.store, process.clock)
    await other.tables.resume()
    await process.tables.change(table.id, "test", 100, lambda t: t._replace(locale="de"))
    after = await other.tables.change(table.id, "test", 100, hosted_by(101))
    assert (after.version, after.locale, after.host) == (3, "de", 101)
    assert [it.version for it in other.changed] == [2, 3]
    await other.tables.stop()


async def test_a_button_that_is_ahead_is_tried_on_what_another_process_has_done(process: Process) -> None:
    table = await process.open()
    other = Process(process.store, process.clock)
    await other.tables.resume()
    await process.tables.change(table.id, "test", 100, hosted_by(101))

    def press(why: Why) -> Any:
        return lambda t: t._replace(host=102) if t.host == 101 else refuse(why)(t)

    await refused(Why.HOST_ONLY, other.tables.change(table.id, "test", 100, press(Why.HOST_ONLY)))
    assert other.changed == []
    after = await other.tables.change(table.id, "test", 100, press(Why.BUTTON_DEAD))
    assert after.host == 102
    await refused(Why.BUTTON_DEAD, other.tables.change(table.id, "test", 100, refuse(Why.BUTTON_DEAD)))
    await process.tables.change(table.id, "test", 100, hosted_by(103))
    await refused(Why.BUTTON_DEAD, other.tables.change(table.id, "test", 100, refuse(Why.BUTTON_DEAD)))
    assert other.tables.live_in(2) == process.tables.live_in(2), "it was looked at again, once"
    await other.tables.stop()


async def test_a_table_that_somebody_has_deleted_is_none_any_more(process: Process) -> None:
    table = await process.open()
    for name in ("timers", "messages", "events", "tables"):
        await process.store._database.write(lambda it, name=name: it.exec_driver_sql(f"DELETE FROM {name}"))
    await refused(Why.NO_SUCH_TABLE, process.tables.change(table.id, "test", 100, hosted_by(101)))
    assert process.tables.live_in(2) is None


# Tables that cannot go on


async def test_a_table_whose_change_shows_that_it_cannot_go_on_is_set_aside(process: Process) -> None:
    table = await process.open()

    def change(t: Table) -> Table:
        raise Unusable(t.id, "KeyError") from KeyError("card")

    await refused(Why.SET_ASIDE, process.tables.change(table.id, "test", 100, change))
    await process.clock.settle()
    assert process.aside == [table.id]
    assert process.tables.live_in(2) is None
    await refused(Why.SET_ASIDE, process.tables.get(table.id))
    await process.open()  # the channel is free


async def test_a_table_whose_history_is_damaged_is_set_aside(process: Process) -> None:
    """There is a row of its next version already."""
    table = await process.open()
    next_one = "INSERT INTO events ({0}) SELECT {1} FROM events"

    def copy(connection: sa.Connection) -> None:
        columns = ", ".join(column[1] for column in connection.exec_driver_sql("PRAGMA table_info(events)"))
        connection.exec_driver_sql(next_one.format(columns, columns.replace("version", "version + 1")))

    await process.store._database.write(copy)
    await refused(Why.SET_ASIDE, process.tables.change(table.id, "test", 100, hosted_by(101)))
    await process.clock.settle()
    assert process.aside == [table.id]


async def test_setting_aside_twice_is_said_once(process: Process) -> None:
    table = await process.open()
    for _ in range(2):
        await process.tables.set_aside(Unusable(table.id, "KeyError"))
    await process.clock.settle()
    assert process.aside == [table.id]


# A new process


async def test_a_new_process_takes_over_what_is_live_the_newest_first(process: Process) -> None:
    clock = process.clock
    first, second = await process.open(2), await process.open(3)
    await clock.advance(5)
    await process.tables.change(first.id, "test", 100, hosted_by(101))
    over = at(opened(GAME), clock.now())._replace(id=TableId("over"), channel=4, phase=Phase.OVER, ending=Ending.ENDED)
    await process.store.create(over, WHAT, clock.now())
    new = Process(process.store, clock)
    assert await new.tables.resume() == 2
    assert [it.id for it in new.restored][:2] == [first.id, second.id]
    assert new.tables.live_in(4) is None
    await clock.stand_still(IDLE_MS)
    await clock.advance(2_000)
    assert new.tables.live_of() == []
    await new.tables.stop()


async def test_time_without_a_connection_is_credited_and_told_l1(store: Store) -> None:
    clock = Clock()
    table = at(started(GAME, Options(turn_seconds=120)), clock.now())
    await store.create(table, WHAT, clock.now())
    process = Process(store, clock)
    await process.tables.resume()
    await clock.advance(80_000)
    process.tables.was_cut_off(clock.now() - 60_000)
    assert [it.turn_credit for it in process.changed] == [60_000]
    before = await process.tables.get(table.id)
    await clock.advance(60_000)
    assert (await process.tables.get(table.id)).state == before.state, "it is not too late yet"
    await clock.advance(60_000)
    assert (await process.tables.get(table.id)).state != before.state
    await process.tables.stop()


async def test_no_turn_limit_acts_while_clicks_cannot_reach_us(store: Store) -> None:
    clock = Clock()
    table = at(started(GAME, NORMAL), clock.now())
    await store.create(table, WHAT, clock.now())
    process = Process(store, clock)
    await process.tables.resume()
    process.cut_off = True
    await clock.advance(10 * MINUTE)
    assert (await process.tables.get(table.id)).version == table.version
    process.cut_off = False
    await clock.advance(5 * MINUTE)
    assert (await process.tables.get(table.id)).version > table.version
    await process.tables.stop()


# People, and rematches


async def test_what_somebody_chooses_holds_where_they_sit(process: Process) -> None:
    mine, other = await process.open(2), await process.open(3, host=Player("b", 101))
    await process.tables.update_person(100, locale="it")
    await process.tables.update_player(other.id, 100, locale="it")
    assert (await process.tables.get(mine.id)).players[0].locale == "it"
    assert await process.tables.get(other.id) == other


async def test_who_may_open_a_rematch_and_when_l5(process: Process) -> None:
    old = await process.open()
    await refused(Why.NOT_FINISHED, process.tables.rematch(old.id, HOST))
    await process.tables.change(old.id, "end", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.ENDED))
    await refused(Why.PLAYERS_ONLY, process.tables.rematch(old.id, Player("b", 101)))
    fresh = await process.tables.rematch(old.id, HOST)
    assert (fresh.channel, fresh.rematch_of, fresh.host) == (2, old.id, 100)
    after = await process.tables.get(old.id)
    assert (after.rematch, after.rematch_by) == (fresh.id, 100)
    assert (await refused(Why.REMATCH_OPEN, process.tables.rematch(old.id, HOST)))["table"] == fresh.id
    await process.tables.change(fresh.id, "close", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.CANCELLED))
    assert (await refused(Why.TABLE_OPEN_HERE, process.tables.rematch(old.id, HOST)))["table"] == fresh.id


@pytest.mark.parametrize("seated", [True, False])
async def test_a_rematch_beside_another_table_in_the_channel_l5(process: Process, seated: bool) -> None:
    old = await process.open()
    await process.tables.change(old.id, "end", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.ENDED))
    other = await process.open(host=HOST if seated else Player("b", 101))
    why = Why.REMATCH_OPEN if seated else Why.TABLE_OPEN_HERE
    assert (await refused(why, process.tables.rematch(old.id, HOST)))["table"] == other.id


async def test_the_old_table_learns_that_its_rematch_has_left_the_lobby_l5(process: Process) -> None:
    old = await process.open()
    await process.tables.change(old.id, "end", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.ENDED))
    fresh = await process.tables.rematch(old.id, HOST)
    version = (await process.tables.get(old.id)).version
    await process.tables.change(fresh.id, "test", 100, hosted_by(101))
    await process.clock.settle()
    assert (await process.tables.get(old.id)).version == version, "it is in the lobby"
    await process.tables.change(fresh.id, "close", 100, lambda t: t._replace(phase=Phase.OVER, ending=Ending.CANCELLED))
    await process.clock.settle()
    assert (await process.tables.get(old.id)).version == version + 1


# Stopping, and clocks that were wrong


async def test_after_the_stop_nothing_happens(store: Store) -> None:
    clock = Clock()
    table = at(started(GAME, NORMAL), clock.now())
    await store.create(table, WHAT, clock.now())
    process = Process(store, clock)
    await process.tables.resume()
    await process.tables.stop()
    await clock.advance(10 * MINUTE)
    assert await store.version(table.id) == table.version


async def test_the_stop_waits_for_what_has_begun(process: Process) -> None:
    table = await process.open()
    await process.tables.set_aside(Unusable(table.id, "KeyError"))
    await process.tables.stop()
    assert process.aside == [table.id]


@pytest.mark.parametrize("live", [True, False])
async def test_times_that_lie_ahead_are_set_back_at_a_live_table(store: Store, live: bool) -> None:
    """Another clock has written them."""
    clock = Clock()
    ahead = at(started(GAME, NORMAL), clock.now() + 60 * MINUTE)
    if not live:
        ahead = ahead._replace(phase=Phase.OVER, ending=Ending.ENDED)
    await store.create(ahead, WHAT, clock.now())
    process = Process(store, clock)
    await process.tables.resume()
    found = await process.tables.get(ahead.id)
    assert (found.turn_began <= clock.now()) is live
    await process.tables.stop()


async def test_tables_that_are_being_opened_count_towards_the_limits(store: Store) -> None:
    process = Process(store, Clock(), limits=Limits(tables_per_person=1))
    await process.tables.resume()
    tried = await asyncio.gather(process.open(2), process.open(3), return_exceptions=True)
    assert sorted(isinstance(it, Refusal) for it in tried) == [False, True]
    await process.tables.stop()


async def test_a_table_that_could_not_be_opened_counts_no_more(process: Process) -> None:
    other = Process(process.store, process.clock, limits=Limits(tables_per_person=1))
    await other.tables.resume()
    await process.open(2, host=Player("b", 101))
    await refused(Why.TABLE_OPEN_HERE, other.open(2))
    assert (await other.open(3)).channel == 3
    await other.tables.stop()


async def test_a_table_is_not_sent_anew_again_and_again(process: Process) -> None:
    table = await process.open()
    process.tables.check_move(table.id)
    with pytest.raises(Refusal):
        process.tables.check_move(table.id)
    await process.clock.advance(MINUTE)
    process.tables.check_move(table.id)
