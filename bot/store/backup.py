"""``python -m bot backup FILE``: copies the SQLite database while the bot runs.

It uses SQLite's own online backup: https://www.sqlite.org/backup.html. For PostgreSQL use ``pg_dump``.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

from bot.store.files import create_private, file_of


def backup(url: str, target: Path) -> None:
    """Copy the database at *url*, as it is between two transactions, to *target*, which only its owner can read.

    Raises:
        FileNotFoundError, FileExistsError: there is no such file of SQLite's, or *target* exists already.
        OSError, sqlite3.Error: the database cannot be read, or the copy cannot be written; then there is none.
    """
    source = file_of(sa.make_url(url))
    if source is None:
        raise FileNotFoundError("STORE_URL names no SQLite file; use your database's own tool")
    if not source.exists():
        raise FileNotFoundError(f"there is no database at {source}")
    try:
        create_private(target)
    except FileExistsError:
        raise FileExistsError(f"{target} exists already") from None
    try:
        with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(target)) as copy:
            database.backup(copy)
    except BaseException:
        target.unlink()
        raise
