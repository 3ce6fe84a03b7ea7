"""What it takes to count a record, and what a move waits for it: records that are all still to be counted, beside a
table that changes all the time."""

import asyncio
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bot.clock import SystemClock
from bot.store.counting import RecordCounter
from bot.store.store import Store
from tests.bench.store import WHAT, Version, played

GAMES_EACH = 40
MOVES = 300
PAUSE_SECONDS = 0.01
"""Between two moves."""


class Counted(NamedTuple):
    """What was measured."""

    record_ms: float
    """Of the process's time, for a record."""
    alone_ms: tuple[float, float]
    """What a committed move takes while nothing is counted: median, 99th percentile."""
    beside_ms: tuple[float, float]
    """While records are counted."""


def _people(version: Version) -> Version:
    """*version* where every seat is a person's who wants a rating."""
    table, entries = version
    users = tuple(it._replace(user=number + 1, rated=True) for number, it in enumerate(table.players))
    return table._replace(players=users), entries


async def measure(game: str) -> Counted:
    """Count many records of *game*."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.sqlite3"
        store = await Store.open(f"sqlite+aiosqlite:///{path}")
        for number in range(GAMES_EACH):
            for table, entries in map(_people, played(game, number)):
                if table.version == 1:
                    await store.create_table(table, WHAT, table.changed_at)
                else:
                    await store.save_change(table, WHAT, table.changed_at, entries)
        with closing(sqlite3.connect(path)) as database, database:
            database.executemany(
                "INSERT INTO preferences (user_id, hand, telling, passes, rated) VALUES (?, 'dm', 'turn', 'no', 'yes')",
                [(user,) for user in range(1, 9)],
            )
        alone = await _moves(store, game, GAMES_EACH, MOVES)
        counting = RecordCounter(store, SystemClock())
        began = time.process_time()
        await counting.finish()
        record_ms = (time.process_time() - began) * 1000 / GAMES_EACH
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("UPDATE records SET counted_at = NULL")
            database.execute("DELETE FROM rating_steps")
        task = asyncio.create_task(counting.finish())
        beside = await _moves(store, game, GAMES_EACH + 1, MOVES)
        await task
        await counting.stop()
        await store.close()
    return Counted(record_ms, alone, beside)


async def _moves(store: Store, game: str, number: int, most: int) -> tuple[float, float]:
    """(median, 99th percentile) of the ms that a committed move takes: the first *most* of the game *number*."""
    (first, _), *rest = played(game, number)
    await store.create_table(first, WHAT, first.changed_at)
    times = []
    for table, entries in rest[:most]:
        if not table.live:
            break
        began = time.perf_counter()
        await store.save_change(table, WHAT, table.changed_at, entries)
        times.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(PAUSE_SECONDS)
    return median(times), sorted(times)[int(len(times) * 0.99)]
