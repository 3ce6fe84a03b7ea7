"""The size of a SQLite database's file: what is deleted is given back to the disk.

The file must be one with ``auto_vacuum=INCREMENTAL``, as new ones are. One from before is made into one by a single
``VACUUM``, which needs the database for itself. https://www.sqlite.org/pragma.html#pragma_auto_vacuum
"""

import logging
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.log import fields
from bot.store.files import file_of
from bot.store.schema import old_events

log = logging.getLogger(__name__)

INCREMENTAL: Final = 2
"""What ``PRAGMA auto_vacuum`` says. https://www.sqlite.org/pragma.html#pragma_auto_vacuum"""
PAGES_A_STEP: Final = 64
"""So many are given back at once: a quarter of a MiB, some milliseconds."""
COPIES: Final = 2
"""``VACUUM`` needs a copy of what the database holds, and then another in the WAL, or a journal of the file.
https://www.sqlite.org/lang_vacuum.html#how_vacuum_works"""


class Size(NamedTuple):
    """How large a database is."""

    page: int
    """bytes"""
    pages: int
    free: int
    """How many of the pages hold nothing."""


def give_back(connection: Connection) -> bool:
    """Give a few free pages back to the disk; return whether there may be more. Inside a transaction of the caller."""
    if connection.dialect.name != "sqlite" or _ask(connection, "auto_vacuum") != INCREMENTAL:
        return False
    before = _ask(connection, "freelist_count")
    for _ in range(min(PAGES_A_STEP, before)):  # with a larger number Python's sqlite3 gives back one page as well
        connection.exec_driver_sql("PRAGMA incremental_vacuum(1)")
    return 0 < _ask(connection, "freelist_count") < before


def to_vacuum(connection: Connection) -> Size | None:
    """How large the SQLite database is, if the single ``VACUUM`` is due: not while there are old games in it, which
    leave far more free pages. ``None``: it is not, or has been made. Inside a transaction of the caller."""
    if connection.dialect.name != "sqlite" or _ask(connection, "auto_vacuum") == INCREMENTAL:
        return None
    if connection.execute(sa.select(old_events.c.table_id).limit(1)).first() is not None:
        return None
    return Size(_ask(connection, "page_size"), _ask(connection, "page_count"), _ask(connection, "freelist_count"))


def has_room(url: str, size: Size) -> bool:
    """Whether the disks have room for ``VACUUM`` of the SQLite database at *url*; if not, that is logged."""
    path = file_of(sa.make_url(url))
    if path is None:
        return True
    needed = COPIES * size.page * (size.pages - size.free)
    for folder in {path.resolve().parent, Path(tempfile.gettempdir())}:
        free = shutil.disk_usage(folder).free
        if free < needed:
            log.warning(
                "the database file stays as large as it is: making it smaller takes more free space",
                extra=fields(folder=folder, free_mib=free >> 20, needed_mib=needed >> 20),
            )
            return False
    return True


def vacuum(connection: sqlite3.Connection) -> None:
    """Make the file as small as it can be, and one with ``auto_vacuum=INCREMENTAL``. Outside any transaction.

    Raises:
        sqlite3.Error: another program uses it, or there is no room; it is as before.
    """
    connection.execute(f"PRAGMA auto_vacuum={INCREMENTAL}")
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _ask(connection: Connection, pragma: str) -> int:
    """The number that ``PRAGMA`` *pragma* says."""
    return int(connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() or 0)
