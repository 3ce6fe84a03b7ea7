"""``python -m bot restore FILE``: puts a backup in place of the SQLite database. The bot must not be running."""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from bot.store.backup import BadBackup, check
from bot.store.files import COMPANIONS, create_private, file_of
from bot.store.lock import only_process
from bot.version import COMMAND


def restore(url: str, file: Path, now: datetime | None = None) -> Path | None:
    """Put a copy of the backup *file* in place of the SQLite database at *url*. What was there is kept beside it:
    return its new name, or ``None`` if there was nothing.

    Raises:
        BadBackup: *file* is no backup, a newer version wrote it, or *url* names no file; nothing was changed.
        AlreadyRunning: the bot runs; nothing was changed.
        OSError: a file cannot be read or written; the database is the one that was there.
    """
    place = place_of(url)
    check(file)
    with only_process(place):
        real = place.resolve()
        if real.exists() and real.samefile(file):
            raise BadBackup(f"{file} is the database itself")
        copy = real.with_name(real.name + ".restored")
        copy.unlink(missing_ok=True)
        try:
            create_private(copy)
            shutil.copyfile(file, copy)
            with copy.open("rb") as written:
                os.fsync(written.fileno())
            kept = _put_aside(real, now or datetime.now(UTC))
            copy.replace(real)
        except BaseException:
            copy.unlink(missing_ok=True)
            raise
        return kept


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


def _put_aside(database: Path, now: datetime) -> Path | None:
    """Rename *database* and what SQLite keeps beside it; return its new name, ``None``: there was none."""
    if database.exists():
        _fold_in(database)
    kept = database.with_name(f"{database.stem}-before-{now:%Y%m%dT%H%M%SZ}{database.suffix}")
    for companion in COMPANIONS:
        beside = database.with_name(database.name + companion)
        if beside.exists():
            beside.rename(kept.with_name(kept.name + companion))
    if not database.exists():
        return None
    database.rename(kept)
    return kept


def _fold_in(database: Path) -> None:
    """Have SQLite write what stands beside *database* into it, if it can."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:  # a damaged one is what somebody restores; then the files stay as they are
        return
