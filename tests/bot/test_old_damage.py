"""Games from before there were records, where what is stored of them is damaged, or cannot be written."""

import asyncio
from pathlib import Path

import pytest

from bot.results.counting import Counting
from bot.store.store import Store
from bot.store.upkeep import Upkeep
from bot.tables.model import Ending, Phase, Table, TableId
from engine.verify import verify
from tests.bot import yesterday
from tests.bot.processes import Process
from tests.bot.test_archive import Evening
from tests.bot.yesterday import address, carried_over, clock_after, dealt, kept_of, over, record_of
from tests.rows import count, execute

DAMAGE = {
    "a version is no JSON": "UPDATE events SET snapshot = '{' WHERE table_id = '{}' AND version = {middle}",
    "a version is no text": "UPDATE events SET snapshot = x'ff00fe' WHERE table_id = '{}' AND version = {middle}",
    "a version is another game's": "UPDATE events SET snapshot = '[]' WHERE table_id = '{}' AND version = {middle}",
    "versions are missing": "DELETE FROM events WHERE table_id = '{}' AND version BETWEEN {middle} AND {middle} + 6",
    "the deal is missing": "DELETE FROM events WHERE table_id = '{}' AND version <= {first} + 6",
    "a time is no number": "UPDATE events SET at = 'noon' WHERE table_id = '{}' AND version = {middle}",
    "a time cannot be": "UPDATE events SET at = -1 WHERE table_id = '{}' AND version = {middle}",
    "only the newest is left": "DELETE FROM events WHERE table_id = '{}' AND version < {last}",
}


def damaged(path: Path, table: TableId, how: str, versions: list[Table]) -> None:
    """Damage the old rows of *table*."""
    begun = [it.version for it in versions if it.state is not None]
    playing = [it.version for it in versions if it.phase is Phase.PLAYING]
    middle = playing[len(playing) // 2]
    sql = DAMAGE[how].replace("'{}'", f"'{table}'")
    for name, value in {"middle": middle, "first": begun[0], "last": versions[-1].version}.items():
        sql = sql.replace("{" + name + "}", str(value))
    execute(path, sql)


@pytest.mark.parametrize("how", DAMAGE)
async def test_of_a_game_that_cannot_be_rebuilt_the_standings_are_kept(how: str, tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    for table in over(history):
        if history[table][-1].rules.ply(history[table][-1].state) > 10:
            damaged(path, table, how, history[table])
    store = await carried_over(path, history)
    for id_, table in over(history).items():
        found, kept = await record_of(store, id_), await kept_of(store, id_)
        assert (found.entries is None) == (table.rules.ply(table.state) > 10)
        verify(found)
        finished = table.ending is Ending.FINISHED
        assert found.standings == (table.rules.standings(table.state) if finished else ())
        assert {it.user for it in kept.people} == {p.user for p in table.players if p.user}
        assert kept.ended_at in {it.changed_at for it in history[id_]}
    assert count(path, "old_events") == 0
    await store.close()


@pytest.mark.parametrize("how", DAMAGE)
async def test_a_game_that_runs_and_cannot_be_rebuilt_plays_on(how: str, tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    running = dealt(history, None)
    for table in running:
        damaged(path, table, how, history[table])
    store = await Store.open(address(path))
    process = Process(store, clock_after(history))
    await process.tables.resume()
    await process.tables.taken()
    for id_ in running:
        table = await Evening(process, id_).play()
        found = await record_of(store, id_)
        assert (found.entries, found.standings) == (None, table.rules.standings(table.state))
        verify(found)
    assert count(path, "moves") == 0
    await process.tables.stop()
    await store.close()


async def test_a_table_that_cannot_be_read_leaves_no_record_and_no_old_rows(tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    table = next(iter(dealt(history, Ending.FINISHED)))
    execute(
        path,
        f"UPDATE events SET snapshot = '{{}}' WHERE table_id = '{table}' AND version = {len(history[table])}",
    )
    store = await carried_over(path, history)
    assert await store.record(table) is None
    assert count(path, "records") == len(over(history)) - 1
    assert count(path, "old_events") == 0
    assert count(path, f"tables WHERE id = '{table}'") == 1
    await store.close()


async def test_rows_of_a_table_that_is_not_there_go(tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    table = next(iter(dealt(history, Ending.FINISHED)))
    execute(path, f"DELETE FROM timers WHERE table_id = '{table}'", f"DELETE FROM messages WHERE table_id = '{table}'")
    execute(path, f"DELETE FROM tables WHERE id = '{table}'")
    store = await carried_over(path, history)
    assert (await store.record(table), count(path, "old_events")) == (None, 0)
    await store.close()


async def test_a_database_that_refuses_is_tried_again_the_next_day(tmp_path: Path) -> None:
    history = yesterday.database(path := tmp_path / "t.sqlite3")
    store, clock = await Store.open(address(path)), clock_after(history)
    await store.take_over(clock.now())
    execute(path, "CREATE TRIGGER refuse BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'no'); END")
    upkeep = Upkeep(store, clock, 0, lambda: (), Counting(store, clock))
    upkeep.start()
    assert upkeep._task is not None
    await asyncio.wait({upkeep._task})
    assert count(path, "records") == 0 < count(path, "old_events")
    execute(path, "DROP TRIGGER refuse")
    await clock.advance(86_400_000)
    assert count(path, "records") == len(over(history))
    await upkeep.stop()
    await store.close()
