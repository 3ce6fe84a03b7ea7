"""Backups that the running bot makes by itself."""

import os
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli.run import _prepare_backup_plan
from bot.config import BadSetting, read_settings
from bot.store import backup
from bot.store.backup import FIRST_BACKUP_DELAY_MS, HOUR_MS, BackupPlan, BackupScheduler, BadBackup
from bot.store.store import Store
from bot.tables.model import Table
from tests.bot.logs import captured_log
from tests.bot.tables import NOW, started, take_over
from tests.bot.test_service import Clock
from tests.games import CASES
from tests.program import python

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.nobody-here"
WHAT = {"what": "test", "by": 1}
T = started(sorted(CASES)[0])

posix = pytest.mark.skipif(os.name != "posix", reason="rights are those of POSIX")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """A fresh store on a SQLite file."""
    store = await Store.open(url(tmp_path))
    yield store
    await store.close()


def plan(folder: Path, *, hours: int = 24, keep: int = 2) -> BackupPlan:
    return BackupPlan(url(folder), folder / "backups", hours, keep)


def url(folder: Path) -> str:
    return f"sqlite+aiosqlite:///{folder}/t.sqlite3"


def there(folder: Path) -> list[str]:
    return sorted(file.name for file in (folder / "backups").iterdir())


def name(clock: Clock) -> str:
    return f"diciassette-{datetime.fromtimestamp(clock.now() / 1000, UTC):%Y%m%dT%H%M%SZ}.sqlite3"


async def tables_in(file: Path) -> tuple[Table, ...]:
    """The live tables of the database *file*."""
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    try:
        return tuple((await take_over(store, NOW)).live)
    finally:
        await store.close()


# Rotation


async def test_backups_are_made_in_time_and_the_oldest_goes(store: Store, tmp_path: Path) -> None:
    await store.create_table(T, WHAT, NOW)
    clock = Clock()
    backups = BackupScheduler(plan(tmp_path), clock)
    backups.start()
    await clock.advance(FIRST_BACKUP_DELAY_MS)
    names = [name(clock)]
    for _ in range(3):
        await clock.advance(24 * HOUR_MS - 1)
        assert there(tmp_path) == names[-2:]
        await clock.advance(1)
        names.append(name(clock))
        assert there(tmp_path) == names[-2:]
    await backups.stop()
    await clock.advance(48 * HOUR_MS)
    assert there(tmp_path) == names[-2:]
    assert await tables_in(tmp_path / "backups" / names[-1]) == (T,)


async def test_a_restart_neither_adds_a_backup_nor_puts_one_off(store: Store, tmp_path: Path) -> None:
    clock = Clock()
    first = BackupScheduler(plan(tmp_path), clock)
    first.start()
    await clock.advance(FIRST_BACKUP_DELAY_MS)
    made = there(tmp_path)
    await first.stop()
    for _ in range(5):
        again = BackupScheduler(plan(tmp_path), clock)
        again.start()
        await clock.advance(4 * HOUR_MS)
        await again.stop()
        assert there(tmp_path) == made
    last = BackupScheduler(plan(tmp_path), clock)
    last.start()
    await clock.advance(4 * HOUR_MS)
    await last.stop()
    assert len(there(tmp_path)) == 2


@posix
async def test_only_the_owner_can_read_them(store: Store, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        file = backup.make_backup_and_prune_oldest(plan(tmp_path), NOW)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_what_is_not_a_complete_backup_of_ours_does_not_count(store: Store, tmp_path: Path) -> None:
    """What somebody else has put there stays; what a killed process has left goes."""
    others = ["diciassette-mine.sqlite3", "diciassette-20200101T000000Z.sqlite3.gz", "holiday.sqlite3"]
    folder = tmp_path / "backups"
    folder.mkdir()
    for other in (
        *others,
        "diciassette-20200101T000000Z.sqlite3.part",
        "diciassette-20200101T000000Z.sqlite3.part-journal",
    ):
        (folder / other).write_bytes(b"x")
    made = [backup.make_backup_and_prune_oldest(plan(tmp_path, keep=1), NOW + 1000 * i).name for i in range(2)]
    assert there(tmp_path) == sorted([*others, made[-1]])


async def test_if_one_fails_all_older_ones_stay_and_it_is_tried_again(store: Store, tmp_path: Path) -> None:
    clock = Clock()
    backups = BackupScheduler(plan(tmp_path, keep=1), clock)
    backups.start()
    await clock.advance(FIRST_BACKUP_DELAY_MS)
    made = there(tmp_path)
    away = tmp_path / "away"
    (tmp_path / "backups").rename(away)
    (tmp_path / "backups").write_text("a file, where no folder can be made")
    with captured_log() as log:
        await clock.advance(24 * HOUR_MS)
        assert log.getvalue().count("\n") == 1
        assert "no backup was made; the next try is in an hour" in log.getvalue()
    (tmp_path / "backups").unlink()
    away.rename(tmp_path / "backups")
    assert there(tmp_path) == made
    await clock.advance(HOUR_MS)
    assert there(tmp_path) == [name(clock)] != made
    await backups.stop()


MAKE = """
import resource, sys
from pathlib import Path
from bot.store.backup import BackupPlan, make_backup_and_prune_oldest
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
make_backup_and_prune_oldest(BackupPlan(sys.argv[1], Path(sys.argv[2]), 24, 1), 1_800_000_001_000)
"""


@posix
async def test_where_there_is_no_room_nothing_is_left_and_nothing_is_deleted(store: Store, tmp_path: Path) -> None:
    old = backup.make_backup_and_prune_oldest(plan(tmp_path, keep=1), NOW)
    full = python("-c", MAKE, url(tmp_path), str(tmp_path / "backups"))
    assert full.code == 1
    assert "sqlite3." in full.err.splitlines()[-1]
    assert there(tmp_path) == [old.name]


async def test_a_copy_that_is_damaged_is_no_backup(store: Store, tmp_path: Path) -> None:
    old = backup.make_backup_and_prune_oldest(plan(tmp_path, keep=1), NOW)
    with closing(sqlite3.connect(tmp_path / "t.sqlite3")) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
        raw.commit()
    with pytest.raises(BadBackup, match="newer version"):
        backup.make_backup_and_prune_oldest(plan(tmp_path, keep=1), NOW + 1000)
    assert there(tmp_path) == [old.name]


def test_a_folder_that_cannot_be_used_is_a_bad_setting(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    config = read_settings({"BACKUP_FOLDER": str(tmp_path / "file" / "backups")}, tmp_path / ".env")
    with pytest.raises(BadSetting, match=r"BACKUP_FOLDER is .*not a directory; check path and rights"):
        _prepare_backup_plan(config)
