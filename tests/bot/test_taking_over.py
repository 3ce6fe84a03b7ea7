"""A process that starts serves before it has read all its tables; what concerns many of them is done in parts."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.schema import tables as rows
from bot.store.store import Store
from bot.store.tables import pack_table
from bot.tables.errors import Why
from bot.tables.live import BATCH_SIZE
from bot.tables.model import Player, Table, TableId
from bot.tables.options import Options
from bot.tables.outages import Outage
from tests.bot.processes import MINUTE, Process, hosted_by, refused
from tests.bot.tables import NORMAL, resume, started
from tests.bot.test_service import WHAT, Clock, at
from tests.clocks import SteppedClock
from tests.games import CASES
from tests.process.waiting import eventually

GAME = sorted(CASES)[0]
MANY = 3 * BATCH_SIZE
NOW = Clock().now()


async def fill(store: Store, options: Options = NORMAL) -> list[Table]:
    """So many games that run, each in the channel of its number; the one that changed last first."""
    game = at(started(GAME, options), NOW)
    game = game._replace(players=tuple(it._replace(active_at=NOW) for it in game.players))
    made = [game._replace(id=TableId(f"t{number}"), channel=number) for number in range(1, MANY + 1)]
    for number, table in enumerate(made):
        await store.create_table(table, WHAT, NOW + number)
    return made[::-1]


async def start(store: Store, clock: SteppedClock | None = None) -> Process:
    """A process that has begun to take the tables of *store* over, and has read none of them."""
    it = Process(store, clock or Clock())
    assert await resume(it.tables) == MANY == it.tables.table_count
    assert it.tables.live_tables_in_memory() == []
    return it


async def test_a_table_that_is_asked_for_is_served_before_the_others_are_read(store: Store) -> None:
    *_, last = await fill(store)
    process = await start(store)
    assert await process.tables.get(last.id) == last
    changed = await process.tables.change(last.id, "test", 100, hosted_by(101))
    assert len(process.tables.live_tables_in_memory()) < MANY
    await process.tables.wait_until_taken_over()
    assert await process.tables.get(last.id) == changed == await store.load_table(last.id), "it is not read once more"
    assert process.changed == [changed]
    assert len(process.tables.live_tables_in_memory()) == MANY == process.tables.table_count
    assert sorted(it.id for it in process.restored) == sorted(it.id for it in process.tables.live_tables_in_memory())
    await process.tables.stop()


async def test_those_that_changed_last_are_read_first(store: Store) -> None:
    filled = await fill(store)
    process = await start(store)
    await process.tables.wait_until_taken_over()
    assert [it.id for it in process.restored] == [it.id for it in filled]
    await process.tables.stop()


async def test_a_channel_has_one_table_also_while_that_is_not_read(store: Store) -> None:
    *_, last = await fill(store)
    process = await start(store)
    facts = await refused(Why.TABLE_OPEN_HERE, process.open(last.channel, host=Player("b", 909)))
    assert facts["table"] == last.id
    await process.tables.stop()
    again = await start(store)
    assert (
        await again.tables.require_in_channel(last.channel) == last == await again.tables.find_in_channel(last.channel)
    )
    await refused(Why.NO_TABLE_HERE, again.tables.require_in_channel(MANY + 1))
    await again.tables.stop()


async def test_what_concerns_all_tables_waits_for_them(store: Store) -> None:
    *_, last = await fill(store)
    process = await start(store)
    assert [it.id for it in await process.tables.all_live_tables(channel=last.channel)] == [last.id]
    await process.tables.stop()
    again = await start(store)
    await again.tables.update_player_at_all_tables(100, locale="it")
    assert {it.players[0].locale for it in again.tables.live_tables_in_memory()} == {"it"}
    assert len(again.tables.live_tables_in_memory()) == MANY
    await again.tables.stop()


async def test_timers_of_tables_that_were_not_read_yet_are_served(store: Store) -> None:
    await fill(store)
    process = await start(store)
    await process.tables.wait_until_taken_over()
    await process.clock.stand_still(3 * MINUTE)
    await process.clock.advance(3 * MINUTE)
    await process.clock.settle()
    assert all(it.version > 1 for it in process.tables.live_tables_in_memory()), "a turn takes two minutes at most"
    await process.tables.stop()


async def test_a_table_that_cannot_be_read_is_set_aside_and_stops_no_other(store: Store) -> None:
    *_, last = await fill(store)
    await store._write(
        lambda connection: connection.execute(
            rows.update().where(rows.c.id == last.id), {"snapshot": pack_table(last._replace(channel=99))}
        )
    )
    process = await start(store)
    await refused(Why.SET_ASIDE, process.tables.get(last.id))
    await process.tables.wait_until_taken_over()
    assert process.tables.table_count == MANY - 1
    await process.clock.settle()
    assert process.aside == [last.id], "its channel is told"
    await process.tables.stop()


async def test_a_start_that_is_given_up_leaves_the_rest_to_the_next_one(store: Store) -> None:
    await fill(store)
    process = await start(store)
    await process.tables.stop()
    await process.tables.wait_until_taken_over()
    assert len(process.tables.live_tables_in_memory()) < MANY
    again = await start(store)
    await again.tables.wait_until_taken_over()
    assert len(again.tables.live_tables_in_memory()) == MANY
    await again.tables.stop()


async def test_of_a_shard_that_is_given_up_no_more_tables_are_read(store: Store) -> None:
    await fill(store)
    process = Process(store, Clock())
    assert await process.tables.take_over_shards({0}, 2) == MANY
    await process.tables.release_shards({0}, 2)
    await process.tables.wait_until_taken_over()
    assert (process.tables.table_count, process.restored) == (0, [])
    await process.tables.stop()


async def test_an_outage_is_credited_to_many_turns_in_parts_and_to_one_that_matters_at_once(store: Store) -> None:
    filled = await fill(store)
    process = await start(store)
    await process.tables.wait_until_taken_over()
    process.tables.add_outage(Outage(NOW + 1, NOW + 50_001))
    credited = [it.turn_credit for it in process.tables.live_tables_in_memory()]
    assert credited.count(50_000) == BATCH_SIZE, "the others would have to wait"
    (one, *_) = [it for it in filled if process.tables.taken_over_table_in_channel(it.channel) == it]
    assert (await process.tables.get(one.id)).turn_credit == 50_000
    await process.clock.settle()
    assert {it.turn_credit for it in process.tables.live_tables_in_memory()} == {50_000}
    assert sorted(it.id for it in process.changed) == sorted(it.id for it in filled), "each is told once"
    await process.tables.stop()


async def test_an_outage_changes_nothing_to_be_seen_where_turns_have_no_end(store: Store) -> None:
    await fill(store, NORMAL._replace(turn_seconds=0))
    process = await start(store)
    await process.tables.wait_until_taken_over()
    process.tables.add_outage(Outage(NOW + 1, NOW + 50_001))
    await process.clock.settle()
    assert {it.turn_credit for it in process.tables.live_tables_in_memory()} == {50_000}
    assert process.changed == []
    await process.tables.stop()


async def test_no_turn_ends_before_an_outage_is_credited_to_it(store: Store) -> None:
    await fill(store)
    process = await start(store)
    await process.tables.wait_until_taken_over()
    process.clock.turn(2 * MINUTE + 1)  # all turns would be over now
    process.tables.add_outage(Outage(NOW + 1, process.clock.now()))
    await process.clock.advance(1)
    await process.clock.settle()
    assert all(it.version == 1 for it in process.tables.live_tables_in_memory())
    await process.tables.stop()


async def test_while_the_database_is_locked_it_is_tried_again_later_each_time_and_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "t.sqlite3"
    store = await Store.open(f"sqlite+aiosqlite:///{path}", retry_seconds=0.05)
    filled = await fill(store)
    process = await start(store, SteppedClock())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        await eventually(lambda: len(said(caplog)) == 1, "the first attempt to fail")
        for attempt, seconds in ((2, 5), (3, 10)):
            await process.clock.advance(seconds * 1000 - 1)
            assert len(said(caplog)) == attempt - 1
            await process.clock.advance(1)
            await eventually(lambda count=attempt: len(said(caplog)) == count, "one more attempt")
        assert process.tables.live_tables_in_memory() == []
        other.execute("ROLLBACK")
    assert await process.tables.get(filled[-1].id) == filled[-1], "one that is asked for does not wait"
    await process.clock.advance(20_000)
    await process.tables.wait_until_taken_over()
    assert len(process.tables.live_tables_in_memory()) == MANY
    assert [bool(record.exc_info) for record in said(caplog)] == [True, False, False]
    await process.tables.stop()
    await store.close()


def said(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """The lines of the log which say that tables are not taken over."""
    return [record for record in caplog.records if record.message == "tables are not taken over yet"]
