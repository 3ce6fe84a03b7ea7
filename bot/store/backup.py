"""``python -m bot.store.backup FILE``: copy the SQLite database while the bot runs.

It uses SQLite's own online backup: https://www.sqlite.org/backup.html. For PostgreSQL use ``pg_dump``.
"""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

from bot import settings
from bot.settings import BadSetting


def backup(source: Path, target: Path) -> None:
    """Copy the database *source*, as it is between two transactions, to *target*.

    Raises:
        FileNotFoundError, FileExistsError: there is no *source*, or *target* exists already.
        sqlite3.Error: the database cannot be read, or the copy cannot be written.
    """
    if not source.exists():
        raise FileNotFoundError(f"there is no database at {source}")
    if target.exists():
        raise FileExistsError(f"{target} exists already")
    with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(target)) as copy:
        database.backup(copy)


def main() -> int:
    """Run the command line and return its exit code: 2, after one line on standard error, if it fails."""
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python -m bot.store.backup FILE\n")
        return 2
    try:
        url = sa.make_url(settings.read().store_url)
        if not url.drivername.startswith("sqlite") or not url.database:
            raise FileNotFoundError("STORE_URL names no SQLite file; use your database's own tool")
        backup(Path(url.database), Path(sys.argv[1]))
    except (BadSetting, OSError, sqlite3.Error) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
