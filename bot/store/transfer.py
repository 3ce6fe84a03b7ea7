"""Copies all rows of one database into another, while no bot runs on them: ``python -m bot move FROM TO``.

Either may be SQLite or PostgreSQL. It is one transaction on the target: if it is interrupted, nothing is there.
"""

import hashlib
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from bot.store import migrations
from bot.store.database import DRIVER, Damaged, Refused, Unavailable, with_asyncpg_driver
from bot.store.files import COMPANIONS, LOCK_SUFFIX, AlreadyRunning, hold_process_lock, sqlite_file
from bot.store.migrations import OtherVersion
from bot.store.postgresql import count_processes, engine_without_timeouts, exception_for_database_error
from bot.store.schema import interactions, metadata
from bot.store.sqlite import sqlite_transaction
from bot.store.writer import failure_reason
from bot.version import COMMAND

# All rows of one database into another, empty one, in one transaction on either side; then both sides are compared.
#
# Which interactions were processed is left out: it matters only for minutes. SQLite takes a value of any type in any
# column, PostgreSQL does not, nor text with a NUL in it: if it refuses a row, that is said, and nothing is copied.


T = TypeVar("T")

NOT_COPIED: Final = frozenset({interactions})
COPIED: Final = tuple(table for table in metadata.sorted_tables if table not in NOT_COPIED)
"""The tables to copy; each comes after those that it refers to."""
ROWS_A_SLICE: Final = 500
_DIGEST_MODULUS: Final = 1 << 256


class NotCopied(Exception):
    """The rows cannot be copied; the text is one line that says why. Nothing was written."""


class TableChecksum(NamedTuple):
    """The number of rows of an SQL table, and a hash of them that does not depend on their order."""

    rows: int
    digest: int

    def with_rows(self, rows: Sequence[sa.Row[Any]]) -> "TableChecksum":
        """Return a new checksum of the rows so far and of *rows*: their number and their hash."""
        digest = self.digest
        for row in rows:
            parts = "\0".join(f"{type(value).__name__} {value!r}" for value in row)
            digest += int.from_bytes(hashlib.sha256(parts.encode("utf-8", "surrogatepass")).digest(), "big")
        return TableChecksum(self.rows + len(rows), digest % _DIGEST_MODULUS)


class TransferSide(NamedTuple):
    """A transaction on one of the two databases; ``do`` runs a function of its connection."""

    do: Callable[[Callable[[Connection], Any]], Awaitable[Any]]


@asynccontextmanager
async def open_transfer_transaction(url: sa.URL, *, writes: bool) -> AsyncIterator[TransferSide]:
    """Context manager: a transaction on the database at *url*, SQLite or PostgreSQL; commit at the end of the block,
    roll back if it raises.

    Without *writes* it sees the database as it is at one moment.

    Raises:
        Unavailable, Refused of ``database``, SQLAlchemyError, OSError: the database cannot be used.
    """
    if sqlite_file(url) is not None:
        with sqlite_transaction(url, writes=writes) as connection:

            async def do(work: Callable[[Connection], T]) -> T:
                return work(connection)

            yield TransferSide(do)
        return
    engine = engine_without_timeouts(url)
    try:
        if not writes:
            engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        async with engine.begin() as there:
            yield TransferSide(there.run_sync)
    except Exception as error:
        raise exception_for_database_error(error) or error from error
    finally:
        await engine.dispose()


async def copy_rows(
    source: TransferSide, target: TransferSide, say: Callable[[str], object] = lambda line: None
) -> dict[str, TableChecksum]:
    """Copy all rows of all SQL tables from *source* to the empty *target*, compare both sides, and return the checksums
    by SQL table; raise NotCopied.

    *say* is called with a line about every SQL table.

    Raises:
        NotCopied: a row cannot be stored there, or both sides differ at the end.
    """
    there: dict[str, TableChecksum] = {}
    for table in COPIED:
        found = TableChecksum(0, 0)
        async for rows in read_row_slices(source, table):
            found = found.with_rows(rows)
            await target.do(partial(_insert_rows, table=table, rows=rows))
        there[table.name] = found
    for table in COPIED:
        again = TableChecksum(0, 0)
        async for rows in read_row_slices(target, table):
            again = again.with_rows(rows)
        if again != there[table.name]:
            raise NotCopied(f"the rows of {table.name} are not the same on both sides")
        say(f"{table.name}: {again.rows} rows, {again.digest:064x}"[: len(table.name) + 40])
    return there


