"""A store on a database of either kind that is looked after, and the records in it."""

import asyncio
from pathlib import Path

from bot.clock import Clock
from bot.store.counting import Counting
from bot.store.maintenance import Upkeep
from bot.store.records import Kept
from bot.store.store import Store
from bot.tables.model import TableId
from engine import record
from engine.record import Record


def address(where: Path | str) -> str:
    """Where a store finds the database at *where*, a path or an address already."""
    return where if isinstance(where, str) else f"sqlite+aiosqlite:///{where}"


async def look_after(store: Store, clock: Clock, days: int = 0) -> None:
    """All that the store needs now, to the end."""
    upkeep = Upkeep(store, clock, days, Counting(store, clock))
    upkeep.start()
    assert upkeep._task is not None
    await asyncio.wait({upkeep._task})
    await upkeep.stop()


async def kept_of(store: Store, table: TableId) -> Kept:
    found = await store.record(table)
    assert found is not None
    return found


async def record_of(store: Store, table: TableId) -> Record:
    return record.unpack((await kept_of(store, table)).data)
