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
from bot.store.store import Store
from bot.store.upkeep import Upkeep
from bot.tables.encoding import decode
from bot.tables.model import Table, TableId
from tests.bot.test_service import Clock as Stepped

_PACKED = Path(__file__).with_name("yesterday.sqlite3.xz")


def database(path: Path) -> dict[TableId, list[Table]]:
    """Put it at *path*; return every version of every table, oldest first."""
    path.write_bytes(lzma.decompress(_PACKED.read_bytes()))
    found: dict[TableId, list[Table]] = {}
    with closing(sqlite3.connect(path)) as opened:
        for table, snapshot in opened.execute("SELECT table_id, snapshot FROM events ORDER BY table_id, version"):
            found.setdefault(TableId(table), []).append(decode(json.loads(snapshot)))
    return found


def clock_after(history: dict[TableId, list[Table]]) -> Stepped:
    """A clock that shows a time a little later than any in *history*."""
    clock = Stepped()
    clock.turn(max(versions[-1].changed_at for versions in history.values()) + 1_000 - clock.now())
    return clock


def address(path: Path) -> str:
    """Where a store finds the database at *path*."""
    return f"sqlite+aiosqlite:///{path}"


async def look_after(store: Store, clock: Clock, days: int = 0, needed: Collection[str] = ()) -> None:
    """All that the store needs now, to the end."""
    upkeep = Upkeep(store, clock, days, lambda: [TableId(it) for it in needed])
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
