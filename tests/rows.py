"""Rows of a database of either kind, read and written past the store: what another program, or damage, does to it.

A database is named by its address, or a SQLite file by its path.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy as sa

from bot.store.files import sqlite_file
from bot.store.schema import metadata
from tests import postgres

Where = Path | str

SQLITE: Final = pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
"""A test of what only SQLite has: files, locks, values of any type in any column."""
POSTGRESQL: Final = pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
"""A test of what only PostgreSQL has: a server, which may be gone."""


def query(where: Where, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """The rows of *statement*, which is committed; a question mark stands for each of *values*."""
    path = where if isinstance(where, Path) else sqlite_file(sa.make_url(where))
    if path is not None:
        with closing(sqlite3.connect(path)) as database, database:
            return list(database.execute(statement, values))
    first, *others = statement.split("?")
    numbered = "".join(f"${number}{part}" for number, part in enumerate(others, 1))
    return postgres.query(str(where), first + numbered, *values)


def execute(where: Where, *statements: str) -> None:
    """Run *statements*, each committed by itself."""
    for statement in statements:
        query(where, statement)


def count(where: Where, what: str) -> int:
    """How many rows there are of *what*: a table, and what else may follow it in SQL."""
    return int(query(where, f"SELECT count(*) FROM {what}")[0][0])


def copy_rows(where: Where, table: str, column: str, old: str, new: Sequence[str]) -> None:
    """Copy the rows of *table* with *old* in its *column* for each of *new*, which are words."""
    others = ", ".join(it.name for it in metadata.tables[table].columns if it.name != column)
    ids = ", ".join(f"('{it}')" for it in new)
    query(
        where,
        f"WITH ids (id_) AS (VALUES {ids}) INSERT INTO {table} ({column}, {others}) "
        f"SELECT ids.id_, {', '.join(f'it.{name.strip()}' for name in others.split(','))} "
        f"FROM {table} AS it, ids WHERE it.{column} = '{old}'",
    )
