"""Several processes that write to one PostgreSQL never wait for each other in a ring: whatever locks rows that others
lock as well has a transaction of its own. With SQLite there is one writer at a time."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import sqlalchemy as sa

from bot.store import postgresql
from bot.store.postgresql import LANES
from bot.store.store import Dms, Store
from bot.tables.model import Player, TableId
from tests.bot.logs import captured_log
from tests.bot.tables import NOW, opened
from tests.games import ANY

pytestmark = [pytest.mark.about(ANY), pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)]

FIRST, BETWEEN, LAST = 101, 102, 103
"""People, and servers of that number."""
OTHERS = range(200, 200 + 3 * (LANES - 1))
"""As many as the other lanes take, so that the three above are left to one."""
Writes = Callable[[Store, int, int], Awaitable[None]]
"""Makes a process write about a person, by its number and the person."""

_WAIT_FOR_A_LOCK = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
_PERSON = sa.text("INSERT INTO people (user_id, dm_channel_id) VALUES (:number, 1)")


async def meet(store: Store, process: int, person: int) -> None:
    """The process opens a conversation with *person*."""
    await store.save_dm_channel_and_refusal(person, Dms(channel=process))


async def open_table(store: Store, process: int, person: int) -> None:
    """*person* opens a table in their server, through the process."""
    channel = 1000 * process + person
    table = opened(ANY)._replace(
        id=TableId(f"t{channel}"), guild=person + 500, channel=channel, opened_by=person, players=(Player("x", person),)
    )
    await store.create_table(table, {"what": "test"}, NOW, lambda what_is_open: None)


@pytest.fixture
async def processes(store_url: str) -> AsyncIterator[tuple[Store, Store]]:
    both = await Store.open(store_url), await Store.open(store_url)
    yield both
    for one in both:
        await one.close()


@pytest.mark.parametrize("write", [meet, open_table])
async def test_nobody_waits_in_a_ring(processes: tuple[Store, Store], write: Writes) -> None:
    """One process writes about three people, another about the same in the other order, while a third one holds up
    the second of them until both wait."""
    one, other = processes
    engine = one._database._engine  # type: ignore[attr-defined]
    with captured_log() as log:
        async with engine.connect() as holding, engine.connect() as watching:
            await holding.execute(_PERSON, {"number": BETWEEN})
            await holding.run_sync(postgresql.acquire_locks, [BETWEEN])
            writes = [write(one, 1, person) for person in (FIRST, BETWEEN, LAST, *OTHERS)]
            writes += [write(other, 2, person) for person in (LAST, BETWEEN, FIRST, *OTHERS)]
            done = asyncio.gather(*writes)
            async with asyncio.timeout(5):
                while (await watching.execute(_WAIT_FOR_A_LOCK)).scalar_one() < 2:
                    await watching.rollback()
                    await asyncio.sleep(0.01)
            await holding.rollback()
            await done
    assert "waited for each other" not in log.getvalue()
