"""What ``python -m bot doctor`` and the start say of rights, of room and of backups."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli import doctor
from bot.store import backup
from bot.store.store import Store
from bot.store.writer import failure_reason
from tests.program import bot

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere rights and limits are others")
URL = "sqlite+aiosqlite:///t.sqlite3"
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.nobody-here"
POWERLESS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
"""What makes the super-user somebody to whom rights apply (util-linux)."""


def program(folder: Path, *arguments: str, **settings: str) -> tuple[int, str]:
    """(exit code, all that is said) of the program, run in *folder* by somebody to whom rights apply."""
    code, out, err = bot(*arguments, folder=folder, before=POWERLESS, **{"STORE_URL": URL, **settings})
    return code, out + err


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A folder with a database in it."""
    await (await Store.open(f"sqlite+aiosqlite:///{tmp_path}/t.sqlite3")).close()
    return tmp_path


@pytest.fixture
def closed(folder: Path) -> Iterator[Path]:
    """A folder with a database in which nothing can be written."""
    folder.chmod(0o500)
    yield folder
    folder.chmod(0o700)


def test_all_is_well_where_everything_can_be_written(folder: Path) -> None:
    code, said = program(folder, "doctor", BACKUP_FOLDER="backups")
    assert code == 0, said
    assert "files: ok\n" in said
    assert "B of its disk are free\n" in said
    assert "backups: none yet; the folder " in said
    assert not (folder / "backups").exists(), "it creates nothing"


def test_a_folder_that_cannot_be_written_to_is_found(closed: Path) -> None:
    code, said = program(closed, "doctor")
    assert code == 1
    assert f"files: this user may not write to the folder {closed}\n" in said


@pytest.mark.parametrize("name", ["t.sqlite3", "t.sqlite3-wal", "t.sqlite3-shm", "t.sqlite3.lock"])
def test_a_file_that_cannot_be_written_to_is_found(folder: Path, name: str) -> None:
    file = folder / name
    file.touch()
    file.chmod(0o400)
    code, said = program(folder, "doctor")
    assert code == 1
    assert f"files: this user may not write to {name}, which belongs to {doctor.file_owner_name(file)}\n" in said


@pytest.mark.skipif(os.geteuid() != 0, reason="only the super-user can give files away")
def test_the_super_user_who_may_do_anything_is_told_whose_files_others_own(folder: Path) -> None:
    (folder / "t.sqlite3.lock").touch()
    os.chown(folder / "t.sqlite3", 12345, 12345)
    assert doctor.database_write_problems(folder / "t.sqlite3") == [
        f"t.sqlite3 belongs to 12345, its folder to {doctor.file_owner_name(folder)}: give both to the bot's user"
    ]


def test_too_little_room_is_found(folder: Path) -> None:
    assert doctor.disk_space_report(folder / "t.sqlite3", free=doctor.MIN_FREE_BYTES - 1) == (
        "63 MiB of its disk are free: make room",
        False,
    )
    assert doctor.disk_space_report(folder / "t.sqlite3", free=5 << 30) == ("5 GiB of its disk are free", True)


def test_backups_that_cannot_be_made_are_found(closed: Path) -> None:
    for backups in (str(closed), str(closed / "new" / "er")):
        code, said = program(closed, "doctor", BACKUP_FOLDER=backups)
        assert code == 1
        assert f"backups: this user may not write to the folder {closed}\n" in said


async def test_the_newest_backup_is_named(folder: Path) -> None:
    plan = backup.BackupPlan(f"sqlite+aiosqlite:///{folder}/t.sqlite3", folder / "backups", 24, 7)
    backup.make_backup_and_prune_oldest(plan, 1_800_000_000_000)
    said: list[str] = []
    assert await doctor.run_doctor_command(plan.url, said.append, plan) == 0
    assert f"backups: 1 in {plan.folder}, the newest of 2027-01-15T08:00:00+00:00\n" in said
    assert await doctor.run_doctor_command(plan.url, said.append) == 0
    assert said[-1] == "backups: none are made, as BACKUP_FOLDER is not set\n"


def test_a_folder_without_rights_is_the_reason_why_the_bot_does_not_start(closed: Path) -> None:
    code, said = program(closed, "run", DISCORD_TOKEN=TOKEN)
    assert code == 2
    assert said.splitlines()[-1].startswith("STORE_URL: the database cannot be ")
    assert "check path" in said.splitlines()[-1]


def test_what_to_do_follows_from_what_is_wrong() -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("PRAGMA max_page_count = 2")
        with pytest.raises(sqlite3.OperationalError) as full:
            database.executescript("".join(f"CREATE TABLE t{number} (a); " for number in range(9)))
    assert failure_reason(full.value) == "database or disk is full; make room on its disk"
    for number, remedy in ((errno.ENOSPC, "make room on its disk"), (errno.EROFS, "check path and rights")):
        assert (
            failure_reason(OSError(number, os.strerror(number))).lower() == f"{os.strerror(number)}; {remedy}".lower()
        )
    assert ";" not in failure_reason(OSError(errno.EIO, os.strerror(errno.EIO)))


def test_a_service_without_a_token_does_not_run_on_a_local_discord(tmp_path: Path) -> None:
    assert program(tmp_path, "run", "--discord", DISCORD_TOKEN="") == (
        2,
        "DISCORD_TOKEN: it is not set; put the token of your bot into .env\n",
    )
    assert os.listdir(tmp_path) == []  # noqa: PTH208


async def test_a_backup_that_could_not_be_restored_is_none(folder: Path) -> None:
    plan = backup.BackupPlan(f"sqlite+aiosqlite:///{folder}/t.sqlite3", folder / "backups", 24, 7)
    file = backup.make_backup_and_prune_oldest(plan, 1_800_000_000_000)
    file.write_bytes(file.read_bytes()[:-8192])
    said: list[str] = []
    assert await doctor.run_doctor_command(plan.url, said.append, plan) == 1
    assert f"; {file} is " in said[-1]


@pytest.mark.parametrize("content", [b"", b"torn"])
def test_of_a_database_that_is_empty_or_damaged_there_is_no_backup(folder: Path, content: bytes) -> None:
    database = folder / "t.sqlite3"
    database.write_bytes(database.read_bytes()[:-8192] if content else b"")
    code, said = program(folder, "backup", "copy.sqlite3")
    assert (code, len(said.splitlines())) == (2, 1)
    assert said.startswith("no backup was made: ")
    assert not (folder / "copy.sqlite3").exists()
    code, said = program(folder, "doctor")
    assert code == 1
    assert ("there is nothing in it: " in said) is not bool(content)


def test_a_restore_says_which_rights_are_missing(folder: Path) -> None:
    assert program(folder, "backup", "copy.sqlite3")[0] == 0
    (folder / "copy.sqlite3").chmod(0)
    code, said = program(folder, "restore", "copy.sqlite3")
    assert (code, said) == (2, "copy.sqlite3 cannot be read by this user; check path and rights\n")
    (folder / "copy.sqlite3").chmod(0o600)
    folder.chmod(0o500)
    code, said = program(folder, "restore", "copy.sqlite3")
    folder.chmod(0o700)
    assert (code, said.count("\n")) == (2, 1)
    assert said.endswith(": permission denied; check path and rights\n")
