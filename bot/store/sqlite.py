"""A SQLite file as a database: one connection, on one thread.

A transaction runs as a whole on the thread of aiosqlite's connection: one thread switch for all its statements, where
SQLAlchemy's own async layer makes several for each. That is most of what a move costs (docs/performance.md).
"""

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

import aiosqlite
import sqlalchemy as sa
from sqlalchemy import Connection, event
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool, StaticPool

from bot.store.database import Damaged, Locked
from bot.store.files import FileWatch, make_database_private, sqlite_file

log = logging.getLogger(__name__)

T = TypeVar("T")

PRAGMAS: Final = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "journal_size_limit=4194304")
"""A commit is on the disk when it returns. After a checkpoint SQLite gives back what the write-ahead log takes beyond
4 MiB, as after a long read: https://www.sqlite.org/pragma.html#pragma_journal_size_limit"""
NEW_DATABASE_PRAGMAS: Final = ("auto_vacuum=INCREMENTAL",)
"""Pragmas of a new file, so that it can give back space. They come first: the others write to the file already."""
BUSY_SECONDS: Final = 0.1
"""How long SQLite itself waits for a locked database; nothing else can be read meanwhile."""


class _Worker(aiosqlite.Connection):
    """aiosqlite's connection with its thread, on which any function can be run."""

    async def open(self) -> None:
        """Start the connection's thread and open the file, or raise sqlite3.Error once the thread has ended."""
        try:
            await self
        except sqlite3.Error:
            self._thread.join()  # it still has a callback for this loop, which may close at any moment
            raise

    async def run(self, work: Callable[[], T]) -> T:
        """Run *work* on the connection's thread, wait for it, and return its result."""
        done: T = await self._execute(work)  # type: ignore[no-untyped-call] # aiosqlite's is untyped
        return done


class SQLite:
    """A SQLite file with one connection on one thread: runs functions in transactions."""

    lanes = 1

    def __init__(self, worker: _Worker, engine: sa.Engine, watch: FileWatch | None) -> None:
        self._worker = worker
        self._engine = engine
        self._watch = watch
        self._connection: Connection | None = None
        """SQLAlchemy's connection, kept: its pool would reset and set it up again for every transaction."""
        self._begin = "BEGIN"
        event.listen(engine, "begin", lambda connection: _execute_without_sqlalchemy(connection, self._begin))

    @classmethod
    async def connect(cls, url: sa.URL, *, read_only: bool = False) -> "SQLite":
        """Open the SQLite file in *url* on a thread of its own; unless *read_only*, create it if it is missing, and
        remove the rights of others to it.

        Raises:
            sqlite3.Error, OSError: it cannot be opened.
        """
        path = sqlite_file(url)
        (name,), given = SQLiteDialect_pysqlite().create_connect_args(url)
        if path is not None and read_only:
            name, given["uri"] = f"{path.as_uri()}?mode=ro", True
        elif path is not None:
            make_database_private(path)
        new = path is None or (not read_only and path.stat().st_size == 0)
        # Transactions begin and end where we say: by itself Python's sqlite3 commits around DDL, and a migration that
        # is killed would be half done. https://docs.sqlalchemy.org/en/21/dialects/sqlite.html
        options: dict[str, Any] = {**given, "isolation_level": None, "timeout": BUSY_SECONDS}
        worker = _Worker(partial(sqlite3.connect, name, **options), 64)
        await worker.open()
        engine = sa.create_engine(
            "sqlite://",
            creator=lambda: worker._conn,
            poolclass=StaticPool,
            hide_parameters=True,  # an error's text goes to the log: no token, no hidden card
        )

        @event.listens_for(engine, "connect")
        def _set_up(connection: Any, _record: Any) -> None:
            connection.text_factory = _decode_text
            for pragma in () if read_only else (*(NEW_DATABASE_PRAGMAS if new else ()), *PRAGMAS):
                connection.execute(f"PRAGMA {pragma}")

        return cls(worker, engine, FileWatch(path) if path is not None and not read_only else None)

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath, for event listeners; only the worker's thread may use it."""
        return self._engine

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run *work*, which only reads, in a transaction on the worker's thread, and return its result.

        Raises:
            Locked: try again.
            SQLAlchemyError, OSError, Damaged: the database refuses.
        """
        return await self._worker.run(partial(self._run_transaction, "BEGIN", work))

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in a transaction on the worker's thread and return its result once it is committed; roll back if
        *work* raises. The lock for writing is taken first.

        Raises:
            Locked: try again.
            DatabaseGone: the file is not the one that was opened; the change is not safe.
            SQLAlchemyError, OSError, Damaged: the database refuses.
        """

        def run() -> T:
            self._check_files_not_replaced()
            # The lock is taken at once: a transaction that first reads cannot always wait for it afterwards.
            # https://www.sqlite.org/lang_transaction.html
            result = self._run_transaction("BEGIN IMMEDIATE", work)
            self._check_files_not_replaced()
            return result

        return await self._worker.run(run)

    def _check_files_not_replaced(self) -> None:
        """Raise DatabaseGone if the files are not those that were opened; do nothing before the first transaction. Runs
        on the worker's thread.
        """
        if self._watch is not None and self._connection is not None:
            self._watch.check_files_not_replaced()

    def _run_transaction(self, begin: str, work: Callable[[Connection], T]) -> T:
        """Run *work* in a transaction that the SQL statement *begin* starts, commit, and return its result; roll back
        if it raises, and raise Locked if another program has the lock.
        """
        self._begin = begin
        try:
            connection = self._connection = self._connection or self._engine.connect()
            with connection.begin():
                return work(connection)
        except BaseException as error:
            self._close_connection()
            if _is_lock_error(error):
                raise Locked("another program has locked the database") from error
            if isinstance(error, UnicodeDecodeError):  # what SQLite says of a damaged schema may be no text either
                raise Damaged("its schema is damaged") from None
            raise

    def _close_connection(self) -> None:
        """Close SQLAlchemy's connection, not the file; the next transaction makes a new one. Runs on the worker's
        thread.
        """
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def close(self) -> None:
        """Close the file, and end its thread."""
        await self._worker.run(self._close_connection)
        await self._worker.close()


