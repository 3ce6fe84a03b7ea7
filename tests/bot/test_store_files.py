"""The files of a SQLite database: nobody else reads them, they are missed when they go, one process has them."""

import asyncio
import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bot.cli import doctor
from bot.store.files import DatabaseGone, UnusablePath, hold_process_lock
from bot.store.store import Store, StoreUnreachable
from bot.store.tables import pack_table
from bot.tables.model import Table
from bot.tables.outages import ALIVE_INTERVAL_MS
from bot.tables.service import Tables
from tests.bot.logs import captured_log
from tests.bot.tables import NOW, resume, started, take_over
from tests.clocks import SteppedClock
from tests.games import CASES
from tests.program import bot

ROOT = Path(__file__).parents[2]
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.nobody-here"
WHAT = {"what": "test", "by": 1}
T = started(sorted(CASES)[0])

posix = pytest.mark.skipif(os.name != "posix", reason="rights are those of POSIX")


def rights(folder: Path) -> dict[str, int]:
    """The rights of everything in *folder*; files that SQLite has just deleted are left out."""
    found = {}
    for file in folder.iterdir():
        with suppress(FileNotFoundError):
            found[file.name] = stat.S_IMODE(file.stat().st_mode)
    return found


def make_folder(path: Path) -> None:
    """Make the folder *path*, which everybody may read."""
    path.mkdir()
    path.chmod(0o755)


async def opened(path: Path) -> Store:
    return await Store.open(f"sqlite+aiosqlite:///{path}")


# Nobody else reads them


@posix
async def test_the_database_and_all_beside_it_are_for_its_owner_alone(tmp_path: Path) -> None:
    """SQLite gives the files beside the database the same rights: https://www.sqlite.org/wal.html"""
    path = tmp_path / "t.sqlite3"
    before = os.umask(0o022)
    try:
        store = await opened(path)
        await store.create_table(T, WHAT, NOW)
        found = rights(tmp_path)
        await store.close()
    finally:
        os.umask(before)
    assert set(found) == {"t.sqlite3", "t.sqlite3-wal", "t.sqlite3-shm"}
    assert set(found.values()) == {0o600}


@posix
async def test_it_is_so_from_the_first_moment(tmp_path: Path) -> None:
    """Whoever opens a file while others may read it reads on when they may not any more."""
    seen: set[int] = set()
    path = tmp_path / "t.sqlite3"
    stop = asyncio.Event()

    def watch() -> None:
        while not stop.is_set():
            seen.update(rights(tmp_path).values() if path.exists() else ())

    watching = asyncio.get_running_loop().run_in_executor(None, watch)
    store = await opened(path)
    await store.create_table(T, WHAT, NOW)
    stop.set()
    await watching
    await store.close()
    assert seen == {0o600}


@posix
async def test_an_older_database_that_others_could_read_is_narrowed_and_that_is_logged(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    await (await opened(path)).close()
    path.chmod(0o644)
    leftover = tmp_path / "t.sqlite3-shm"
    leftover.touch(0o664)
    with captured_log() as log:
        store = await opened(path)
        await store.close()
    assert rights(tmp_path)["t.sqlite3"] == 0o600
    assert "others could read the database: not any more file=t.sqlite3 was=644" in log.getvalue()
    with captured_log() as log:
        await (await opened(path)).close()
    assert "others" not in log.getvalue()


@posix
async def test_only_a_file_is_narrowed(tmp_path: Path) -> None:
    """A wrong address must not close a whole folder."""
    folder = tmp_path / "folder"
    make_folder(folder)
    with pytest.raises(StoreUnreachable, match="unable to open"):
        await opened(folder)
    assert rights(tmp_path) == {"folder": 0o755}


@posix
async def test_a_backup_is_for_its_owner_alone_and_overwrites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path)
    await store.create_table(T, WHAT, NOW)
    copy = tmp_path / "copy.sqlite3"
    url = f"sqlite+aiosqlite:///{path}"
    done = bot("backup", str(copy), STORE_URL=url)
    assert done == (0, f"saved: {copy} ({copy.stat().st_size} bytes)\n", "")
    assert rights(tmp_path)["copy.sqlite3"] == 0o600
    before = copy.read_bytes()
    assert bot("backup", str(copy), STORE_URL=url) == (2, "", f"{copy} exists already\n")
    assert copy.read_bytes() == before
    await store.close()
    copy.unlink()
    path.write_bytes(b"this is no database" * 100)
    broken = bot("backup", str(copy), STORE_URL=url)
    assert (broken.code, len(broken.err.splitlines())) == (2, 1)
    assert not copy.exists(), "half a backup is none"
    lost = bot("backup", str(tmp_path / "none" / "copy.sqlite3"), STORE_URL=url)
    assert lost == (2, "", f"there is no folder {tmp_path / 'none'}\n")


