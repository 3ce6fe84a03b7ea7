"""Tables that cannot go on are set aside: all others are served, their channel is free, nothing of them is lost."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli import doctor
from bot.delivery.quarantine import check_table_usable
from bot.store.messages import DmsPause
from bot.store.migrations import schema_history
from bot.store.store import Handle, Store
from bot.tables.errors import Refusal, UnusableTable, Why
from bot.tables.model import END_OF_TIME, Ending, Phase, Table, TableId
from bot.tables.service import Tables
from tests.bot import version_0_3_0
from tests.bot.damage import DAMAGE, SECRET, UNPLAYABLE, damage, edited, write
from tests.bot.logs import captured_log
from tests.bot.tables import NOW, resume, started, take_over
from tests.bot.tables import opened as opened_lobby
from tests.clocks import SteppedClock
from tests.games import CASES
from tests.rows import execute

ROOT = Path(__file__).parents[2]
WHAT = {"what": "test", "by": 1}
GOOD = started(sorted(CASES)[0])
NEWEST = schema_history().get_current_head()
BAD = GOOD._replace(id=TableId("bad"), channel=77)


async def opened(path: Path, *tables: Table) -> Store:
    """A store at *path* with *tables* in it."""
    store = await Store.open(f"sqlite+aiosqlite:///{path}")
    for table in tables:
        await store.create_table(table, WHAT, NOW)
    return store


every_damage = pytest.mark.parametrize("how", DAMAGE)


async def test_a_running_game_without_a_state_cannot_be_read(tmp_path: Path) -> None:
    """In a lobby, and at a table that was closed there, it is right."""
    lobby = opened_lobby(sorted(CASES)[0])._replace(id=TableId("lobby"), channel=78)
    store = await opened(tmp_path / "t.sqlite3", BAD, lobby)
    damage(tmp_path / "t.sqlite3", BAD.id, edited(lambda data: data.update(state=None)))
    assert (await take_over(store, NOW)).live == [lobby]
    await store.close()


@every_damage
async def test_a_live_table_that_cannot_be_read_stops_no_other(tmp_path: Path, how: str) -> None:
    store = await opened(tmp_path / "t.sqlite3", GOOD, BAD)
    damage(tmp_path / "t.sqlite3", BAD.id, DAMAGE[how])
    with captured_log() as log:
        assert (await take_over(store, NOW + 5)).live == [GOOD]
        assert (await take_over(store, NOW + 6)).live == [GOOD]
    (aside,) = await store.unannounced_quarantines()
    assert (aside.table, aside.channel, aside.at) == (BAD.id, BAD.channel, NOW + 5)
    assert log.getvalue().count("table set aside table=bad") == 1
    assert SECRET not in log.getvalue()
    assert BAD.seed not in log.getvalue()
    await store.create_table(BAD._replace(id=TableId("next")), WHAT, NOW + 7)  # its channel is free
    await store.close()


@every_damage
async def test_a_finished_table_that_cannot_be_read_is_not_delivered_and_stops_no_other(
    tmp_path: Path, how: str
) -> None:
    over = BAD._replace(phase=Phase.OVER, ending=Ending.ENDED)
    good = over._replace(id=TableId("good"))
    store = await opened(tmp_path / "t.sqlite3", GOOD, over, good)
    for table in (over, good):
        await store.save_handle(table.id, Handle("table", 1, 2))
    damage(tmp_path / "t.sqlite3", over.id, DAMAGE[how])
    found = await take_over(store, NOW)
    assert (found.live, found.undelivered) == ([GOOD], [good])
    assert await store.unannounced_quarantines() == [], "the game was over: nobody waits for it"
    await store.close()


async def test_a_table_that_can_be_read_again_comes_back_where_its_channel_is_free(tmp_path: Path) -> None:
    """As after an update that mends the fault."""
    path = tmp_path / "t.sqlite3"
    other = BAD._replace(id=TableId("other"), channel=78)
    store = await opened(path, BAD, other)
    snapshots = {table.id: damage(path, table.id, DAMAGE["unknown game"]) for table in (BAD, other)}
    assert (await take_over(store, NOW)).live == []
    taken = other._replace(id=TableId("newer"))
    await store.create_table(taken, WHAT, NOW)
    with closing(sqlite3.connect(path)) as database, database:
        for table, snapshot in snapshots.items():
            write(database, table, snapshot)
    with pytest.raises(UnusableTable):
        await store.load_table(BAD.id)  # until the next start: nobody keeps its time
    assert sorted(table.id for table in (await take_over(store, NOW)).live) == [BAD.id, taken.id]
    assert [aside.table for aside in await store.unannounced_quarantines()] == [other.id]
    assert await store.load_table(BAD.id) == BAD
    await store.close()


async def test_a_row_that_goes_bad_under_a_running_table_is_mended_by_its_next_change(tmp_path: Path) -> None:
    """The version in memory counts. A forged button makes the program look into the store; that must not cost the
    game."""
    path = tmp_path / "t.sqlite3"
    store = await opened(path, GOOD)
    tables = Tables(store, SteppedClock(), lambda _: None, lambda _: None)
    await resume(tables)
    await tables.wait_until_taken_over()
    damage(path, GOOD.id, DAMAGE["cut off"])

    def forged(_: Table) -> Table:
        raise Refusal(Why.BUTTON_DEAD)

    with pytest.raises(Refusal) as no:
        await tables.change(GOOD.id, "test", 1, forged)
    assert no.value.why is Why.BUTTON_DEAD
    await tables.change(GOOD.id, "test", 1, lambda table: table._replace(host=7))
    loaded = await store.load_table(GOOD.id)
    assert loaded is not None
    assert loaded.host == 7
    await tables.stop()
    await store.close()


async def test_a_table_whose_row_was_deleted_under_it_is_refused_and_gone(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path, GOOD)
    tables = Tables(store, SteppedClock(), lambda _: None, lambda _: None)
    await resume(tables)
    await tables.wait_until_taken_over()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM tables WHERE id = ?", (GOOD.id,))
    for _ in range(2):
        with pytest.raises(Refusal) as no:
            async with asyncio.timeout(5):
                await tables.change(GOOD.id, "test", 1, lambda table: table._replace(host=7))
        assert no.value.why is Why.NO_SUCH_TABLE
    await tables.stop()
    await store.close()


# The doctor


async def examined(path: Path) -> tuple[int, str]:
    """(exit code, output) of the doctor on the database at *path*."""
    said: list[str] = []
    code = await doctor.run_doctor_command(f"sqlite+aiosqlite:///{path}", said.append)
    return code, "".join(said)


async def test_the_doctor_says_what_state_the_database_is_in(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    assert (await examined(path))[0] == 1
    assert not path.exists(), "it creates nothing"
    store = await opened(path, GOOD, BAD)
    code, said = await examined(path)
    assert code == 0
    assert f"schema: {NEWEST} (this program's)\nintegrity: ok\nlive tables: 2\ntables set aside: 0\n" in said
    damage(path, BAD.id, DAMAGE["unknown game"])
    code, said = await examined(path)
    assert code == 1
    assert "bad cannot go on: KeyError; the bot sets it aside" in said
    await take_over(store, NOW)
    code, said = await examined(path)
    assert code == 1
    assert "live tables: 1\ntables set aside: 1\n" in said
    assert "  bad in channel 77 since 2027-01-15T08:00:00+00:00: KeyError\n" in said
    assert SECRET not in said
    await store.close()


@pytest.mark.parametrize(("code", "why"), [(20026, "flagged the app as spam"), (40003, "too many were opened")])
async def test_the_doctor_says_that_no_conversations_are_opened(tmp_path: Path, code: int, why: str) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path, GOOD)
    await store.save_dms_pause(DmsPause(END_OF_TIME - 1, code))
    found, said = await examined(path)
    assert (found, why in said) == (1, True)
    await store.save_dms_pause(DmsPause(1, code))
    assert (await examined(path))[0] == 0
    await store.close()


async def test_the_doctor_of_older_newer_and_broken_databases(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    version_0_3_0.database(path)
    for version, code in (("0010", 0), ("9999", 1), ("0009", 1)):
        execute(path, f"UPDATE alembic_version SET version_num = '{version}'")
        found, said = await examined(path)
        assert (found, f"schema: {version} (this program's is {NEWEST})" in said) == (code, True)
        assert ("the bot does not start on it: a newer version wrote it" in said) is (version == "9999")
    path.write_bytes(b"this is no database" * 100)
    code, said = await examined(path)
    assert code == 1
    assert "it cannot be read: file is not a database" in said


@pytest.mark.parametrize("game", UNPLAYABLE)
async def test_a_table_whose_timer_fails_is_set_aside(tmp_path: Path, game: str) -> None:
    """Trying it again would fail again. It does not come back at the next start."""
    path, clock = tmp_path / "t.sqlite3", SteppedClock()
    bad = started(game)._replace(turn_began=clock.now())
    store = await opened(path, bad)
    damage(path, bad.id, edited(UNPLAYABLE[game]))
    told: list[TableId] = []

    async def tell(table: TableId) -> None:
        told.append(table)

    tables = Tables(store, clock, lambda _: None, lambda _: None, on_set_aside=tell)
    await resume(tables)
    await tables.wait_until_taken_over()
    assert tables.table_count == 1
    with captured_log() as log:
        async with asyncio.timeout(20):
            while not told:
                await clock.advance(1_000)
                await asyncio.sleep(0)
    assert log.getvalue().count("table set aside") == 1
    with pytest.raises(Refusal) as no:
        await tables.get(bad.id)
    assert no.value.why is Why.SET_ASIDE
    await tables.stop()
    await store.close()
    store = await Store.open(f"sqlite+aiosqlite:///{path}", check=check_table_usable)
    assert (await take_over(store, NOW)).live == []
    await store.close()
