"""Putting a backup back: ``python -m bot restore FILE``."""

import os
import signal
import sqlite3
import stat
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import rotation
from bot.store.backup import BadBackup, check
from bot.store.lock import AlreadyRunning, only_process
from bot.store.restore import restore
from bot.store.store import Store
from tests.bot.tables import NOW
from tests.bot.test_rotation import WHAT, T, plan, program, tables_in, url


async def test_a_backup_takes_the_place_of_the_database_which_is_kept(tmp_path: Path) -> None:
    store = await Store.open(url(tmp_path))
    await store.create(T, WHAT, NOW)
    file = rotation.make(plan(tmp_path), NOW)
    await store.change(T._replace(version=2), WHAT, NOW)
    await store.close()
    kept = restore(url(tmp_path), file)
    assert kept is not None
    assert [it.version for it in await tables_in(kept)] == [2]
    assert [it.version for it in await tables_in(tmp_path / "t.sqlite3")] == [T.version]
    assert file.exists()
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "t.sqlite3").stat().st_mode) == 0o600


async def test_what_a_killed_bot_left_beside_the_database_is_kept_with_it(tmp_path: Path) -> None:
    """A log of SQLite's beside the restored database would be played into it."""
    store = await Store.open(url(tmp_path))
    await store.create(T, WHAT, NOW)
    file = rotation.make(plan(tmp_path), NOW)
    script = (
        "import os, sqlite3, signal, sys\n"
        "raw = sqlite3.connect(sys.argv[1]); raw.execute('UPDATE tables SET version = 7'); raw.commit()\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    await store.close()
    killed = program("-c", script, str(tmp_path / "t.sqlite3"))
    assert killed.returncode == -signal.SIGKILL
    assert (tmp_path / "t.sqlite3-wal").stat().st_size
    kept = restore(url(tmp_path), file)
    assert kept is not None
    for database, version in ((kept, 7), (tmp_path / "t.sqlite3", T.version)):
        with closing(sqlite3.connect(database)) as raw:
            assert raw.execute("SELECT version FROM tables").fetchall() == [(version,)]


async def test_a_damaged_database_can_be_replaced_and_a_missing_one(tmp_path: Path) -> None:
    await (await Store.open(url(tmp_path))).close()
    file = rotation.make(plan(tmp_path), NOW)
    database = tmp_path / "t.sqlite3"
    database.write_bytes(b"this is no database" * 100)
    (tmp_path / "t.sqlite3-wal").write_bytes(b"nor is this")
    kept = restore(url(tmp_path), file)
    assert kept is not None
    assert kept.read_bytes() == b"this is no database" * 100
    check(database)
    assert not (tmp_path / "t.sqlite3-wal").exists()
    database.unlink()
    assert restore(url(tmp_path), file) is None
    check(database)


async def test_nothing_is_changed_while_the_bot_runs_or_by_what_is_no_backup(tmp_path: Path) -> None:
    await (await Store.open(url(tmp_path))).close()
    file = rotation.make(plan(tmp_path), NOW)
    database = tmp_path / "t.sqlite3"
    before = database.read_bytes()
    with only_process(database), pytest.raises(AlreadyRunning):
        restore(url(tmp_path), file)
    empty, other, torn = (tmp_path / it for it in ("empty", "other", "torn"))
    empty.touch()
    sqlite3.connect(other).execute("CREATE TABLE x (y)").connection.close()
    torn.write_bytes(file.read_bytes()[:-8192])
    for bad in (empty, other, torn, tmp_path / "none", tmp_path, database):
        with pytest.raises(BadBackup):
            restore(url(tmp_path), bad)
    with pytest.raises(BadBackup, match=r"no file of SQLite's$"):
        restore("sqlite+aiosqlite://", file)
    with pytest.raises(BadBackup, match=r"PostgreSQL: .*empty database, .* move FILE$"):
        restore("postgresql+asyncpg://me:secret@host/cards", file)
    assert database.read_bytes() == before
    assert not [it for it in os.listdir(tmp_path) if "before" in it or "restored" in it]  # noqa: PTH208


async def test_the_command_says_where_the_old_one_is_or_in_one_line_why_not(tmp_path: Path) -> None:
    await (await Store.open(url(tmp_path))).close()
    file = rotation.make(plan(tmp_path), NOW)

    def run(backup: Path) -> subprocess.CompletedProcess[str]:
        return program("-m", "bot", "restore", str(backup), STORE_URL=url(tmp_path), DISCORD_TOKEN="")

    done = run(file)
    assert (done.returncode, done.stderr) == (0, "")
    new, _, kept = done.stdout.partition("; what was there is now ")
    assert new == f"restored: {tmp_path / 't.sqlite3'}"
    check(Path(kept.strip()))
    failed = run(tmp_path / "none")
    assert (failed.returncode, failed.stdout, failed.stderr) == (2, "", f"{tmp_path / 'none'} is not there\n")
    with only_process(tmp_path / "t.sqlite3"):
        running = run(file)
    assert running.returncode == 2
    assert running.stderr == f"process {os.getpid()} runs on this database; stop it first\n"
