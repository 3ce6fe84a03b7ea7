"""``python -m bot backup FILE``: copies the database while the bot runs, into a SQLite file.

A SQLite database is copied by SQLite's own online backup: https://www.sqlite.org/backup.html. Of a PostgreSQL database
all rows are copied as they are at one moment; ``python -m bot move FILE`` brings them back.

A copy does not know what messages show: when it is used they have changed, and must be brought back to where it is.
It has its name only once it is whole.
"""

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from bot.store import migrations
from bot.store.copying import NotCopied, copy, prepare, side
from bot.store.database import Damaged, Refused, reason
from bot.store.files import COMPANIONS, create_private, file_of
from bot.store.schema import tables

PART: Final = ".part"
"""What is added to the name of a backup that is not whole yet."""


class BadBackup(Exception):
    """A file is no backup that can be restored, or none can be made; the text is one line that says why."""


def backup(url: str, target: Path) -> None:
    """Copy the database at *url*, as it is between two transactions, to *target*, which only its owner can read. It
    must not be called where an event loop runs.

    Raises:
        FileNotFoundError, FileExistsError: there is no such file of SQLite's, or no folder for *target*, or *target*
            exists already.
        BadBackup, OSError, sqlite3.Error, SQLAlchemyError: the database cannot be read, is damaged or none of this
            program, or the copy cannot be written; then there is none.
    """
    source = file_of(sa.make_url(url))
    if source is not None and not source.exists():
        raise FileNotFoundError(f"there is no database at {source}")
    folder = target.absolute().parent
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no folder {folder}")
    if target.exists():
        raise FileExistsError(f"{target} exists already")
    part = target.with_name(target.name + PART)
    clear(part)  # what a process has left that was killed
    try:
        create_private(part)
        if source is None:
            asyncio.run(_copy_rows(sa.make_url(url), part))
        else:
            _copy_file(source, part)
        check(part, source or target)
        part.rename(target)
    except BaseException:
        clear(part)
        raise


def clear(part: Path) -> None:
    """Delete the unfinished copy *part*, if it is there, and what SQLite has put beside it."""
    for name in (part.name, *(part.name + companion for companion in COMPANIONS)):
        part.with_name(name).unlink(missing_ok=True)


def forget_shown(file: Path) -> None:
    """Have the SQLite database *file* know no more what messages show; raises sqlite3.Error if it cannot be written."""
    with closing(sqlite3.connect(file)) as made:
        made.execute("UPDATE tables SET shown = NULL WHERE shown IS NOT NULL")
        made.commit()


def _copy_file(source: Path, target: Path) -> None:
    """Copy the SQLite database *source* to the empty file *target*; raises as ``backup``."""
    with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(target)) as made:
        database.backup(made)
    forget_shown(target)


async def _copy_rows(url: sa.URL, target: Path) -> None:
    """Copy all rows of the database at *url* to the empty file *target*; raises as ``backup``."""
    file = sa.URL.create("sqlite", database=str(target))
    try:
        async with side(url, writes=False) as database, side(file, writes=True) as there:
            if why := await database.do(migrations.unread):
                raise NotCopied(why)
            await there.do(prepare)
            await copy(database, there)
            await there.do(lambda connection: connection.execute(tables.update().values(shown=None)))
    except (Refused, NotCopied, Damaged, CommandError) as error:
        raise BadBackup(str(error)) from error


def check(file: Path, name: Path | None = None) -> None:
    """Read all of the backup *file*, which nobody writes to, as SQLite's own check does, and the version of its schema.
    Errors call it *name*, if one is given.

    Raises:
        BadBackup: it is damaged, it is no database of this program, or another version has to be used with it.
    """
    if not file.is_file():
        raise BadBackup(f"{name or file} is {'a folder; name a file in it' if file.is_dir() else 'not there'}")
    if not os.access(file, os.R_OK):
        raise BadBackup(f"{name or file} cannot be read by this user; check path and rights")
    engine = sa.create_engine("sqlite://", creator=lambda: _unchanging(file), poolclass=sa.NullPool)
    try:
        with engine.connect() as connection:
            found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
            schema, _ = migrations.versions(connection)
            other = migrations.refusal(connection)
    except (SQLAlchemyError, sqlite3.Error, Damaged) as error:
        raise BadBackup(f"{name or file} is no backup that can be read ({reason(error)})") from None
    if found != "ok":
        raise BadBackup(f"{name or file} is damaged ({' '.join(found.split())})")
    if not schema:
        raise BadBackup(f"{name or file} is no database of this program")
    if other:
        raise BadBackup(f"{name or file}: {other}")


def _unchanging(file: Path) -> sqlite3.Connection:
    """A connection that reads *file* and leaves nothing beside it. https://www.sqlite.org/uri.html#uriimmutable"""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
