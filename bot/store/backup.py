"""Copies of the database: making, checking and restoring them, and a schedule that makes them while the bot runs.

``python -m bot backup FILE`` copies the database while the bot runs, into a SQLite file. A SQLite database is copied by
SQLite's own online backup: https://www.sqlite.org/backup.html. Of a PostgreSQL database all rows are copied as they are
at one moment; ``python -m bot move FILE`` brings them back.

A copy does not know what messages show: when it is used they have changed, and must be edited again. It gets its name
only once it is complete.
"""

import asyncio
import glob
import logging
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Alarm, Clock
from bot.log import fields
from bot.store import migrations
from bot.store.database import Damaged, Refused, error_reason
from bot.store.files import COMPANIONS, create_private_file, hold_process_lock, sqlite_file
from bot.store.schema import tables
from bot.store.transfer import NotCopied, copy_rows, open_transfer_transaction, prepare_empty_database
from bot.version import COMMAND

if TYPE_CHECKING:
    from bot.config import Settings

PART_SUFFIX: Final = ".part"
"""The suffix of a backup file that is not complete yet."""


class BadBackup(Exception):
    """A file is no backup that can be restored, or no backup can be made; the text is one line that says why."""


def backup_database(url: str, target: Path) -> None:
    """Copy the database at *url*, SQLite or PostgreSQL, while a bot may run on it, to the new SQLite file *target*, and
    check the copy; on an error there is no copy.

    The copy shows the database between two transactions, and only its owner can read it. It must not be called where an
    event loop runs.

    Raises:
        FileNotFoundError, FileExistsError: there is no such SQLite file, or no folder for *target*, or *target* exists
            already.
        BadBackup, OSError, sqlite3.Error, SQLAlchemyError: the database cannot be read, is damaged or none of this
            program, or the copy cannot be written; then there is none.
    """
    source = sqlite_file(sa.make_url(url))
    if source is not None and not source.exists():
        raise FileNotFoundError(f"there is no database at {source}")
    folder = target.absolute().parent
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no folder {folder}")
    if target.exists():
        raise FileExistsError(f"{target} exists already")
    part = target.with_name(target.name + PART_SUFFIX)
    delete_unfinished_copy(part)  # what a process has left that was killed
    try:
        create_private_file(part)
        if source is None:
            asyncio.run(_back_up_postgresql(sa.make_url(url), part))
        else:
            _copy_sqlite_database(source, part)
        check_backup(part, source or target)
        part.rename(target)
    except BaseException:
        delete_unfinished_copy(part)
        raise


def delete_unfinished_copy(part: Path) -> None:
    """Delete the unfinished copy *part* of a database and SQLite's files beside it; do nothing if they are not
    there.
    """
    for name in (part.name, *(part.name + companion for companion in COMPANIONS)):
        part.with_name(name).unlink(missing_ok=True)


def forget_shown_content(file: Path) -> None:
    """Delete from the SQLite database *file* what messages on Discord show, so that after a restore the bot edits all
    of them; raise sqlite3.Error if that fails.
    """
    with closing(sqlite3.connect(file)) as made:
        made.execute("UPDATE tables SET shown = NULL WHERE shown IS NOT NULL")
        made.commit()


def _copy_sqlite_database(source: Path, target: Path) -> None:
    """Copy the SQLite database *source* to the empty file *target*, without what messages on Discord show; raise
    sqlite3.Error if that fails.
    """
    with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(target)) as made:
        database.backup(made)
    forget_shown_content(target)


async def _back_up_postgresql(url: sa.URL, target: Path) -> None:
    """Copy all rows of the PostgreSQL database at *url*, except what messages on Discord show, to the empty SQLite file
    *target*; raise BadBackup if that fails.
    """
    file = sa.URL.create("sqlite", database=str(target))
    try:
        async with (
            open_transfer_transaction(url, writes=False) as database,
            open_transfer_transaction(file, writes=True) as there,
        ):
            if why := await database.do(migrations.why_unreadable):
                raise NotCopied(why)
            await there.do(prepare_empty_database)
            await copy_rows(database, there)
            await there.do(lambda connection: connection.execute(tables.update().values(shown=None)))
    except (Refused, NotCopied, Damaged, CommandError) as error:
        raise BadBackup(str(error)) from error