async def read_row_slices(side: TransferSide, table: sa.Table) -> AsyncIterator[Sequence[sa.Row[Any]]]:
    """Yield all rows of the SQL *table*, up to 500 at a time, in the order of its primary key; NotCopied if rows are
    damaged (other errors of the database pass).

    Raises:
        NotCopied: some cannot be read.
    """
    keys = tuple(table.primary_key.columns)
    places = [list(table.columns).index(key) for key in keys]
    query = sa.select(table).order_by(*keys).limit(ROWS_A_SLICE)
    last: tuple[Any, ...] | None = None
    while True:
        this = query if last is None else query.where(sa.tuple_(*keys) > sa.tuple_(*map(_bound_parameter, keys, last)))
        try:
            rows: Sequence[sa.Row[Any]] = await side.do(partial(_fetch_rows, this))
        except Damaged:
            raise NotCopied(f"rows of {table.name} cannot be read; see {COMMAND} doctor") from None
        if not rows:
            return
        yield rows
        last = tuple(rows[-1][place] for place in places)


def _fetch_rows(query: sa.Select[Any], connection: Connection) -> Sequence[sa.Row[Any]]:
    """Run *query* and return all its rows."""
    return connection.execute(query).all()


def _bound_parameter(column: sa.Column[Any], value: Any) -> Any:
    """Return *value* as a bound parameter of an SQL statement, with the type of *column*."""
    return sa.literal(value, column.type)


def _insert_rows(connection: Connection, *, table: sa.Table, rows: Sequence[sa.Row[Any]]) -> None:
    """Insert *rows* into the SQL *table*, or raise NotCopied if this database cannot store one of them."""
    try:
        connection.execute(table.insert(), [dict(row._mapping) for row in rows])
    except Unavailable:
        raise
    except (DBAPIError, ValueError, TypeError, OverflowError) as error:
        if isinstance(error, DBAPIError) and isinstance(exception_for_database_error(error), Unavailable):
            raise
        raise NotCopied(
            f"a row of {table.name} holds a value that this database cannot store; see {COMMAND} doctor"
        ) from error


def prepare_empty_database(connection: Connection) -> None:
    """Create the newest schema in the database, or raise NotCopied if one of its tables holds a row already.

    Raises:
        NotCopied: there is a row in it already.
        OtherVersion, Damaged: its schema is another program's.
    """
    there = set(sa.inspect(connection).get_table_names())
    for table in COPIED:
        if table.name in there and connection.execute(sa.select(sa.text("1")).select_from(table).limit(1)).first():
            raise NotCopied(f"there is something in its table {table.name} already; give an empty database")
    migrations.upgrade_schema(connection)


_DRIVERS: Final = ("sqlite+aiosqlite", DRIVER)


class CannotMove(Exception):
    """Nothing was moved; the text is one line that says why, without a password."""


def parse_database_url(text: str) -> sa.URL:
    """Return *text*, the path of a SQLite file or a database address, as SQLAlchemy's URL with our driver; raise
    CannotMove if it is neither.
    """
    if "://" not in text:
        return sa.URL.create("sqlite+aiosqlite", database=text)
    try:
        url = with_asyncpg_driver(sa.make_url(text))
    except (ArgumentError, ValueError):
        raise CannotMove("this is no database address") from None
    if url.drivername not in _DRIVERS or (url.drivername != DRIVER and sqlite_file(url) is None):
        raise CannotMove(f"{url.drivername}: give the path of a SQLite file, or an address with postgresql://")
    return url


