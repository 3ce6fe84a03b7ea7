"""A table that is opened in a thread which another process serves: Discord chooses the thread's id, and with it who
serves it."""

from pathlib import Path

from bot.cluster.partitions import PARTITIONS, partition_of
from bot.refusals import Why
from bot.store.store import Store
from bot.tables.alarms import RETRY_MS
from bot.tables.guild_settings import GuildSettings
from bot.tables.limits import Limits
from bot.tables.model import Table
from bot.tables.ownership import Fence
from bot.tables.timers import IDLE_MS
from tests.bot.processes import GAME, HOST, Process, refused
from tests.bot.test_service import Clock
from tests.bot.upkeep import address

HERE, THERE = 2, next(channel for channel in range(3, 99) if partition_of(channel) != partition_of(2))


class Some:
    """Owns the partition of *channel* alone."""

    def __init__(self, channel: int) -> None:
        self.partition = partition_of(channel)

    shared = True

    def owns(self, channel: int) -> bool:
        return partition_of(channel) == self.partition

    def holds(self, channel: int) -> bool:
        return self.owns(channel)

    def fence_of(self, channel: int) -> Fence | None:
        return None


async def serving(path: Path, channel: int, **how: object) -> Process:
    """A process that serves the partition of *channel*."""
    store = await Store.open(address(path))
    process = Process(store, Clock(), ownership=Some(channel), **how)
    await process.tables.begin()
    await process.tables.take([partition_of(channel)])
    return process


async def opened(process: Process) -> Table:
    return await process.tables.open(
        guild=1, channel=THERE, game=GAME, host=HOST, locale="en", chosen=GuildSettings(tables=1), own_thread=True
    )


async def test_whoever_serves_the_thread_begins_with_the_table(tmp_path: Path) -> None:
    assert PARTITIONS > 1
    one, other = [await serving(tmp_path / "t.sqlite3", channel) for channel in (HERE, THERE)]
    table = await opened(one)
    assert one.tables.live_of() == other.tables.live_of() == []
    await other.tables.adopt(table.id)
    await other.tables.adopt(table.id)
    assert [it.id for it in other.tables.live_of()] == [table.id]
    assert [it.id for it in other.restored] == [table.id], "its messages are sent, once"
    assert other.tables.live_of()[0].own_thread
    await one.tables.adopt(table.id)
    assert one.tables.live_of() == []
    await refused(Why.TABLE_OPEN_HERE, opened(one))
    for process in (one, other):
        await process.tables.stop()
        await process.store.close()


async def test_if_nobody_hears_of_it_whoever_takes_the_partition_finds_it(tmp_path: Path) -> None:
    one = await serving(tmp_path / "t.sqlite3", HERE, limits=Limits())
    table = await opened(one)
    other = await serving(tmp_path / "t.sqlite3", THERE)
    assert [it.id for it in other.tables.live_of()] == [table.id]
    for process in (one, other):
        await process.tables.stop()
        await process.store.close()


async def test_if_whoever_opened_it_has_died_whoever_serves_the_thread_finds_it(tmp_path: Path) -> None:
    one, other = [await serving(tmp_path / "t.sqlite3", channel) for channel in (HERE, THERE)]
    table = await opened(one)
    mine = await one.open(HERE)
    for _ in range(2):
        await other.tables.adopt_all()
        await one.tables.adopt_all()
    assert [it.id for it in other.tables.live_of()] == [it.id for it in other.restored] == [table.id]
    assert [it.id for it in one.tables.live_of()] == [mine.id]
    assert one.restored == []
    for process in (one, other):
        await process.tables.stop()
        await process.store.close()


class InDoubt(Some):
    """Serves *channel*, but is in doubt about it once, after it has been asked as often as ``asked_before`` says."""

    asked_before = 10**6

    def holds(self, channel: int) -> bool:
        self.asked_before -= 1
        return self.asked_before != -1 and super().holds(channel)


async def test_a_timer_rings_again_if_the_lease_was_in_doubt_while_it_was_served(tmp_path: Path) -> None:
    for before in (0, 1):
        ownership = InDoubt(HERE)
        process = Process(await Store.open(address(tmp_path / f"{before}.sqlite3")), Clock(), ownership=ownership)
        await process.tables.begin()
        await process.tables.take([partition_of(HERE)])
        table = await process.open(HERE)
        ownership.asked_before = before
        await process.clock.advance(IDLE_MS)
        assert ownership.asked_before < 0, "it was in doubt"
        assert process.tables.live_of() == [table]
        await process.clock.advance(RETRY_MS)
        assert process.tables.live_of() == []
        await process.tables.stop()
        await process.store.close()
