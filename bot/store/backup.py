"""``python -m bot.store.backup FILE``: copy the SQLite database while the bot runs.

It uses SQLite's own online backup: https://www.sqlite.org/backup.html. For PostgreSQL use ``pg_dump``.
"""

import argparse
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

from bot import settings
from bot.settings import BadSetting
from bot.store.files import create_private, file_of


def backup(source: Path, target: Path) -> None:
    """Copy the database *source*, as it is between two transactions, to *target*, which only its owner can read.

    Raises:
        FileNotFoundError, FileExistsError: there is no *source*, or *target* exists already.
        OSError, sqlite3.Error: the database cannot be read, or the copy cannot be written; then there is none.
    """
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


def main() -> int:
    """Run the command line and return its exit code: 2, after one line on standard error, if it fails."""
    parser = argparse.ArgumentParser(
        prog="python -m bot.store.backup",
        description="Copy the SQLite database that STORE_URL names while the bot runs. Only you can read the copy; it "
        "holds hidden cards and tokens, as the database does.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="where to; it must not exist yet")
    target = parser.parse_args().file
    try:
        source = file_of(sa.make_url(settings.read().store_url))
        if source is None:
            raise FileNotFoundError("STORE_URL names no SQLite file; use your database's own tool")
        backup(source, target)
    except (BadSetting, OSError, sqlite3.Error) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
