"""The database of a bot that knew no records yet: ``yesterday.sqlite3.xz``.

The version before (commit a4a92dd, schema 0006) wrote it itself, through its ``Tables``: of each game one that was
finished by two people and two computer players - a person left and came back, another's time was up once, a third sat
down at a computer's seat - and one by five people; one that runs, in the middle of a round, where a person has left;
one that everybody left, and one that its host ended. There is also a lobby, one that was closed, and two of rematches
that were closed, so that finished tables have later versions.
"""

import asyncio
import json
import lzma
import sqlite3
import tempfile
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

from bot.clock import Clock
from bot.results.counting import Counting
from bot.store.archive import Kept
from bot.store.files import file_of
from bot.store.store import Store
from bot.store.upkeep import Upkeep
from bot.tables.encoding import decode
from bot.tables.model import Ending, Table, TableId
from engine import record
from engine.record import Record
from tests import postgres
from tests.bot.test_service import Clock as Stepped

History = dict[TableId, list[Table]]

_SCHEMA = "0006"
_PACKED = Path(__file__).with_name("yesterday.sqlite3.xz")


def database(where: Path | str) -> History:
    """Put it at *where*, the path of a SQLite file or the address of an empty database; return every version of every
    table, oldest first."""
    path = file_of(sa.make_url(where)) if isinstance(where, str) else where
    if path is not None:
        path.write_bytes(lzma.decompress(_PACKED.read_bytes()))
        return _history(path)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "t.sqlite3"
        found = database(copy)
        postgres.migrate(str(where), _SCHEMA)
        with closing(sqlite3.connect(copy)) as opened:
            names = [row[0] for row in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for name in sorted(set(names) - {"alembic_version"}, key=lambda it: (it != "tables", it)):
                rows = opened.execute(f"SELECT * FROM {name}")
                columns = ", ".join(it[0] for it in rows.description)
                marks = ", ".join(f"${number}" for number in range(1, len(rows.description) + 1))
                postgres.insert(str(where), f"INSERT INTO {name} ({columns}) VALUES ({marks})", rows.fetchall())
    return found


def _history(path: Path) -> History:
    """Every version of every table in the SQLite file at *path*, oldest first."""
    found: History = {}
    with closing(sqlite3.connect(path)) as opened:
        for table, snapshot in opened.execute("SELECT table_id, snapshot FROM events ORDER BY table_id, version"):
            found.setdefault(TableId(table), []).append(decode(json.loads(snapshot)))
    return found


def clock_after(history: History) -> Stepped:
    """A clock that shows a time a little later than any in *history*."""
    clock = Stepped()
    clock.turn(max(versions[-1].changed_at for versions in history.values()) + 1_000 - clock.now())
    return clock


def address(where: Path | str) -> str:
    """Where a store finds the database at *where*, a path or an address already."""
    return where if isinstance(where, str) else f"sqlite+aiosqlite:///{where}"


async def look_after(store: Store, clock: Clock, days: int = 0, needed: Collection[str] = ()) -> None:
    """All that the store needs now, to the end."""

    async def those() -> list[TableId]:
        return [TableId(it) for it in needed]

    upkeep = Upkeep(store, clock, days, those, Counting(store, clock))
    upkeep.start()
    assert upkeep._task is not None
    await asyncio.wait({upkeep._task})
    await upkeep.stop()


def dealt(history: History, *endings: Ending | None) -> dict[TableId, Table]:
    """The newest versions of those tables where cards were dealt, and whose ending is one of these."""
    newest = {table: versions[-1] for table, versions in history.items()}
    return {id_: table for id_, table in newest.items() if table.state is not None and table.ending in endings}


def over(history: History) -> dict[TableId, Table]:
    """The newest versions of those that are over."""
    return dealt(history, Ending.FINISHED, Ending.ABANDONED, Ending.ENDED)


async def kept_of(store: Store, table: TableId) -> Kept:
    found = await store.record(table)
    assert found is not None
    return found


async def record_of(store: Store, table: TableId) -> Record:
    return record.unpack((await kept_of(store, table)).data)


async def carried_over(where: Path | str, history: History) -> Store:
    """The store at *where*, once all its old games are carried over."""
    store = await Store.open(address(where))
    await store.take_over(clock_after(history).now())
    await look_after(store, clock_after(history))
    return store
