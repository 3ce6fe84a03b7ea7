"""The store on a real SQLite file and a real PostgreSQL: one transaction a change, the version as the lock, the newest
schema at start."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from bot.store.backup import backup_database
from bot.store.messages import ShownMessage
from bot.store.schema import metadata
from bot.store.store import Handle, Store, StoreUnreachable
from bot.tables.errors import ChannelTaken, Conflict
from bot.tables.model import Ending, Phase, Table, TableId
from bot.tables.outages import OUTAGES_KEPT_MS, Outage
from tests.bot.logs import captured_log
from tests.bot.tables import NOW, started, take_over
from tests.games import ANY
from tests.program import bot, python
from tests.rows import SQLITE, query

WHAT = {"what": "test", "by": 1}
T = started(ANY)

pytestmark = pytest.mark.about(ANY)


def later(before: Table, **changes: object) -> Table:
    return before._replace(version=before.version + 1, **changes)


async def test_what_was_committed_is_there_after_opening_again(store_url: str) -> None:
    store = await Store.open(store_url)
    await store.create_table(T, WHAT, NOW)
    await store.save_change(later(T, host=7), WHAT, NOW + 1)
    await store.close()
    again = await Store.open(store_url)
    assert await again.load_table(T.id) == later(T, host=7)
    assert [table.id for table in (await take_over(again, NOW)).live] == [T.id]
    await again.close()


@SQLITE  # with triggers; test_postgresql has its own
async def test_what_the_database_refuses_is_not_in_the_error(store: Store) -> None:
    """The text of an error goes to the log: it holds no token, and no hidden card of a snapshot."""
    with store.sync_engine.begin() as connection:
        for table in ("messages", "tables"):
            refuse = f"CREATE TRIGGER no_{table} BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no'); END"
            connection.exec_driver_sql(refuse)
    for write in (
        store.save_handle(T.id, Handle("table", 1, 2, token="secret-token")),
        store.create_table(T, WHAT, NOW),
    ):
        with pytest.raises((sa.exc.SQLAlchemyError, ChannelTaken)) as refused:
            await write
        said = f"{refused.value} {refused.value.__cause__}"
        assert "secret-token" not in said
        assert T.seed not in said


async def test_a_change_on_an_old_version_is_a_conflict_and_changes_nothing(store: Store) -> None:
    await store.create_table(T, WHAT, NOW)
    await store.save_change(later(T, host=7), WHAT, NOW)
    with pytest.raises(Conflict):
        await store.save_change(later(T, host=8), WHAT, NOW)
    loaded = await store.load_table(T.id)
    assert loaded is not None
    assert loaded.host == 7


async def test_of_many_changes_at_once_exactly_one_wins_and_the_others_hear_of_it(store: Store) -> None:
    await store.create_table(T, WHAT, NOW)
    results = await asyncio.gather(
        *(store.save_change(later(T, host=host), WHAT, NOW) for host in range(20)), return_exceptions=True
    )
    assert results.count(None) == 1
    assert sum(isinstance(result, Conflict) for result in results) == 19


async def test_one_live_table_a_channel(store: Store) -> None:
    await store.create_table(T, WHAT, NOW)
    with pytest.raises(ChannelTaken):
        await store.create_table(T._replace(id=TableId("other")), WHAT, NOW)
    over = later(T, phase=Phase.OVER, ending=Ending.ENDED)
    await store.save_change(over, WHAT, NOW)
    await store.create_table(T._replace(id=TableId("other")), WHAT, NOW + 1)
    assert await store.live_table_in_channel(T.channel) == "other"
    assert await store.live_table_in_channel(T.channel + 1) is None


async def test_the_timer_is_a_row_with_its_due_time(store: Store, store_url: str) -> None:
    await store.create_table(T, WHAT, NOW)
    assert query(store_url, "SELECT id, due_at, timer FROM tables") == [("abc", NOW + 90_000, "reminder")]


async def test_handles_come_back_and_go(store: Store) -> None:
    await store.create_table(T, WHAT, NOW)
    await store.save_handle(T.id, Handle("table", 1, 2))
    await store.save_handle(T.id, Handle("table", 1, 3, "token", NOW))
    assert await store.load_handles(T.id) == [Handle("table", 1, 3, "token", NOW)]
    await store.delete_handle(T.id, "table")
    assert await store.load_handles(T.id) == []


async def test_the_migrations_lead_to_the_schema(store: Store) -> None:
    def differences(connection: sa.Connection) -> list[Any]:
        found = compare_metadata(MigrationContext.configure(connection), metadata)
        return [it for each in found for it in (each if isinstance(each, list) else [each])]

    found = await store._database.read(differences)
    assert [it for it in found if it[0] != "modify_comment"] == []  # comments are for who reads the schema


async def test_a_database_of_a_newer_version_is_left_alone(store_url: str) -> None:
    await (await Store.open(store_url)).close()
    query(store_url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreUnreachable, match=r"a newer version wrote it \(schema 9999\); update this program"):
        await Store.open(store_url)


async def test_a_schema_version_that_nobody_wrote_is_not_taken_for_a_newer_one(store_url: str) -> None:
    await (await Store.open(store_url)).close()
    query(store_url, "UPDATE alembic_version SET version_num = 'garbage'")
    with pytest.raises(StoreUnreachable, match="no version of this program has written"):
        await Store.open(store_url)


async def test_an_unreachable_database_is_said_without_its_address() -> None:
    with pytest.raises(StoreUnreachable) as error:
        await Store.open("sqlite+aiosqlite:////no/such/folder/t.sqlite3")
    assert "no/such" not in str(error.value)
    for thread in threading.enumerate():  # aiosqlite's worker still has a word for this event loop
        if "_connection_worker_thread" in thread.name:
            await asyncio.to_thread(thread.join, 5)


@SQLITE  # the other one is waited for: test_postgresql_gone
async def test_when_the_connection_fails_everybody_hears_of_it_and_the_store_goes_on(store: Store) -> None:
    await store.create_table(T, WHAT, NOW)
    failing = [ConnectionRefusedError("gone")]

    @sa.event.listens_for(store.sync_engine, "begin")
    def _refuse(_: object) -> None:
        if failing:
            raise failing.pop()

    results = await asyncio.gather(
        store.save_change(later(T, host=1), WHAT, NOW),
        store.save_handle(T.id, Handle("table", 1, 2)),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [ConnectionRefusedError] * 2
    await store.save_change(later(T, host=3), WHAT, NOW)
    loaded = await store.load_table(T.id)
    assert loaded is not None
    assert loaded.host == 3


@SQLITE
async def test_journal_is_wal_and_commits_are_durable(store: Store, store_url: str) -> None:
    assert query(store_url, "PRAGMA journal_mode") == [("wal",)]


async def test_outages_are_what_lies_between_two_lives(store: Store) -> None:
    assert await store.record_startup_outage(1_000) == []
    await store.record_heartbeat(5_000)
    assert await store.record_startup_outage(9_000) == [Outage(5_000, 9_000)]
    await store.record_outage(Outage(20_000, 30_000))
    assert await store.record_startup_outage(31_000) == [
        Outage(5_000, 9_000),
        Outage(9_000, 31_000),
        Outage(20_000, 30_000),
    ]


async def test_outages_that_cannot_be_are_cut_or_deleted_once(store: Store, store_url: str) -> None:
    """One that ends in a thousand years would stop all turn limits until then."""
    far = 9_000_000_000_000_000
    wrong: list[tuple[object, object]] = [(5_000, far), (far, far + 1), (-7, 100), (900, 100)]
    if store_url.startswith("sqlite"):
        wrong += [("x", "y"), (7, "y"), (8, b"\xff"), (9, 1.5)]
    for row in wrong:
        query(store_url, "INSERT INTO outages VALUES (?, ?)", *row)
    with captured_log() as log:
        assert await store.record_startup_outage(6_000) == [Outage(5_000, 6_000)]
        assert await store.record_startup_outage(9_000) == [Outage(5_000, 6_000), Outage(6_000, 9_000)]
    assert log.getvalue().count("outages that cannot be") == 1


async def test_old_outages_are_forgotten(store: Store) -> None:
    await store.record_outage(Outage(1_000, 2_000))
    await store.record_outage(Outage(2_000 + OUTAGES_KEPT_MS, 3_000 + OUTAGES_KEPT_MS))
    await store.record_heartbeat(NOW)
    assert await store.record_startup_outage(NOW) == [Outage(2_000 + OUTAGES_KEPT_MS, 3_000 + OUTAGES_KEPT_MS)]


@pytest.mark.parametrize("at", ["CREATE TABLE dms_pause", "DROP TABLE old_events", "UPDATE alembic_version"])
async def test_killed_in_a_migration_nothing_is_half_done(empty_url: str, at: str) -> None:
    """The process dies before the statement *at*; the next one finds the old schema whole and migrates it."""
    script = f"""
