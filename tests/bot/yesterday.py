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
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from bot.clock import Clock
from bot.results.counting import Counting
from bot.store.archive import Kept
from bot.store.store import Store
from bot.store.upkeep import Upkeep
from bot.tables.encoding import decode
from bot.tables.model import Ending, Table, TableId
from engine import record
from engine.record import Record
from tests.bot.test_service import Clock as Stepped

History = dict[TableId, list[Table]]

_PACKED = Path(__file__).with_name("yesterday.sqlite3.xz")


def database(path: Path) -> History:
    """Put it at *path*; return every version of every table, oldest first."""
    path.write_bytes(lzma.decompress(_PACKED.read_bytes()))
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


def address(path: Path) -> str:
    """Where a store finds the database at *path*."""
    return f"sqlite+aiosqlite:///{path}"


async def look_after(store: Store, clock: Clock, days: int = 0, needed: Collection[str] = ()) -> None:
    """All that the store needs now, to the end."""
    upkeep = Upkeep(store, clock, days, lambda: [TableId(it) for it in needed], Counting(store, clock))
    upkeep.start()
    assert upkeep._task is not None
    await asyncio.wait({upkeep._task})
    await upkeep.stop()


def count(path: Path, what: str) -> int:
    """How many rows there are of *what*: a table, and what else may follow it in SQL."""
    with closing(sqlite3.connect(path)) as opened:
        return int(opened.execute(f"SELECT count(*) FROM {what}").fetchone()[0])


def execute(path: Path, *statements: str) -> None:
    """Do something with the database, beside the bot."""
    with closing(sqlite3.connect(path)) as opened, opened:
        for statement in statements:
            opened.execute(statement)


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


async def carried_over(path: Path, history: History) -> Store:
    """The store at *path*, once all its old games are carried over."""
    store = await Store.open(address(path))
    await store.take_over(clock_after(history).now())
    await look_after(store, clock_after(history))
    return store