def check_backup(file: Path, name: Path | None = None) -> None:
    """Check with SQLite that the backup *file* is whole and has a schema that this version can use; raise BadBackup if
    not.

    Nobody may write to it meanwhile. The error calls it *name*, if one is given.

    Raises:
        BadBackup: it is damaged, it is no database of this program, or another version has to be used with it.
    """
    if not file.is_file():
        raise BadBackup(f"{name or file} is {'a folder; name a file in it' if file.is_dir() else 'not there'}")
    if not os.access(file, os.R_OK):
        raise BadBackup(f"{name or file} cannot be read by this user; check path and rights")
    engine = sa.create_engine("sqlite://", creator=lambda: _open_immutable(file), poolclass=sa.NullPool)
    try:
        with engine.connect() as connection:
            found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
            schema, _ = migrations.schema_versions(connection)
            other = migrations.why_other_version(connection)
    except (SQLAlchemyError, sqlite3.Error, Damaged) as error:
        raise BadBackup(f"{name or file} is no backup that can be read ({error_reason(error)})") from None
    if found != "ok":
        raise BadBackup(f"{name or file} is damaged ({' '.join(found.split())})")
    if not schema:
        raise BadBackup(f"{name or file} is no database of this program")
    if other:
        raise BadBackup(f"{name or file}: {other}")


def _open_immutable(file: Path) -> sqlite3.Connection:
    """Open the SQLite *file* only for reading, so that no files appear beside it.
    https://www.sqlite.org/uri.html#uriimmutable
    """
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)


# ``python -m bot restore FILE``: puts a backup in place of the SQLite database. The bot must not be running.


def restore_backup(url: str, file: Path, now: datetime | None = None) -> Path | None:
    """Check the backup *file*, put a copy of it in place of the SQLite database at *url*, and return the path at which
    the old database is kept; ``None`` if there was none.

    *now* is the time for the name of the old one (``None``: the present).

    Raises:
        BadBackup: *file* is no backup for this version, or *url* names no file; nothing was changed.
        AlreadyRunning: the bot runs; nothing was changed.
        OSError, sqlite3.Error: a file cannot be read or written; the old database is still in its place.
    """
    place = sqlite_path(url)
    check_backup(file)
    with hold_process_lock(place):
        real = place.resolve()
        if real.exists() and real.samefile(file):
            raise BadBackup(f"{file} is the database itself")
        copy = real.with_name(real.name + ".restored")
        _delete_stale_links(real)
        delete_unfinished_copy(copy)
        try:
            create_private_file(copy)
            shutil.copyfile(file, copy)
            forget_shown_content(copy)
            with copy.open("rb") as written:
                os.fsync(written.fileno())
            existed, kept = real.exists(), _keep_old_database(real, now or datetime.now(UTC))
            try:
                copy.replace(real)
            except BaseException:
                _undo_keep_old_database(real, kept)
                raise
        except BaseException:
            delete_unfinished_copy(copy)
            raise
        return kept if existed else None


def sqlite_path(url: str) -> Path:
    """Return the path of the SQLite file in *url*, which need not exist; raise BadBackup if *url* names PostgreSQL or
    no file.
    """
    parsed = sa.make_url(url)
    place = sqlite_file(parsed)
    if place is not None:
        return place
    if parsed.get_backend_name() == "postgresql":
        remedy = f"make an empty database, name it in STORE_URL, and use {COMMAND} move FILE"
        raise BadBackup(f"STORE_URL names a database of PostgreSQL: {remedy}")
    raise BadBackup("STORE_URL names no file of SQLite's")