async def move_database(source: sa.URL, target: sa.URL, say: Callable[[str], object]) -> None:
    """Copy all rows from the database *source* to the empty *target* and compare both; raise CannotMove if that fails
    or a bot runs on one of them.

    The source stays as it is. *say* gets a line about each SQL table.

    Raises:
        CannotMove: nothing was moved; the target is as it was.
    """
    if source == target or _is_same_file(source, target):
        raise CannotMove("these are the same database; name the new one in STORE_URL, or behind the old one")
    try:
        with ExitStack() as held:
            for url in (source, target):
                if (file := sqlite_file(url)) is not None and (url is target or file.exists()):
                    held.enter_context(hold_process_lock(file))
            with _delete_if_unfinished(sqlite_file(target)):
                async with (
                    _source_or_migrated_copy(source) as readable,
                    open_transfer_transaction(readable, writes=False) as from_there,
                    open_transfer_transaction(target, writes=True) as to_here,
                ):
                    await _check_no_bot_runs(from_there, source)
                    await to_here.do(prepare_empty_database)
                    await _check_no_bot_runs(to_here, target)
                    await copy_rows(from_there, to_here, say)
    except BaseException as error:
        if (why := _failure_text(error)) is not None:
            raise CannotMove(why) from error
        raise


def _is_same_file(source: sa.URL, target: sa.URL) -> bool:
    """Whether both addresses name the same SQLite file."""
    paths = [path.resolve() for url in (source, target) if (path := sqlite_file(url)) is not None]
    return len(paths) == 2 and paths[0] == paths[1]


@contextmanager
def _delete_if_unfinished(path: Path | None) -> Iterator[None]:
    """Context manager: if the block raises, delete the SQLite file at *path* that the block has created.

    A file that was there before is not touched.
    """
    new = path is not None and not path.exists()
    try:
        yield
    except BaseException:
        if path is not None and new:
            for name in (path.name, *(path.name + end for end in (*COMPANIONS, LOCK_SUFFIX))):
                path.with_name(name).unlink(missing_ok=True)
        raise


def _failure_text(error: BaseException) -> str | None:
    """Return the line for people that says why moving the database failed with *error*; ``None`` if *error* is a
    bug.
    """
    if isinstance(error, AlreadyRunning):
        return f"{error} runs on it; stop it first"
    if isinstance(error, (CannotMove, OtherVersion)):
        return str(error)
    known = (NotCopied, Refused, Damaged, SQLAlchemyError, sqlite3.Error, OSError, ImportError, CommandError)
    return failure_reason(error) if isinstance(error, known) else None


@asynccontextmanager
async def _source_or_migrated_copy(source: sa.URL) -> AsyncIterator[sa.URL]:
    """Context manager: yield the address of a database with the rows of *source* in the newest schema, or raise
    CannotMove.

    It is *source* itself, or a migrated temporary copy if that is an older SQLite file.

    Raises:
        CannotMove: it is not there, or is of another version.
    """
    path = sqlite_file(source)
    if path is None:
        async with open_transfer_transaction(source, writes=False) as there:
            why = await there.do(migrations.why_unreadable)
        if why:
            raise CannotMove(f"what is to be moved cannot be read: {why}")
        yield source
        return
    if not path.is_file():
        raise CannotMove(f"there is no database at {path}")
    with sqlite_transaction(source, writes=False) as connection:
        schema, newest = migrations.schema_versions(connection)
    if not schema:
        raise CannotMove(f"{path} is no database of this program")
    if schema == newest:
        yield source
        return
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "newest.sqlite3"
        with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(copied)) as new:
            old.backup(new)
        url = sa.URL.create("sqlite+aiosqlite", database=str(copied))
        with sqlite_transaction(url, writes=True) as connection:
            migrations.upgrade_schema(connection)
        yield url


async def _check_no_bot_runs(side: TransferSide, url: sa.URL) -> None:
    """Raise CannotMove if a bot process uses the PostgreSQL database at *url*; nothing for SQLite.

    On the target, none can join until the transaction ends.
    """
    if sqlite_file(url) is None and (count := await side.do(_limit_lock_wait_and_count_bots)):
        raise CannotMove(f"{count} of the bot's processes run on {url.host or 'it'}; stop them first")


def _limit_lock_wait_and_count_bots(connection: Connection) -> int:
    """Count the bot processes on the PostgreSQL database; statements of this transaction wait for a lock for 10 s at
    most from now on.
    """
    connection.execute(sa.text("SET LOCAL lock_timeout = '10s'"))
    return count_processes(connection)
