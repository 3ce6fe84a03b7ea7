"""How long a move's commit takes on SQLite and on PostgreSQL, at one table and at many that move at the same time."""

import asyncio
import time
from typing import NamedTuple

from bot.store.store import Store
from bot.tables.model import Table, TableId
from engine.game import Json
from engine.registry import GAMES
from tests.bench.store import WHAT, Version, played

MOVES_EACH = 40


class Commits(NamedTuple):
    """What the commits of some tables took."""

    a_second: float
    cpu_ms: float
    """Of the bot's process, for each."""
    median_ms: float
    late_ms: float
    """99 of 100 took no longer."""


async def measure(url: str, count: int) -> Commits:
    """So many tables that move as fast as they can, on the database at *url*."""
    store = await Store.open(url)
    took: list[float] = []

    async def one(number: int, versions: tuple[Version, ...]) -> None:
        for version, entries in versions[:MOVES_EACH]:
            table = version._replace(id=TableId(f"{version.id[:5]}{number:03}"), channel=version.channel + number)
            began = time.perf_counter()
            await _commit(store, table, entries)
            took.append((time.perf_counter() - began) * 1000)

    games = [played(next(iter(GAMES)), number % 8) for number in range(count)]
    cpu, began = time.process_time(), time.perf_counter()
    await asyncio.gather(*(one(number, versions) for number, versions in enumerate(games)))
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    await store.close()
    took.sort()
    return Commits(len(took) / seconds, cpu * 1000 / len(took), took[len(took) // 2], took[len(took) * 99 // 100])


async def _commit(store: Store, table: Table, entries: Json) -> None:
    if table.version == 1:
        await store.create_table(table, WHAT, table.changed_at)
    else:
        await store.save_change(table, WHAT, table.changed_at, entries)
