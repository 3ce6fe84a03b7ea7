"""A store on a database of either kind that is looked after, and the records in it."""

import asyncio
from pathlib import Path

from bot.clock import Clock
from bot.store.counting import RecordCounter
from bot.store.maintenance import StoreMaintenance
from bot.store.records import StoredRecord
from bot.store.store import Store
from bot.tables.model import TableId
from engine import record
from engine.record import Record


def address(where: Path | str) -> str:
    """Where a store finds the database at *where*, a path or an address already."""
    return where if isinstance(where, str) else f"sqlite+aiosqlite:///{where}"


async def look_after(store: Store, clock: Clock, days: int = 0) -> None:
    """All that the store needs now, to the end."""
    upkeep = StoreMaintenance(store, clock, days, RecordCounter(store, clock))
    upkeep.start()
    assert upkeep._task is not None
    await asyncio.wait({upkeep._task})
    await upkeep.stop()


async def kept_of(store: Store, table: TableId) -> StoredRecord:
    found = await store.load_game_record(table)
    assert found is not None
    return found


async def record_of(store: Store, table: TableId) -> Record:
    return record.decompress_record((await kept_of(store, table)).data)
