"""Putting a backup back: ``python -m bot restore FILE``; commands that write files fail at the worst moment."""

import asyncio
import os
import signal
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from bot.store import backup as rotation
from bot.store.backup import BadBackup, check_backup, restore_backup
from bot.store.files import AlreadyRunning, hold_process_lock
from bot.store.store import Store
from tests.bot.tables import NOW
from tests.bot.test_rotation import TOKEN, WHAT, T, plan, tables_in, url
from tests.program import Ended, bot, python


async def test_a_backup_takes_the_place_of_the_database_which_is_kept(tmp_path: Path) -> None:
    store = await Store.open(url(tmp_path))
    await store.create_table(T, WHAT, NOW)
    file = rotation.make_backup_and_prune_oldest(plan(tmp_path), NOW)
    await store.save_change(T._replace(version=2), WHAT, NOW)
    await store.close()
    kept = restore_backup(url(tmp_path), file)
    assert kept is not None
    assert [it.version for it in await tables_in(kept)] == [2]
    assert [it.version for it in await tables_in(tmp_path / "t.sqlite3")] == [T.version]
    assert file.exists()
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "t.sqlite3").stat().st_mode) == 0o600


async def test_what_a_killed_bot_left_beside_the_database_is_kept_with_it(tmp_path: Path) -> None:
    """A log of SQLite's beside the restored database would be played into it."""
    store = await Store.open(url(tmp_path))
    await store.create_table(T, WHAT, NOW)
    file = rotation.make_backup_and_prune_oldest(plan(tmp_path), NOW)
    script = (
        "import os, sqlite3, signal, sys\n"
        "raw = sqlite3.connect(sys.argv[1]); raw.execute('UPDATE tables SET version = 7'); raw.commit()\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    await store.close()
    killed = python("-c", script, str(tmp_path / "t.sqlite3"))
    assert killed.code == -signal.SIGKILL
    assert (tmp_path / "t.sqlite3-wal").stat().st_size
    kept = restore_backup(url(tmp_path), file)
    assert kept is not None
    for database, version in ((kept, 7), (tmp_path / "t.sqlite3", T.version)):
        with closing(sqlite3.connect(database)) as raw:
            assert raw.execute("SELECT version FROM tables").fetchall() == [(version,)]


async def test_a_damaged_database_can_be_replaced_and_a_missing_one(tmp_path: Path) -> None:
    await (await Store.open(url(tmp_path))).close()
    file = rotation.make_backup_and_prune_oldest(plan(tmp_path), NOW)
    database = tmp_path / "t.sqlite3"
    database.write_bytes(b"this is no database" * 100)
    (tmp_path / "t.sqlite3-wal").write_bytes(b"nor is this")
    kept = restore_backup(url(tmp_path), file)
    assert kept is not None
    assert kept.read_bytes() == b"this is no database" * 100
    check_backup(database)
    assert not (tmp_path / "t.sqlite3-wal").exists()
    database.unlink()
    assert restore_backup(url(tmp_path), file) is None
    check_backup(database)


async def test_nothing_is_changed_while_the_bot_runs_or_by_what_is_no_backup(tmp_path: Path) -> None:
    await (await Store.open(url(tmp_path))).close()
    file = rotation.make_backup_and_prune_oldest(plan(tmp_path), NOW)
    database = tmp_path / "t.sqlite3"
    before = database.read_bytes()
    with hold_process_lock(database), pytest.raises(AlreadyRunning):
        restore_backup(url(tmp_path), file)
    empty, other, torn = (tmp_path / it for it in ("empty", "other", "torn"))
    empty.touch()
    sqlite3.connect(other).execute("CREATE TABLE x (y)").connection.close()
    torn.write_bytes(file.read_bytes()[:-8192])
    for bad in (empty, other, torn, tmp_path / "none", tmp_path, database):
        with pytest.raises(BadBackup):
            restore_backup(url(tmp_path), bad)
    with pytest.raises(BadBackup, match=r"no file of SQLite's$"):
        restore_backup("sqlite+aiosqlite://", file)
    with pytest.raises(BadBackup, match=r"PostgreSQL: .*empty database, .* move FILE$"):
        restore_backup("postgresql+asyncpg://me:secret@host/cards", file)
    assert database.read_bytes() == before
    assert not [it for it in os.listdir(tmp_path) if "before" in it or "restored" in it]  # noqa: PTH208


async def test_the_command_says_where_the_old_one_is_or_in_one_line_why_not(tmp_path: Path) -> None:
    await (await Store.open(url(tmp_path))).close()
    file = rotation.make_backup_and_prune_oldest(plan(tmp_path), NOW)

    def run(backup: Path) -> Ended:
        return bot("restore", str(backup), STORE_URL=url(tmp_path))

    code, out, err = run(file)
    assert (code, err) == (0, "")
    new, _, kept = out.partition("; what was there is now ")
    assert new == f"restored: {tmp_path / 't.sqlite3'}"
    check_backup(Path(kept.strip()))
    assert run(tmp_path / "none") == (2, "", f"{tmp_path / 'none'} is not there\n")
    with hold_process_lock(tmp_path / "t.sqlite3"):
        running = run(file)
    assert running == (2, "", f"process {os.getpid()} runs on this database; stop it first\n")


# Commands that write files are killed, or the system refuses, at the worst moment: what was there is still there, and
# what is there is whole.

AT_A_NAME: Final = """
import os, signal, sys
from pathlib import Path
name, how, *arguments = sys.argv[1:]
def look(event, given):
    if event == "os.rename" and Path(os.fsdecode(given[1])).name == name:
        if how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        raise OSError(5, "Input/output error")
sys.addaudithook(look)
from bot.cli.main import main
sys.argv = ["bot", *arguments]
main()
"""
"""Runs a command that fails when it gives a file this name. https://docs.python.org/3/library/audit_events.html"""


def database(folder: Path) -> Path:
    """A database in *folder* with a table."""

    async def make() -> None:
        store = await Store.open(url(folder))
        await store.create_table(T, WHAT, NOW)
        await store.close()

    asyncio.run(make())
    return folder / "t.sqlite3"


def versions(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as raw:
        return [version for (version,) in raw.execute("SELECT version FROM tables")]


def ran(folder: Path, *arguments: str, at: str = "", how: str = "killed") -> Ended:
    """A command on the database in *folder*; it fails when it gives a file the name *at*."""
    given = ("-c", AT_A_NAME, at, how, *arguments) if at else ("-m", "bot", *arguments)
    return python(*given, folder=folder, STORE_URL=url(folder), DISCORD_TOKEN=TOKEN)


def test_a_backup_has_its_name_once_it_is_whole(tmp_path: Path) -> None:
    database(tmp_path)
    assert ran(tmp_path, "backup", "copy.sqlite3", at="copy.sqlite3").code == -signal.SIGKILL
    assert not (tmp_path / "copy.sqlite3").exists()
    refused = ran(tmp_path, "backup", "copy.sqlite3", at="copy.sqlite3", how="refused")
    assert (refused.code, refused.err) == (2, "no backup was made: input/output error\n")
    assert not list(tmp_path.glob("copy*"))
    assert ran(tmp_path, "backup", "copy.sqlite3").code == 0
    assert [file.name for file in tmp_path.glob("copy*")] == ["copy.sqlite3"]
    assert versions(tmp_path / "copy.sqlite3") == [T.version]


@pytest.mark.parametrize(("how", "code"), [("killed", -signal.SIGKILL), ("refused", 2)])
def test_while_a_backup_is_put_in_place_there_is_always_a_database(tmp_path: Path, how: str, code: int) -> None:
    there = database(tmp_path)
    assert ran(tmp_path, "backup", "copy.sqlite3").code == 0
    with closing(sqlite3.connect(there)) as raw:
        raw.execute("UPDATE tables SET version = 7")
        raw.commit()
    assert ran(tmp_path, "restore", "copy.sqlite3", at=there.name, how=how).code == code
    assert versions(there) == [7]
    assert ran(tmp_path, "restore", "copy.sqlite3").code == 0
    assert versions(there) == [T.version]
    assert not list(tmp_path.glob("*.restored"))
    assert all(versions(kept) == [7] for kept in tmp_path.glob("t-before-*"))


def test_whatever_is_restored_does_not_know_what_messages_show(tmp_path: Path) -> None:
    """Also a copy that was made in another way."""
    there = database(tmp_path)
    with closing(sqlite3.connect(there)) as raw:
        raw.execute("UPDATE tables SET shown = '{}'")
        raw.commit()
        raw.execute(f"VACUUM INTO '{tmp_path / 'copy.sqlite3'}'")
    assert ran(tmp_path, "restore", "copy.sqlite3").code == 0
    with closing(sqlite3.connect(there)) as raw:
        assert raw.execute("SELECT shown FROM tables").fetchall() == [(None,)]


def test_a_move_that_is_refused_touches_nothing(tmp_path: Path) -> None:
    """A bot that has just started holds the lock of its database, which is not there yet."""
    there, new = database(tmp_path), tmp_path / "new.sqlite3"
    with hold_process_lock(new):
        lock = (tmp_path / "new.sqlite3.lock").stat()
        refused = ran(tmp_path, "move", str(there), str(new))
        assert refused.code == 2
        assert "stop it first" in refused.err
        assert (tmp_path / "new.sqlite3.lock").stat().st_ino == lock.st_ino


def test_a_database_is_not_moved_onto_itself(tmp_path: Path) -> None:
    """Its lock is not held by another process: that would be said of the command itself."""
    there = database(tmp_path)
    (tmp_path / "other.sqlite3").symlink_to(there)
    for target in ([], [str(there)], ["other.sqlite3"]):
        refused = ran(tmp_path, "move", str(there), *target)
        assert refused.code == 2
        assert refused.err.startswith("these are the same database")


def test_a_damaged_database_is_named_and_not_its_copy(tmp_path: Path) -> None:
    there = database(tmp_path)
    with there.open("r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\xff" * 4096)
    refused = ran(tmp_path, "backup", "copy.sqlite3")
    assert refused.code == 2
    assert refused.err.startswith("no backup was made: ")
    assert "copy.sqlite3" not in refused.err