def _keep_old_database(database: Path, now: datetime) -> Path:
    """Give the old *database* a second name with the time *now*, rename SQLite's files beside it to fit, and return the
    path with the second name.

    The file itself keeps its place until another one takes it.
    """
    name = f"{database.stem}-before-{now:%Y%m%dT%H%M%SZ}"
    marks = ("" if number == 1 else f"-{number}" for number in count(1))
    kept = next(it for mark in marks if not (it := database.with_name(f"{name}{mark}{database.suffix}")).exists())
    if database.exists():
        _checkpoint_wal(database)
        try:
            os.link(database, kept)
        except OSError:  # not every file system has hard links
            create_private_file(kept)
            shutil.copyfile(database, kept)
    _rename_companions(database, kept)
    return kept


def _delete_stale_links(database: Path) -> None:
    """Delete second names (hard links) of *database* that a ``restore_backup`` has left when it was killed."""
    for name in database.parent.glob(f"{glob.escape(database.stem)}-before-*{glob.escape(database.suffix)}"):
        if database.exists() and name.samefile(database):
            name.unlink()


def _undo_keep_old_database(database: Path, kept: Path) -> None:
    """Undo ``_keep_old_database``: give the files beside *database* their names back, and delete the second name
    *kept*.
    """
    _rename_companions(kept, database)
    if database.exists():
        kept.unlink(missing_ok=True)


def _rename_companions(before: Path, after: Path) -> None:
    """Rename SQLite's files beside the database *before* (-wal, -shm, -journal), if there are any, so that they belong
    to *after*.
    """
    for companion in COMPANIONS:
        beside = before.with_name(before.name + companion)
        if beside.exists():
            beside.rename(after.with_name(after.name + companion))


def _checkpoint_wal(database: Path) -> None:
    """Let SQLite move its write-ahead log into *database*; do nothing if that fails."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:  # a damaged one is what somebody restores; then the files stay as they are
        return


# Backups that the running bot makes by itself, beside the games. The oldest are deleted.


log = logging.getLogger(__name__)

HOUR_MS: Final = 3_600_000
FIRST_BACKUP_DELAY_MS: Final = 60_000
"""How long after the start the first backup is made, if one is due: a start has enough to do."""
FILE_PREFIX: Final = "diciassette-"
FILE_SUFFIX: Final = ".sqlite3"
_TIME_FORMAT: Final = "%Y%m%dT%H%M%SZ"


class BackupPlan(NamedTuple):
    """The settings of the scheduled backups: the store's address, the folder, the hours between two, how many
    are kept.
    """

    url: str
    folder: Path
    hours: int
    keep: int


def backup_plan(config: "Settings") -> BackupPlan | None:
    """Return what the settings *config* say about scheduled backups; ``None``: none are to be made."""
    if config.backup_folder is None:
        return None
    return BackupPlan(config.store_url, config.backup_folder.absolute(), config.backup_hours, config.backup_keep)


def create_private_writable_folder(folder: Path) -> None:
    """Create *folder* for its owner only if it is missing; raise OSError if it cannot be made or nothing can be written
    there.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(13, os.strerror(13))


