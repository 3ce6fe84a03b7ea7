"""Everything from one database into another: backups of PostgreSQL, ``python -m bot move``, and what stops it."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.store import backup as rotation
from bot.store import transfer
from bot.store.backup import BackupPlan, BadBackup, backup_database, check_backup
from bot.store.daily import Board
from bot.store.files import hold_process_lock
from bot.store.store import Handle, Store
from bot.store.transfer import CannotMove, NotCopied, move_database, parse_database_url
from bot.tables.model import TableId
from tests import postgres
from tests.bot.processes import Process
from tests.bot.tables import NOW, resume, started, take_over
from tests.bot.test_archive import Evening
from tests.bot.test_service import Clock
from tests.games import ANY
from tests.program import bot
from tests.rows import count, query

pytestmark = pytest.mark.about(ANY)

T = started(ANY)
WHAT = {"what": "test", "by": 1}
KINDS = ["sqlite", "postgresql"]


@pytest.fixture(params=KINDS)
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of either kind."""
    if request.param == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path}/target.sqlite3"
        return
    url = postgres.fresh(migrated=False)
    yield url
    postgres.drop(url)


async def filled(url: str) -> TableId:
    """Games that run and that are over, messages, people and an outage; return the table that runs."""
    store = await Store.open(url)
    process = Process(store, Clock())
    await resume(process.tables)
    await process.tables.wait_until_taken_over()
    await (await Evening.begin(process, ANY)).play()
    await store.create_table(T._replace(channel=77), WHAT, NOW)
    await store.save_handles(T.id, [Handle("table", 1, 2, "tokeñ", NOW), Handle("hand:0", 3, 4)])
    await store.save_guild_settings(5, boards=True)
    await store.get_or_draw_day_secret("2026-11-28", ANY, "f" * 64, NOW)
    await store.claim_day_attempt("2026-11-28", ANY, 100, T.id, 5, NOW)
    await store.save_day_board_message_ids(5, "2026-11-28", Board(6, 7))
    await process.tables.stop()
    await store.close()
    return T.id


def count_files(folder: Path) -> int:
    return len(list(folder.iterdir()))


async def moved(source: str, target: str) -> list[str]:
    said: list[str] = []
    await move_database(parse_database_url(source), parse_database_url(target), said.append)
    return said


async def rows(url: str) -> dict[str, set[tuple[object, ...]]]:
    """All rows that are copied, by table."""
    found = {}
    for table in transfer.COPIED:
        async with transfer.open_transfer_transaction(parse_database_url(url), writes=False) as side:
            found[table.name] = {tuple(row) async for some in transfer.read_row_slices(side, table) for row in some}
    return found


async def test_everything_arrives_and_can_be_played_on(store_url: str, target: str) -> None:
    table = await filled(store_url)
    before = await rows(store_url)
    said = await moved(store_url, target)
    assert await rows(target) == before
    assert {name for name, found in before.items() if found} > {"tables", "records", "messages", "guilds"}
    assert [line.split(":")[0] for line in said] == [it.name for it in transfer.COPIED]
    for url in (store_url, target):
        store = await Store.open(url)
        assert [it.id for it in (await take_over(store, NOW)).live] == [table]
        assert len(await store.load_handles(table)) == 2
        await store.close()


async def test_slices_leave_nothing_out(store_url: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "ROWS_A_SLICE", 2)
    await filled(store_url)
    before = await rows(store_url)
    await moved(store_url, target)
    monkeypatch.undo()
    assert await rows(target) == before


async def test_a_backup_of_either_kind_can_be_moved_into_either_kind(
    store_url: str, target: str, tmp_path: Path
) -> None:
    await filled(store_url)
    file = tmp_path / "backup.sqlite3"
    await asyncio.to_thread(backup_database, store_url, file)
    assert file.stat().st_mode & 0o777 == 0o600
    check_backup(file)
    await moved(str(file), target)
    assert await rows(target) == await rows(store_url)
    with pytest.raises(FileExistsError):
        backup_database(store_url, file)


async def test_backups_that_are_made_by_themselves(store_url: str, tmp_path: Path) -> None:
    await filled(store_url)
    made = await asyncio.to_thread(
        rotation.make_backup_and_prune_oldest, BackupPlan(store_url, tmp_path / "backups", 24, 2), NOW
    )
    await moved(str(made), f"sqlite+aiosqlite:///{tmp_path}/again.sqlite3")
    assert await rows(f"sqlite+aiosqlite:///{tmp_path}/again.sqlite3") == await rows(store_url)


