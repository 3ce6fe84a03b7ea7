"""``python -m bot restore FILE``: puts a backup in place of the SQLite database. The bot must not be running."""

import glob
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import sqlalchemy as sa

from bot.store.backup import BadBackup, check, clear, forget_shown
from bot.store.files import COMPANIONS, create_private, file_of
from bot.store.lock import only_process
from bot.version import COMMAND


def restore(url: str, file: Path, now: datetime | None = None) -> Path | None:
    """Put a copy of the backup *file* in place of the SQLite database at *url*. What was there is kept beside it:
    return its new name, or ``None`` if there was nothing.

    Raises:
        BadBackup: *file* is no backup for this version, or *url* names no file; nothing was changed.
        AlreadyRunning: the bot runs; nothing was changed.
        OSError, sqlite3.Error: a file cannot be read or written; the database is the one that was there.
    """
    place = place_of(url)
    check(file)
    with only_process(place):
        real = place.resolve()
        if real.exists() and real.samefile(file):
            raise BadBackup(f"{file} is the database itself")
        copy = real.with_name(real.name + ".restored")
        _forget_second_names(real)
        clear(copy)
        try:
            create_private(copy)
            shutil.copyfile(file, copy)
            forget_shown(copy)
            with copy.open("rb") as written:
                os.fsync(written.fileno())
            existed, kept = real.exists(), _keep(real, now or datetime.now(UTC))
            try:
                copy.replace(real)
            except BaseException:
                _take_back(real, kept)
                raise
        except BaseException:
            clear(copy)
            raise
        return kept if existed else None


def place_of(url: str) -> Path:
    """Where the SQLite database at *url* is, or would be.

    Raises:
        BadBackup: *url* names no file.
    """
    parsed = sa.make_url(url)
    place = file_of(parsed)
    if place is not None:
        return place
    if parsed.get_backend_name() == "postgresql":
        remedy = f"make an empty database, name it in STORE_URL, and use {COMMAND} move FILE"
        raise BadBackup(f"STORE_URL names a database of PostgreSQL: {remedy}")
    raise BadBackup("STORE_URL names no file of SQLite's")


def _keep(database: Path, now: datetime) -> Path:
    """Give *database*, if there is one, a second name, and what SQLite keeps beside it that name too, under which they
    stay; return it. The database itself keeps its place until another one takes it."""
    name = f"{database.stem}-before-{now:%Y%m%dT%H%M%SZ}"
    marks = ("" if number == 1 else f"-{number}" for number in count(1))
    kept = next(it for mark in marks if not (it := database.with_name(f"{name}{mark}{database.suffix}")).exists())
    if database.exists():
        _fold_in(database)
        try:
            os.link(database, kept)
        except OSError:  # not every file system has hard links
            create_private(kept)
            shutil.copyfile(database, kept)
    _rename_companions(database, kept)
    return kept


def _forget_second_names(database: Path) -> None:
    """Delete the names that *database* has got from a ``restore`` that was killed before another took its place."""
    for name in database.parent.glob(f"{glob.escape(database.stem)}-before-*{glob.escape(database.suffix)}"):
        if database.exists() and name.samefile(database):
            name.unlink()


def _take_back(database: Path, kept: Path) -> None:
    """Undo ``_keep``."""
    _rename_companions(kept, database)
    if database.exists():
        kept.unlink(missing_ok=True)


def _rename_companions(before: Path, after: Path) -> None:
    """Have what SQLite keeps beside *before* belong to *after*."""
    for companion in COMPANIONS:
        beside = before.with_name(before.name + companion)
        if beside.exists():
            beside.rename(after.with_name(after.name + companion))


def _fold_in(database: Path) -> None:
    """Have SQLite write what stands beside *database* into it, if it can."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:  # a damaged one is what somebody restores; then the files stay as they are
        return