class BackupScheduler:
    """Makes a backup every few hours as *plan* says, from ``start`` to ``stop``; none if *plan* is ``None``.

    The next one is due when the newest in the folder is old enough, so a restart neither adds one nor delays one. If
    one fails, one line is logged, and it is tried again an hour later.
    """

    def __init__(self, plan: BackupPlan | None, clock: Clock) -> None:
        self._plan = plan
        self._clock = clock
        self._alarm: Alarm | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Set the alarm for the next backup, and log when it is; do nothing without a plan, or if this has started
        already.
        """
        if self._plan is None or self._alarm is not None or self._task is not None:
            return
        newest = max(
            (when for file in list_complete_backups(self._plan.folder) if (when := backup_time_ms(file)) is not None),
            default=0,
        )
        due = max(newest + self._plan.hours * HOUR_MS, self._clock.now() + FIRST_BACKUP_DELAY_MS)
        at = datetime.fromtimestamp(due / 1000, UTC).isoformat(timespec="seconds")
        log.info("backups are made", extra=fields(folder=self._plan.folder, next=at))
        self._schedule(self._plan, due)

    async def stop(self) -> None:
        """Make no more backups: cancel the alarm, and wait for a backup that has begun."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None

    def _schedule(self, plan: BackupPlan, until: int) -> None:
        """Set the alarm that starts the next backup at the time *until* (ms since 1970)."""
        self._alarm = self._clock.call_at(until, lambda: self._start_backup(plan))

    def _start_backup(self, plan: BackupPlan) -> None:
        """Start a background task that makes a backup and sets the next alarm."""
        self._alarm = None
        self._task = asyncio.get_running_loop().create_task(self._make_and_reschedule(plan), name="backup")

    async def _make_and_reschedule(self, plan: BackupPlan) -> None:
        """Make a backup in a thread and set the alarm for the next one; if it fails, log that and try again in
        an hour.
        """
        now, hours = self._clock.now(), plan.hours
        try:
            made = await asyncio.to_thread(make_backup_and_prune_oldest, plan, now)
            log.info("backup made", extra=fields(file=made.name, bytes=made.stat().st_size))
        except (OSError, sqlite3.Error, sa.exc.SQLAlchemyError, BadBackup) as error:
            hours = 1
            log.warning("no backup was made; the next try is in an hour: %s", error_reason(error))
        except Exception:  # the boundary of the backups: the games go on without them
            hours = 1
            log.exception("no backup was made; the next try is in an hour")
        self._task = None
        self._schedule(plan, now + hours * HOUR_MS)


def make_backup_and_prune_oldest(plan: BackupPlan, now: int) -> Path:
    """Make and check one backup at the time *now* (ms since 1970), delete the oldest ones beyond the number to keep,
    and return the new file.

    It blocks: call it in a thread.

    Raises:
        OSError, sqlite3.Error, SQLAlchemyError, BadBackup: there is no new backup; all older ones are still there.
    """
    create_private_writable_folder(plan.folder)
    _delete_unfinished_backups(plan.folder)  # what a process has left that was killed
    moment = datetime.fromtimestamp(now / 1000, UTC)
    file = plan.folder / f"{FILE_PREFIX}{moment.strftime(_TIME_FORMAT)}{FILE_SUFFIX}"
    backup_database(plan.url, file)
    _sync_folder(plan.folder)
    for old in list_complete_backups(plan.folder)[: -plan.keep]:
        old.unlink(missing_ok=True)
    return file


def _delete_unfinished_backups(folder: Path) -> None:
    """Delete unfinished backups in *folder*, and the files that SQLite has put beside them."""
    for left in folder.glob(f"{FILE_PREFIX}*{PART_SUFFIX}*"):
        left.unlink(missing_ok=True)


def list_complete_backups(folder: Path) -> list[Path]:
    """List the complete scheduled backups in *folder*, oldest first by their names; empty if there are none."""
    return sorted(file for file in folder.glob(f"{FILE_PREFIX}*{FILE_SUFFIX}") if backup_time_ms(file) is not None)


def backup_time_ms(file: Path) -> int | None:
    """Read from the name of the backup *file* when it was made (ms since 1970); ``None`` if it is not the name of a
    scheduled backup.
    """
    try:
        moment = datetime.strptime(file.name, f"{FILE_PREFIX}{_TIME_FORMAT}{FILE_SUFFIX}").replace(tzinfo=UTC)
    except ValueError:
        return None
    return int(moment.timestamp() * 1000)


def _sync_folder(folder: Path) -> None:
    """Flush the file names in *folder* to the disk (fsync); nothing outside POSIX."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
