"""The size of the database's file."""

import shutil
import sqlite3
from collections import namedtuple
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import files
from bot.store.space import PAGES_A_STEP
from bot.store.store import Dms, Store
from tests.bot import yesterday
from tests.bot.logs import written
from tests.bot.yesterday import address, clock_after, look_after
from tests.rows import execute

Usage = namedtuple("Usage", "total used free")


def ask(path: Path, pragma: str) -> int:
    with closing(sqlite3.connect(path)) as database:
        return int(database.execute(f"PRAGMA {pragma}").fetchone()[0])


def incremental(path: Path) -> bool:
    return ask(path, "auto_vacuum") == 2


async def carried_over(path: Path) -> None:
    """Yesterday's database after the first start with this version."""
    clock = clock_after(yesterday.database(path))
    store = await Store.open(address(path))
    await store.take_over(clock.now())
    await look_after(store, clock)
    await store.close()


async def test_a_new_database_can_give_space_back_from_the_start(tmp_path: Path) -> None:
    store = await Store.open(address(path := tmp_path / "t.sqlite3"))
    await store.close()
    assert incremental(path)


async def test_an_older_one_is_made_small_at_the_first_start_without_old_games(tmp_path: Path) -> None:
    yesterday.database(path := tmp_path / "t.sqlite3")
    await (await Store.open(address(path))).close()
    assert not incremental(path), "its old games would be copied for nothing"
    await carried_over(path)
    before = path.stat().st_size
    assert not incremental(path), "the games go on meanwhile"
    with written() as log:
        await (await Store.open(address(path))).close()
        after = path.stat().st_size
        assert incremental(path)
        assert after < before / 10
        await (await Store.open(address(path))).close()
    assert log.getvalue().count("as small as it can be") == 1, "once is enough"
    assert (path.stat().st_size, ask(path, "freelist_count")) == (after, 0)


async def test_without_room_on_the_disk_it_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await carried_over(path := tmp_path / "t.sqlite3")
    pages = ask(path, "page_count") - ask(path, "freelist_count")
    needed = 2 * pages * ask(path, "page_size")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(2 * needed, 0, needed - 1))
    with written() as log:
        store = await Store.open(address(path))
        await store.take_over(clock_after(yesterday.database(tmp_path / "u.sqlite3")).now())
        await store.close()
    assert log.getvalue().count("takes more free space") == 1
    assert not incremental(path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(2 * needed, 0, needed))
    await (await Store.open(address(path))).close()
    assert incremental(path)


async def test_it_is_made_small_beside_a_program_that_reads_it(tmp_path: Path) -> None:
    await carried_over(path := tmp_path / "t.sqlite3")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        before = other.execute("SELECT count(*) FROM tables").fetchone()
        await (await Store.open(address(path))).close()
        assert other.execute("SELECT count(*) FROM tables").fetchone() == before
    assert incremental(path)


async def test_if_another_program_has_locked_it_it_stays_as_it_is(tmp_path: Path) -> None:
    store = await Store.open(address(path := tmp_path / "t.sqlite3"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other, written() as log:
        other.execute("BEGIN IMMEDIATE")
        await store._database.vacuum()
        other.execute("COMMIT")
    assert log.getvalue().count("stays as large as it is") == 1
    await store.pulse(1)
    await store.close()


async def test_the_write_ahead_log_shrinks_again_and_its_size_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """While somebody reads for long it only grows."""
    path = tmp_path / "t.sqlite3"
    store = await Store.open(f"sqlite+aiosqlite:///{path}")
    monkeypatch.setattr(files, "LARGE_LOG", 6 * 1024 * 1024)
    log = path.with_name(path.name + "-wal")
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM people").fetchall()
        while log.stat().st_size < 8 * 1024 * 1024:
            for user in range(1, 65):
                await store.put_dms(user, Dms(user))
    for user in range(1, 65):
        await store.put_dms(user, Dms(user))
    said = [record for record in caplog.records if "write-ahead log" in record.message]
    assert len(said) == 1
    for _ in range(40):
        for user in range(1, 65):
            await store.put_dms(user, Dms(user))
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
    assert await store.give_back()
    assert ask(path, "freelist_count") == free - PAGES_A_STEP
    await look_after(store, yesterday.Stepped())
    assert (ask(path, "freelist_count"), ask(path, "page_count")) == (0, pages - free)
    assert not await store.give_back()
    await store.close()
