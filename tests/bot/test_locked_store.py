"""Another program locks the SQLite file for a while: everybody waits together; who has waited too long is refused."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.store.database import Locked
from bot.store.store import Handle, Store
from bot.tables.errors import Conflict
from bot.tables.model import Table, TableId
from tests.bot.tables import NOW, started
from tests.games import CASES

WHAT = {"what": "test", "by": 1}
T = started(sorted(CASES)[0])


@asynccontextmanager
async def locked(path: Path) -> AsyncIterator[sqlite3.Connection]:
    """Another connection that holds the write lock until the block ends, or until it commits."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield other
    finally:
        other.close()


async def opened(path: Path, tables: int = 1, retry_seconds: float = 10.0) -> Store:
    """A store at *path* with so many *tables*, each in a channel of its own."""
    store = await Store.open(f"sqlite+aiosqlite:///{path}", retry_seconds=retry_seconds)
    for number in range(tables):
        await store.create_table(table(number), WHAT, NOW)
    return store


def table(number: int, version: int = 1) -> Table:
    """Table number *number*, in a channel of its own."""
    return T._replace(id=TableId(f"t{number}"), channel=number, version=version)


async def test_who_comes_later_waits_with_the_others_and_in_order(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path)
    async with locked(path) as other:
        writes = []
        for message in range(1, 6):
            writes.append(asyncio.create_task(store.save_handle(TableId("t0"), Handle("table", 1, message))))
            await asyncio.wait(writes, timeout=0.12)
        other.execute("COMMIT")
        await asyncio.gather(*writes)
    assert await store.load_handles(TableId("t0")) == [Handle("table", 1, 5)]
    await store.close()


async def test_when_patience_ends_all_are_refused_and_the_next_click_works(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path, tables=3, retry_seconds=0.4)
    async with locked(path):
        began = time.monotonic()
        results = await asyncio.gather(
            *(store.save_change(table(number, 2), WHAT, NOW) for number in range(3)),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [Locked] * 3
        assert time.monotonic() - began < 2, "they have waited at the same time"
    for number in range(3):
        await store.save_change(table(number, 2), WHAT, NOW)
    await store.close()


async def test_what_the_other_program_changed_meanwhile_is_a_conflict(tmp_path: Path) -> None:
    """A write takes the lock before it reads: what it has read cannot be out of date. With a transaction that begins
    with reading, SQLite refuses at once. https://www.sqlite.org/lang_transaction.html"""
    path = tmp_path / "t.sqlite3"
    store = await opened(path)
    async with locked(path) as other:
        click = asyncio.create_task(store.save_change(table(0, 2), WHAT, NOW))
        await asyncio.wait([click], timeout=0.3)
        other.execute("UPDATE tables SET version = 2")
        other.execute("COMMIT")
        with pytest.raises(Conflict):
            await click
    await store.close()
