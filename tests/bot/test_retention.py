"""How long what is over is kept: records as long as the host wants, tables that left none for a week. How large the
database's file is."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import files
from bot.store.counting import RecordCounter
from bot.store.maintenance import StoreMaintenance
from bot.store.records import PAGES_A_STEP, RECORDS_A_SLICE, TABLES_A_SLICE
from bot.store.store import Dms, Handle, Store
from bot.tables import leaving, lobby
from bot.tables.errors import Refusal, Why
from bot.tables.model import Table, TableId
from tests.bot.processes import HOST, Process, refused
from tests.bot.tables import started
from tests.bot.test_archive import Evening
from tests.bot.test_service import Clock
from tests.bot.upkeep import address, look_after
from tests.games import CASES
from tests.rows import copy_rows, count, execute, query

GAME = sorted(CASES)[0]
DAY = 86_400_000


async def finished(process: Process) -> Table:
    """A table that is over, with a record."""
    evening = await Evening.begin(process, GAME)
    await evening.play(3)
    return await evening.change(lambda t: leaving.end_game_early(t, 100, "player 0", moderator=False))


async def closed(process: Process) -> Table:
    """A lobby that is over."""
    table = await process.open()
    return await process.tables.change(table.id, "test", 100, lambda t: lobby.cancel_table(t, 100, "host", False))


def there(store_url: str, table: Table) -> tuple[int, int, int]:
    """How many rows of records, of their people, and of tables there are of *table*."""
    mine = {"records": "table_id", "record_people": "table_id", "tables": "id"}
    found = [count(store_url, f"{name} WHERE {column} = '{table.id}'") for name, column in mine.items()]
    return found[0], found[1], found[2]


async def test_a_record_goes_with_its_people_and_its_table_when_its_time_is_over(
    process: Process, store_url: str
) -> None:
    old = await finished(process)
    process.clock.turn(2 * DAY)
    young = await finished(process)
    process.clock.turn(old.changed_at + 10 * DAY - process.clock.now())
    await look_after(process.store, process.clock, days=10)
    assert (there(store_url, old), there(store_url, young)) == ((1, 2, 1), (1, 2, 1))
    process.clock.turn(1)
    await look_after(process.store, process.clock, days=10)
    assert (there(store_url, old), there(store_url, young)) == ((0, 0, 0), (1, 2, 1))
    assert count(store_url, "moves") == 0
    await refused(Why.NO_SUCH_TABLE, process.tables.get(old.id))


async def test_records_are_kept_for_ever_if_the_host_wants_that(process: Process, store_url: str) -> None:
    old = await finished(process)
    process.clock.turn(4_000 * DAY)
    await look_after(process.store, process.clock, days=0)
    assert there(store_url, old) == (1, 2, 1)


async def test_a_lobby_that_was_closed_goes_after_a_week(process: Process, store_url: str) -> None:
    table = await closed(process)
    process.clock.turn(table.changed_at + 7 * DAY - process.clock.now())
    await look_after(process.store, process.clock)
    assert there(store_url, table) == (0, 0, 1)
    process.clock.turn(1)
    await look_after(process.store, process.clock)
    assert there(store_url, table) == (0, 0, 0)


async def test_a_table_that_is_live_or_set_aside_stays(process: Process, store_url: str) -> None:
    live, aside = await process.open(channel=5), started(GAME)._replace(id=TableId("aside"), channel=6)
    await process.store.create_table(aside, {"what": "test"}, 1)
    query(store_url, "UPDATE tables SET snapshot = ? WHERE id = 'aside'", b"\0")
    query(store_url, "UPDATE tables SET updated_at = 1")
    with pytest.raises(Refusal):
        await process.tables.get(aside.id)
    await look_after(process.store, process.clock, days=1)
    assert (there(store_url, live), there(store_url, aside)) == ((0, 0, 1), (0, 0, 1))


async def test_a_table_stays_while_a_message_of_it_is_not_up_to_date_but_its_record_goes(
    process: Process, store_url: str
) -> None:
    tables = [await finished(process), await closed(process)]
    for table in tables:
        await process.store.save_handle(table.id, Handle("table", 2, 3))
    process.clock.turn(30 * DAY)
    await look_after(process.store, process.clock, days=10)
    assert [there(store_url, table) for table in tables] == [(0, 0, 1), (0, 0, 1)]
    for table in tables:
        await process.store.delete_handles(table.id)
    await look_after(process.store, process.clock, days=10)
    assert [there(store_url, table) for table in tables] == [(0, 0, 0), (0, 0, 0)]


async def test_a_table_stays_while_its_rematch_is_live(process: Process, store_url: str) -> None:
    tables = [await finished(process), await closed(process)]
    for number, table in enumerate(tables):
        again = started(GAME)._replace(id=TableId(f"again{number}"), channel=50 + number, rematch_of=table.id)
        await process.store.create_table(again, {"what": "test"}, 1)
    process.clock.turn(30 * DAY)
    await look_after(process.store, process.clock, days=10)
    assert [there(store_url, table) for table in tables] == [(0, 0, 1), (0, 0, 1)]


async def test_a_record_that_is_gone_does_not_come_back(process: Process, store_url: str) -> None:
    """Its table may change once more: somebody opens a rematch, say."""
    table = await finished(process)
    await process.store.save_handle(table.id, Handle("table", 2, 3))
    process.clock.turn(30 * DAY)
    await look_after(process.store, process.clock, days=10)
    await process.tables.open_rematch(table.id, HOST._replace(user=100))
    assert there(store_url, table) == (0, 0, 1)


async def test_a_rematch_of_a_table_that_is_gone_can_be_played(process: Process, store_url: str) -> None:
    table = await finished(process)
    rematch = await process.tables.open_rematch(table.id, HOST._replace(user=100))
    assert rematch.rematch_of == table.id
    for name, column in (("record_people", "table_id"), ("records", "table_id"), ("tables", "id")):
        query(store_url, f"DELETE FROM {name} WHERE {column} = ?", table.id)
    over = await process.tables.change(rematch.id, "test", 100, lambda t: lobby.cancel_table(t, 100, "host", False))
    assert not over.live


async def test_more_than_a_slice_goes_and_no_transaction_takes_more(process: Process, store_url: str) -> None:
    old = await finished(process)
    many = 3 * TABLES_A_SLICE + 1
    ids = [f"t{number}" for number in range(many)]
    copy_rows(store_url, "tables", "id", old.id, ids)
    copy_rows(store_url, "records", "table_id", old.id, ids[: 3 * RECORDS_A_SLICE])
    query(store_url, "UPDATE records SET counted_at = 1")
    process.clock.turn(30 * DAY)
    store, later = process.store, process.clock.now()
    assert await store.delete_old_records(later, ()) == RECORDS_A_SLICE
    assert count(store_url, "records") == 2 * RECORDS_A_SLICE + 1
    before = count(store_url, "tables")
    assert await store.delete_tables_without_record(TableId(""), later, ()) is not None
    assert 0 < before - count(store_url, "tables") <= TABLES_A_SLICE
    await look_after(store, process.clock, days=10)
    assert (count(store_url, "tables"), count(store_url, "records")) == (0, 0)


async def test_the_upkeep_comes_again_every_day(process: Process, store_url: str) -> None:
    clock = Clock()
    upkeep = StoreMaintenance(process.store, clock, 3, RecordCounter(process.store, clock))
    upkeep.start()
    table = await finished(process)
    await clock.advance(3 * DAY)
    assert there(store_url, table) == (1, 2, 1)
    await clock.advance(DAY)
    assert there(store_url, table) == (0, 0, 0)
    await upkeep.stop()
    table = await finished(process)
    await clock.advance(30 * DAY)
    assert there(store_url, table) == (1, 2, 1), "it has ended"


# The size of the database's file.


def ask(path: Path, pragma: str) -> int:
    with closing(sqlite3.connect(path)) as database:
        return int(database.execute(f"PRAGMA {pragma}").fetchone()[0])


def incremental(path: Path) -> bool:
    return ask(path, "auto_vacuum") == 2


async def test_a_new_database_can_give_space_back_from_the_start(tmp_path: Path) -> None:
    store = await Store.open(address(path := tmp_path / "t.sqlite3"))
    await store.close()
    assert incremental(path)


async def test_the_write_ahead_log_shrinks_again_and_its_size_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """While somebody reads for long it only grows."""
    path = tmp_path / "t.sqlite3"
    store = await Store.open(f"sqlite+aiosqlite:///{path}")
    monkeypatch.setattr(files, "LARGE_LOG_BYTES", 6 * 1024 * 1024)
    log = path.with_name(path.name + "-wal")
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM people").fetchall()
        while log.stat().st_size < 8 * 1024 * 1024:
            for user in range(1, 65):
                await store.save_dm_channel_and_refusal(user, Dms(user))
    for user in range(1, 65):
        await store.save_dm_channel_and_refusal(user, Dms(user))
    said = [record for record in caplog.records if "write-ahead log" in record.message]
    assert len(said) == 1
    for _ in range(40):
        for user in range(1, 65):
            await store.save_dm_channel_and_refusal(user, Dms(user))
        if log.stat().st_size <= 4 * 1024 * 1024:
            break
    assert log.stat().st_size <= 4 * 1024 * 1024
    await store.close()


async def test_what_is_deleted_is_given_back_in_small_steps(tmp_path: Path) -> None:
    store = await Store.open(address(path := tmp_path / "t.sqlite3"))
    execute(
        path,
        "CREATE TABLE large (data BLOB)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
        "INSERT INTO large SELECT zeroblob(4000) FROM n",
        "DELETE FROM large",
    )
    free, pages = ask(path, "freelist_count"), ask(path, "page_count")
    assert free > 4 * PAGES_A_STEP
    assert await store.release_free_pages()
    assert ask(path, "freelist_count") == free - PAGES_A_STEP
    await look_after(store, Clock())
    assert (ask(path, "freelist_count"), ask(path, "page_count")) == (0, pages - free)
    assert not await store.release_free_pages()
    await store.close()
