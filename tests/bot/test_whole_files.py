"""Commands that write files are killed, or the system refuses, at the worst moment: what was there is still there, and
what is there is whole."""

import asyncio
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from bot.store.lock import only_process
from bot.store.store import Store
from tests.bot.tables import NOW
from tests.bot.test_rotation import TOKEN, WHAT, T, program, url

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
from bot.__main__ import main
sys.argv = ["bot", *arguments]
main()
"""
"""Runs a command that fails when it gives a file this name. https://docs.python.org/3/library/audit_events.html"""


def database(folder: Path) -> Path:
    """A database in *folder* with a table."""

    async def make() -> None:
        store = await Store.open(url(folder))
        await store.create(T, WHAT, NOW)
        await store.close()

    asyncio.run(make())
    return folder / "t.sqlite3"


def versions(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as raw:
        return [version for (version,) in raw.execute("SELECT version FROM tables")]


def ran(folder: Path, *arguments: str, at: str = "", how: str = "killed") -> subprocess.CompletedProcess[str]:
    """A command on the database in *folder*; it fails when it gives a file the name *at*."""
    given = ("-c", AT_A_NAME, at, how, *arguments) if at else ("-m", "bot", *arguments)
    return program(*given, folder=folder, STORE_URL=url(folder), DISCORD_TOKEN=TOKEN)


def test_a_backup_has_its_name_once_it_is_whole(tmp_path: Path) -> None:
    database(tmp_path)
    assert ran(tmp_path, "backup", "copy.sqlite3", at="copy.sqlite3").returncode == -signal.SIGKILL
    assert not (tmp_path / "copy.sqlite3").exists()
    refused = ran(tmp_path, "backup", "copy.sqlite3", at="copy.sqlite3", how="refused")
    assert (refused.returncode, refused.stderr) == (2, "no backup was made: input/output error\n")
    assert not list(tmp_path.glob("copy*"))
    assert ran(tmp_path, "backup", "copy.sqlite3").returncode == 0
    assert [file.name for file in tmp_path.glob("copy*")] == ["copy.sqlite3"]
    assert versions(tmp_path / "copy.sqlite3") == [T.version]


@pytest.mark.parametrize(("how", "code"), [("killed", -signal.SIGKILL), ("refused", 2)])
def test_while_a_backup_is_put_in_place_there_is_always_a_database(tmp_path: Path, how: str, code: int) -> None:
    there = database(tmp_path)
    assert ran(tmp_path, "backup", "copy.sqlite3").returncode == 0
    with closing(sqlite3.connect(there)) as raw:
        raw.execute("UPDATE tables SET version = 7")
        raw.commit()
    assert ran(tmp_path, "restore", "copy.sqlite3", at=there.name, how=how).returncode == code
    assert versions(there) == [7]
    assert ran(tmp_path, "restore", "copy.sqlite3").returncode == 0
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
    assert ran(tmp_path, "restore", "copy.sqlite3").returncode == 0
    with closing(sqlite3.connect(there)) as raw:
        assert raw.execute("SELECT shown FROM tables").fetchall() == [(None,)]


def test_a_move_that_is_refused_touches_nothing(tmp_path: Path) -> None:
    """A bot that has just started holds the lock of its database, which is not there yet."""
    there, new = database(tmp_path), tmp_path / "new.sqlite3"
    with only_process(new):
        lock = (tmp_path / "new.sqlite3.lock").stat()
        refused = ran(tmp_path, "move", str(there), str(new))
        assert refused.returncode == 2
        assert "stop it first" in refused.stderr
        assert (tmp_path / "new.sqlite3.lock").stat().st_ino == lock.st_ino


def test_a_database_is_not_moved_onto_itself(tmp_path: Path) -> None:
    """Its lock is not held by another process: that would be said of the command itself."""
    there = database(tmp_path)
    (tmp_path / "other.sqlite3").symlink_to(there)
    for target in ([], [str(there)], ["other.sqlite3"]):
        refused = ran(tmp_path, "move", str(there), *target)
        assert refused.returncode == 2
        assert refused.stderr.startswith("these are the same database")


def test_a_damaged_database_is_named_and_not_its_copy(tmp_path: Path) -> None:
    there = database(tmp_path)
    with there.open("r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\xff" * 4096)
    refused = ran(tmp_path, "backup", "copy.sqlite3")
    assert refused.returncode == 2
    assert refused.stderr.startswith("no backup was made: ")
    assert "copy.sqlite3" not in refused.stderr
