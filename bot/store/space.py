"""The size of a SQLite database's file: what is deleted is given back to the disk.

The file must be one with ``auto_vacuum=INCREMENTAL``, as new ones are.
https://www.sqlite.org/pragma.html#pragma_auto_vacuum
"""

from typing import Final

from sqlalchemy import Connection

INCREMENTAL: Final = 2
"""What ``PRAGMA auto_vacuum`` says. https://www.sqlite.org/pragma.html#pragma_auto_vacuum"""
PAGES_A_STEP: Final = 64
"""So many are given back at once: a quarter of a MiB, some milliseconds."""


def give_back(connection: Connection) -> bool:
    """Give a few free pages back to the disk; return whether there may be more. Inside a transaction of the caller."""
    if connection.dialect.name != "sqlite" or _ask(connection, "auto_vacuum") != INCREMENTAL:
        return False
    before = _ask(connection, "freelist_count")
    for _ in range(min(PAGES_A_STEP, before)):  # with a larger number Python's sqlite3 gives back one page as well
        connection.exec_driver_sql("PRAGMA incremental_vacuum(1)")
    return 0 < _ask(connection, "freelist_count") < before


def _ask(connection: Connection, pragma: str) -> int:
    """The number that ``PRAGMA`` *pragma* says."""
    return int(connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() or 0)
