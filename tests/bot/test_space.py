"""The size of the database's file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import files
from bot.store.retention import PAGES_A_STEP
from bot.store.store import Dms, Store
from tests.bot.test_service import Clock
from tests.bot.upkeep import address, look_after
from tests.rows import execute


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
    await look_after(store, Clock())
    assert (ask(path, "freelist_count"), ask(path, "page_count")) == (0, pages - free)
    assert not await store.give_back()
    await store.close()