import asyncio, os, sqlalchemy as sa
from sqlalchemy.engine import Engine
from bot.store.backup import backup_database
from bot.store.messages import ShownMessage
from bot.store.store import Store
from bot.store import migrations
from alembic import command

real = command.upgrade
command.upgrade = lambda config, revision: real(config, os.environ["REVISION"])
migrations.check_schema_complete = lambda connection: None

@sa.event.listens_for(Engine, "before_cursor_execute")
def _die(connection, cursor, statement, *rest):
    if os.environ["REVISION"] == "head" and statement.strip().startswith({at!r}):
        os._exit(9)

asyncio.run(Store.open({empty_url!r}))
os._exit(0)
"""

    assert python("-c", script, REVISION="0010").code == 0
    assert python("-c", script, REVISION="head").code == 9
    assert query(empty_url, "SELECT version_num FROM alembic_version") == [("0010",)]
    names = {"sqlite": "name FROM sqlite_master", "postgresql": "tablename FROM pg_tables"}[empty_url.partition("+")[0]]
    assert {("dms_pause",), ("old_events",)} & set(query(empty_url, f"SELECT {names}")) == {("old_events",)}
    store = await Store.open(empty_url)
    await store.create_table(T, WHAT, NOW)
    await store.record_heartbeat(NOW)
    await store.close()


async def test_who_uses_a_backup_does_not_rely_on_what_messages_showed(
    store: Store, store_url: str, tmp_path: Path
) -> None:
    await store.create_table(T, WHAT, NOW)
    await store.save_shown_content(T.id, T.version, {"table": ShownMessage(7, b"then")})
    assert await store.load_shown_content(T.id)
    copy = tmp_path / "copy.sqlite3"
    await asyncio.to_thread(backup_database, store_url, copy)
    restored = await Store.open(f"sqlite+aiosqlite:///{copy}")
    assert await restored.load_shown_content(T.id) == {}
    await restored.close()


async def test_a_backup_taken_while_running_restores(store: Store, store_url: str, tmp_path: Path) -> None:
    await store.create_table(T, WHAT, NOW)
    stop = asyncio.Event()

    async def write() -> int:
        version = 1
        while not stop.is_set():
            version += 1
            await store.save_change(T._replace(version=version), WHAT, NOW)
        return version

    writing = asyncio.get_running_loop().create_task(write())
    copy = tmp_path / "copy.sqlite3"
    assert (await asyncio.to_thread(bot, "backup", str(copy), STORE_URL=store_url)).code == 0
    stop.set()
    last = await writing
    restored = await Store.open(f"sqlite+aiosqlite:///{copy}")
    (table,) = (await take_over(restored, NOW)).live
    assert 1 <= table.version <= last
    await restored.close()