@pytest.mark.parametrize("empty_url", ["postgresql"], indirect=True)
async def test_no_backup_is_made_of_what_cannot_be_read(empty_url: str, tmp_path: Path) -> None:
    for url, why in ((empty_url, "its schema is none"), (empty_url.replace("/t", "/no"), "no such database")):
        with pytest.raises(BadBackup, match=why):
            await asyncio.to_thread(backup_database, url, tmp_path / "copy.sqlite3")
        assert count_files(tmp_path) == 0


async def test_a_target_that_holds_something_is_left_alone(store_url: str, target: str) -> None:
    await filled(store_url)
    await moved(store_url, target)
    before = await rows(target)
    with pytest.raises(CannotMove, match="there is something in its table"):
        await moved(store_url, target)
    assert await rows(target) == before


async def test_where_a_bot_runs_nothing_is_moved(store_url: str, target: str) -> None:
    await filled(store_url)
    file = parse_database_url(store_url).database if store_url.startswith("sqlite") else None
    if file is None:
        async with postgres.alive(store_url):
            with pytest.raises(CannotMove, match="stop them first"):
                await moved(store_url, target)
    else:
        with hold_process_lock(Path(file)), pytest.raises(CannotMove, match="stop it first"):
            await moved(store_url, target)
    await moved(store_url, target)


async def test_interrupted_nothing_is_there(store_url: str, target: str, tmp_path: Path) -> None:
    await filled(store_url)
    calls = iter(range(4))

    def interrupt(_: str) -> None:
        if next(calls) == 3:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await move_database(parse_database_url(store_url), parse_database_url(target), interrupt)
    if target.startswith("sqlite"):
        assert not (tmp_path / "target.sqlite3").exists()
    else:
        assert query(target, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == []
    await moved(store_url, target)


async def test_rows_that_differ_at_the_end_are_noticed(store_url: str, target: str) -> None:
    await filled(store_url)
    async with transfer.open_transfer_transaction(parse_database_url(store_url), writes=False) as source:
        with pytest.raises(NotCopied, match="not the same on both sides"):
            async with transfer.open_transfer_transaction(parse_database_url(target), writes=True) as there:
                await there.do(transfer.prepare_empty_database)

                async def do(work: Callable[[sa.Connection], object]) -> object:
                    result = await there.do(work)
                    if "_insert" in repr(work):
                        await there.do(lambda it: it.exec_driver_sql("UPDATE messages SET told = told + 1"))
                    return result

                await transfer.copy_rows(source, transfer.TransferSide(do))


async def test_a_value_that_the_other_kind_cannot_store_is_said(tmp_path: Path) -> None:
    file, target = tmp_path / "t.sqlite3", postgres.fresh(migrated=False)
    await filled(f"sqlite+aiosqlite:///{file}")
    try:
        for damage in ("UPDATE messages SET token = 'a' || char(0)", "UPDATE messages SET told = 'x'"):
            copy = tmp_path / "copy.sqlite3"
            shutil.copyfile(file, copy)
            query(copy, damage)
            with pytest.raises(CannotMove, match="a row of messages holds a value"):
                await moved(str(copy), target)
        await moved(str(file), target)
    finally:
        postgres.drop(target)


def test_it_is_a_command_and_what_stops_it_is_one_line(tmp_path: Path) -> None:
    file, target = tmp_path / "t.sqlite3", postgres.fresh(migrated=False)
    asyncio.run(filled(f"sqlite+aiosqlite:///{file}"))
    url = sa.make_url(target)
    secret, bare = str(url.password), f"postgresql://{url.username}@{url.host}:{url.port}/{url.database}"
    try:
        for wrong in (["nothing.sqlite3"], ["mysql://h/d"], [str(file), bare]):
            code, out, err = bot("move", *wrong, STORE_URL=target, PGPASSWORD="wrong")
            assert (code, out, len(err.splitlines())) == (2, "", 1), err
        code, out, err = bot("move", str(file), bare, PGPASSWORD=secret)
        assert (code, err) == (0, "")
        assert out.endswith("everything is there, and the same\n")
        code, out, err = bot("backup", str(tmp_path / "copy.sqlite3"), STORE_URL=target)
        assert (code, err) == (0, "")
        assert out.startswith(f"saved: {tmp_path / 'copy.sqlite3'} (")
        assert count(tmp_path / "copy.sqlite3", "tables") == count(file, "tables")
    finally:
        postgres.drop(target)