def _execute_without_sqlalchemy(connection: Connection, statement: str) -> None:
    """Execute the SQL *statement*, which returns no rows, on SQLite's own connection, since SQLAlchemy is slower.

    What SQLAlchemy does around it takes a sixth of the time of a transaction that does nothing.

    Raises:
        DBAPIError: SQLite's error, as SQLAlchemy raises it.
    """
    plain: Any = connection.connection.dbapi_connection
    try:
        plain.execute(statement)
    except sqlite3.Error as error:
        raise sa.exc.DBAPIError.instance(statement, (), error, sqlite3.Error, hide_parameters=True) from error


def _decode_text(data: bytes) -> str:
    """Decode *data* as UTF-8; raise Damaged, which does not quote it, if it is none.

    sqlite3's own error would quote it, and it may be a snapshot.
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Damaged("the database holds bytes that are no text") from None


def _is_lock_error(error: BaseException) -> bool:
    """Whether *error* says that another connection has locked the SQLite database.
    https://www.sqlite.org/rescode.html#busy
    """
    code = getattr(error.orig, "sqlite_errorcode", None) if isinstance(error, OperationalError) else None
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def sqlite_transaction(url: sa.URL, *, writes: bool) -> Iterator[Connection]:
    """Context manager: a transaction on the SQLite file in *url* in this thread, for commands; commit at the end of the
    block, or roll back if it raises.

    If it *writes*, a missing file is created, for its owner alone.

    Raises:
        SQLAlchemyError, sqlite3.Error, OSError: it cannot be opened.
    """
    path = sqlite_file(url)
    assert path is not None, "it is a file"
    if writes:
        make_database_private(path)
    name = path.as_uri() + ("" if writes else "?mode=ro")
    engine = sa.create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(name, uri=True, isolation_level=None),
        poolclass=NullPool,
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: Any) -> None:
        connection.text_factory = _decode_text
        for pragma in NEW_DATABASE_PRAGMAS if writes else ():
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()
