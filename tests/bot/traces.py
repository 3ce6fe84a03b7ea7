"""Where something stands in a database: in any column of any table, also where it is compressed."""

import re
import sqlite3
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.store.backup import backup_database
from bot.store.tables import snapshot_decompressor


def traces(where: Path | str, *needles: int | str) -> list[str]:
    """ "table.column" of every place in the database at *where*, a path or an address, where one of *needles* stands:
    as a number, or in a text."""
    if isinstance(where, str):
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
            copy = Path(folder) / "copy.sqlite3"
            thread.submit(backup_database, where, copy).result()
            return traces(copy, *needles)
    path = where
    found = set()
    with closing(sqlite3.connect(path)) as database:
        database.text_factory = bytes
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            rows = database.execute(f'SELECT * FROM "{table.decode()}"')
            names = [column[0] for column in rows.description]
            for row in rows:
                found |= {
                    f"{table.decode()}.{name}"
                    for name, value in zip(names, row, strict=True)
                    if any(_holds(value, needle) for needle in needles)
                }
    return sorted(found)


def columns(path: Path) -> set[str]:
    """ "table.column" of everything that there is in the database at *path*."""
    with closing(sqlite3.connect(path)) as database:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {f"{table}.{row[1]}" for table in tables for row in database.execute(f"PRAGMA table_info('{table}')")}


def _holds(value: Any, needle: int | str) -> bool:
    """Whether *needle* is *value*, or stands in it."""
    text = _text(value)
    if isinstance(needle, int):
        return re.search(rf"(?<!\w){needle}(?!\w)", text) is not None  # not among the digits of some hash
    return needle in text or needle.encode("unicode_escape").decode() in text


def _text(value: Any) -> str:
    """*value* as text, unpacked."""
    if not isinstance(value, bytes):
        return str(value)
    try:
        value = snapshot_decompressor().decompress(value)
    except zlib.error:
        try:
            value = zlib.decompress(value, wbits=-15)
        except zlib.error:
            pass
    return value.decode(errors="replace")
