"""Where transactions run.

A transaction is one function of a synchronous SQLAlchemy connection. On SQLite it runs as a whole on the thread of
aiosqlite's connection: one hop for all its statements, where SQLAlchemy's own async layer makes several for each. That
is most of what a move costs (docs/performance.md). Other databases go through SQLAlchemy's async layer.
"""

import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, TypeVar

import aiosqlite
import sqlalchemy as sa
from sqlalchemy import Connection, event
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import StaticPool

T = TypeVar("T")

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=2000")
"""A commit is on the disk when it returns; we stop waiting for a locked database before Discord's three seconds end."""


class Database(Protocol):
    """A database that runs transactions."""

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath, for event listeners."""
        ...

    async def transaction(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in a transaction and return its result once that is committed; if *work* raises, it is rolled
        back."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


async def connect(url: str) -> Database:
    """The database at *url*, a SQLAlchemy address with an async driver. SQLite's is opened, others with the first
    transaction.

    Raises:
        SQLAlchemyError, sqlite3.Error, OSError, ImportError: it cannot be opened.
    """
    parsed = sa.make_url(url)
    if parsed.drivername.startswith("sqlite"):
        return await SQLite.connect(parsed)
    return Asynchronous(create_async_engine(parsed, hide_parameters=True))


class _Worker(aiosqlite.Connection):
    """aiosqlite's connection, and the thread on which it works."""

    async def open(self) -> None:
        """Start the thread and open the file.

        Raises:
            sqlite3.Error: it cannot be opened; the thread has ended.
        """
        try:
            await self
        except sqlite3.Error:
            self._thread.join()  # it still has a callback for this loop, which may close at any moment
            raise

    async def run(self, work: Callable[[], T]) -> T:
        """Run *work* on the connection's thread and return its result."""
        done: T = await self._execute(work)  # type: ignore[no-untyped-call] # aiosqlite's is untyped
        return done


class SQLite:
    """A SQLite file: one connection, on one thread."""

    def __init__(self, worker: _Worker, engine: sa.Engine) -> None:
        self._worker = worker
        self._engine = engine
        self._connection: Connection | None = None
        """SQLAlchemy's connection, kept: its pool would reset and set it up again for every transaction."""

    @classmethod
    async def connect(cls, url: sa.URL) -> "SQLite":
        """Open the file that *url* names; it is created if need be.

        Raises:
            sqlite3.Error: it cannot be opened.
        """
        arguments, given = SQLiteDialect_pysqlite().create_connect_args(url)
        # Transactions begin and end where we say: by itself Python's sqlite3 commits around DDL, and a migration that
        # is killed would be half done. https://docs.sqlalchemy.org/en/21/dialects/sqlite.html
        options: dict[str, Any] = {**given, "isolation_level": None}
        worker = _Worker(partial(sqlite3.connect, *arguments, **options), 64)
        await worker.open()
        engine = sa.create_engine(
            "sqlite://",
            creator=lambda: worker._conn,
            poolclass=StaticPool,
            hide_parameters=True,  # an error's text goes to the log: no token, no hidden card
        )

        @event.listens_for(engine, "connect")
        def _pragmas(connection: Any, _record: Any) -> None:
            for pragma in PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN")

        return cls(worker, engine)

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath, for event listeners; only the worker's thread may use it."""
        return self._engine

    async def transaction(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in a transaction and return its result once that is committed; if *work* raises, it is rolled
        back."""

        def run() -> T:
            connection = self._connection = self._connection or self._engine.connect()
            try:
                with connection.begin():
                    return work(connection)
            except BaseException:
                self._close_connection()
                raise

        return await self._worker.run(run)

    def _close_connection(self) -> None:
        """Close SQLAlchemy's connection; the next transaction makes a new one. Runs on the worker's thread."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def close(self) -> None:
        """Close the file, and end the thread."""
        await self._worker.run(self._close_connection)
        await self._worker.close()


class Asynchronous:
    """Any database that SQLAlchemy reaches through an async driver."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath, for event listeners."""
        return self._engine.sync_engine

    async def transaction(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in a transaction and return its result once that is committed; if *work* raises, it is rolled
        back."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()
