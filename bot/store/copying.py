"""All rows of one database into another, empty one, in one transaction on either side; then both sides are compared.

Which interactions have counted is left out: it matters only for minutes. SQLite takes a value of any type in
any column, PostgreSQL does not, nor text with a NUL in it: if it refuses a row, that is said, and nothing is copied.
"""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from bot.store import migrations
from bot.store.database import Damaged, Unavailable
from bot.store.files import file_of
from bot.store.postgresql import unlimited
from bot.store.schema import interactions, metadata
from bot.store.server_errors import known_as
from bot.store.sqlite import plain
from bot.version import COMMAND

T = TypeVar("T")

LEFT_OUT: Final = frozenset({interactions})
COPIED: Final = tuple(table for table in metadata.sorted_tables if table not in LEFT_OUT)
"""Tables with what they refer to before them."""
ROWS_A_SLICE: Final = 500
_SUM: Final = 1 << 256


class NotCopied(Exception):
    """The rows cannot be copied; the text is one line that says why. Nothing was written."""


class Sum(NamedTuple):
    """What a table holds: how many rows, and a hash of them in which their order does not count."""

    rows: int
    digest: int

    def plus(self, rows: Sequence[sa.Row[Any]]) -> "Sum":
        """The same with *rows* added."""
        digest = self.digest
        for row in rows:
            parts = "\0".join(f"{type(value).__name__} {value!r}" for value in row)
            digest += int.from_bytes(hashlib.sha256(parts.encode("utf-8", "surrogatepass")).digest(), "big")
        return Sum(self.rows + len(rows), digest % _SUM)


class Side(NamedTuple):
    """A transaction on a database, in which functions of its connection run."""

    do: Callable[[Callable[[Connection], Any]], Awaitable[Any]]


@asynccontextmanager
async def side(url: sa.URL, *, writes: bool) -> AsyncIterator[Side]:
    """A transaction on the database at *url*, which is committed at the end of the block, or rolled back if that
    raises. If it does not write, it sees the database as it is at one moment.

    Raises:
        Unavailable, Refused of ``database``, SQLAlchemyError, OSError: the database cannot be used.
    """
    if file_of(url) is not None:
        with plain(url, writes=writes) as connection:

            async def do(work: Callable[[Connection], T]) -> T:
                return work(connection)

            yield Side(do)
        return
    engine = unlimited(url)
    try:
        if not writes:
            engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        async with engine.begin() as there:
            yield Side(there.run_sync)
    except Exception as error:
        raise known_as(error) or error from error
    finally:
        await engine.dispose()


async def copy(source: Side, target: Side, say: Callable[[str], object] = lambda line: None) -> dict[str, Sum]:
    """Copy all rows from *source* to *target*, whose tables are empty, and compare both; return what each table holds.
    *say* is told of every table.

    Raises:
        NotCopied: a row cannot be stored there, or both sides differ at the end.
    """
    there: dict[str, Sum] = {}
    for table in COPIED:
        found = Sum(0, 0)
        async for rows in slices(source, table):
            found = found.plus(rows)
            await target.do(partial(_insert, table=table, rows=rows))
        there[table.name] = found
    for table in COPIED:
        again = Sum(0, 0)
        async for rows in slices(target, table):
            again = again.plus(rows)
        if again != there[table.name]:
            raise NotCopied(f"the rows of {table.name} are not the same on both sides")
        say(f"{table.name}: {again.rows} rows, {again.digest:064x}"[: len(table.name) + 40])
    return there


async def slices(side: Side, table: sa.Table) -> AsyncIterator[Sequence[sa.Row[Any]]]:
    """All rows of *table* in the order of its primary key, some at a time.

    Raises:
        NotCopied: some cannot be read.
    """
    keys = tuple(table.primary_key.columns)
    places = [list(table.columns).index(key) for key in keys]
    query = sa.select(table).order_by(*keys).limit(ROWS_A_SLICE)
    last: tuple[Any, ...] | None = None
    while True:
        this = query if last is None else query.where(sa.tuple_(*keys) > sa.tuple_(*map(_literal, keys, last)))
        try:
            rows: Sequence[sa.Row[Any]] = await side.do(partial(_all, this))
        except Damaged:
            raise NotCopied(f"rows of {table.name} cannot be read; see {COMMAND} doctor") from None
        if not rows:
            return
        yield rows
        last = tuple(rows[-1][place] for place in places)


def _all(query: sa.Select[Any], connection: Connection) -> Sequence[sa.Row[Any]]:
    return connection.execute(query).all()


def _literal(column: sa.Column[Any], value: Any) -> Any:
    return sa.literal(value, column.type)


def _insert(connection: Connection, *, table: sa.Table, rows: Sequence[sa.Row[Any]]) -> None:
    """Add *rows* to *table*; raises NotCopied if the database does not take them."""
    try:
        connection.execute(table.insert(), [dict(row._mapping) for row in rows])
    except Unavailable:
        raise
    except (DBAPIError, ValueError, TypeError, OverflowError) as error:
        if isinstance(error, DBAPIError) and isinstance(known_as(error), Unavailable):
            raise
        raise NotCopied(
            f"a row of {table.name} holds a value that this database cannot store; see {COMMAND} doctor"
        ) from error


def prepare(connection: Connection) -> None:
    """Give an empty database the newest schema.

    Raises:
        NotCopied: there is a row in it already.
        OtherVersion, Damaged: its schema is another program's.
    """
    there = set(sa.inspect(connection).get_table_names())
    for table in COPIED:
        if table.name in there and connection.execute(sa.select(sa.text("1")).select_from(table).limit(1)).first():
            raise NotCopied(f"there is something in its table {table.name} already; give an empty database")
    migrations.upgrade(connection)