# What is damaged

DAMAGE = {"first page": (0, b"this is no database"), "its schema": (100, b"\xff" * 500), "version": (8192, b"\xff" * 8)}
"""Where a database is overwritten, and with what."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("what", DAMAGE)
async def test_of_a_damaged_file_every_command_says_to_restore_a_backup(tmp_path: Path, what: str) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path)
    await store.create_table(T, WHAT, NOW)
    await store.close()
    with path.open("r+b") as file:
        at, data = DAMAGE[what]
        file.seek(at)
        file.write(data)

    def ran(*arguments: str) -> tuple[int, str]:
        settings = {"STORE_URL": f"sqlite+aiosqlite:///{path}", "DISCORD_TOKEN": TOKEN}
        code, out, err = bot(*arguments, folder=tmp_path, **settings)
        lines = [line for line in (out + err).splitlines(keepends=True) if " ERROR bot." not in line]  # the log's
        return code, "".join(lines)

    code, said = ran("run")
    assert code == 2
    assert re.fullmatch(
        r"STORE_URL: the database cannot be read \(.+\); see python -m bot doctor, or restore a backup\n", said
    )
    code, said = ran("doctor")
    assert code == 1
    assert re.fullmatch(
        r"database: .+\nfiles: ok\nroom: .+\nit cannot be read: .+; restore a backup\nbackups: .+\n", said
    )
    code, said = ran("export", "1")
    assert code == 2
    assert re.fullmatch(r"the database cannot be read: .+; restore a backup\n", said)
    code, said = ran("move", str(path), str(tmp_path / "other.sqlite3"))
    assert code == 2
    assert re.fullmatch(r".+; restore a backup\n", said)


# They are missed when they go


def delete(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    copy = path.with_name("copy")
    shutil.copyfile(path, copy)
    copy.replace(path)


def move(path: Path) -> None:
    path.rename(path.with_name("moved"))


def delete_log(path: Path) -> None:
    path.with_name(path.name + "-wal").unlink()


@posix
@pytest.mark.parametrize("how", [delete, replace, move, delete_log])
async def test_what_would_be_written_into_a_file_that_is_gone_is_refused(
    tmp_path: Path, how: Callable[[Path], None]
) -> None:
    """https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use"""
    path = tmp_path / "t.sqlite3"
    store = await opened(path)
    await store.create_table(T, WHAT, NOW)
    how(path)
    with captured_log() as log:
        for host in (7, 8):
            with pytest.raises(DatabaseGone):
                await store.save_change(T._replace(version=2, host=host), WHAT, NOW)
    assert log.getvalue().count("\n") == 1
    assert "ERROR" in log.getvalue()
    assert "put the file back or restore a backup" in log.getvalue()
    await store.close()


@posix
async def test_a_file_that_is_put_back_is_written_to_again(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path)
    await store.create_table(T, WHAT, NOW)
    moved = path.rename(tmp_path / "moved")
    with captured_log() as log:
        with pytest.raises(DatabaseGone):
            await store.save_change(T._replace(version=2, host=7), WHAT, NOW)
        moved.rename(path)
        await store.save_change(T._replace(version=2, host=8), WHAT, NOW)
    assert "the database file is back" in log.getvalue()
    await store.close()
    again = await opened(path)
    assert (await take_over(again, NOW)).live == [T._replace(version=2, host=8)]
    await again.close()


@posix
async def test_without_its_lock_file_a_store_writes_nothing(tmp_path: Path) -> None:
    """Deleting it lets a second process in. So the first one stops to write, whether there is a second one or not."""
    path = tmp_path / "t.sqlite3"
    with hold_process_lock(path):
        store = await opened(path)
        await store.create_table(T, WHAT, NOW)
        path.with_name("t.sqlite3.lock").unlink()
        with captured_log() as log, hold_process_lock(path):
            second = await opened(path)
            for at in (NOW, NOW + 1):
                with pytest.raises(DatabaseGone, match="lock"):
                    await store.record_heartbeat(at)
            await second.save_change(T._replace(version=2), WHAT, NOW)
        assert log.getvalue().count("the lock of the database was deleted") == 1
        for it in (second, store):
            await it.close()


async def test_the_pulse_notices_it_when_nobody_clicks(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path)
    clock = SteppedClock()
    tables = Tables(store, clock, lambda _: None, lambda _: None)
    await resume(tables)
    await tables.wait_until_taken_over()
    with captured_log() as log:
        await clock.advance(ALIVE_INTERVAL_MS + 1)
        await asyncio.to_thread(path.unlink)
        for _ in range(5):
            await clock.advance(ALIVE_INTERVAL_MS)
            await store.load_table(T.id)  # whatever the pulse began is done when this is answered
        await tables.stop()
    assert log.getvalue().count("the database file was deleted, moved or replaced: nothing can be saved") == 1
    assert "ERROR bot.tables" not in log.getvalue(), "what follows from it is no news"
    await store.close()


async def test_a_change_that_was_refused_although_it_was_written_is_taken_over_later(tmp_path: Path) -> None:
    """The file goes between the commit and its check, and comes back: the store is right, and nobody is stuck."""
    path = tmp_path / "t.sqlite3"
    store = await opened(path)
    await store.create_table(T, WHAT, NOW)
    tables = Tables(store, SteppedClock(), lambda _: None, lambda _: None)
    await resume(tables)
    await tables.wait_until_taken_over()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE tables SET version = 2, snapshot = ?", (pack_table(T._replace(version=2)),))

    def change(table: Table) -> Table:
        return table._replace(host=9)

    assert (await tables.change(T.id, "test", 1, change)).version == 3
    await tables.stop()
    await store.close()


# One process has them


@pytest.mark.parametrize("what", ["a folder", "not a regular file", "there is no folder"])
def test_where_no_database_can_be_that_is_said_and_nothing_is_left_behind(tmp_path: Path, what: str) -> None:
    place = tmp_path / "t.sqlite3"
    if what == "a folder":
        place.mkdir()
    elif what == "not a regular file":
        os.mkfifo(place)
    else:
        place = tmp_path / "missing" / "t.sqlite3"
    before = sorted(tmp_path.iterdir())
    with pytest.raises(UnusablePath, match=what), hold_process_lock(place):
        raise AssertionError("it is locked")
    said: list[str] = []
    assert asyncio.run(doctor.run_doctor_command(f"sqlite+aiosqlite:///{place}", said.append)) == 1
    assert what in said[-2]
    assert sorted(tmp_path.iterdir()) == before


@posix
@pytest.mark.parametrize("name", ["loop", "a" * 300, "a" * 5000, "b/" * 3000 + "x"])
async def test_a_path_that_cannot_be_is_said_by_the_doctor_too(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    said: list[str] = []
    assert await doctor.run_doctor_command(f"sqlite+aiosqlite:///{tmp_path}/{name}", said.append) == 1
    assert "it cannot be opened: " in said[1]
    with pytest.raises(UnusablePath), hold_process_lock(tmp_path / name):
        pytest.fail("nothing can be there")
