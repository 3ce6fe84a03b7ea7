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
"""A commit is on the disk when it returns; a locked database is given up before Discord's three seconds are over."""


class Database(Protocol):
    """Runs transactions."""

    @property
    def sync_engine(self) -> sa.Engine:
        """The engine underneath, for listeners."""
        ...

    async def transaction(self, work: Callable[[Connection], T]) -> T:
        """The result of *work*, once it is committed; rolled back when it raises."""
        ...

    async def close(self) -> None:
        """Let go of the database."""
        ...


async def connect(url: str) -> Database:
    """The database at *url*, a SQLAlchemy address with an async driver.

    Raises:
        SQLAlchemyError, sqlite3.Error, OSError, ImportError: it cannot be reached.
    """
    parsed = sa.make_url(url)
    if parsed.drivername.startswith("sqlite"):
        return await SQLite.connect(parsed)
    return Asynchronous(create_async_engine(parsed, hide_parameters=True))


class _Worker(aiosqlite.Connection):
    """aiosqlite's connection with its thread."""

    async def open(self) -> None:
        """Start the thread and open the file.

        Raises:
            sqlite3.Error: it cannot be opened; the thread has ended.
        """
        try:
            await self
        except sqlite3.Error:
            self._thread.join()  # it still has something to say to this loop, which may end any moment now
            raise

    async def run(self, work: Callable[[], T]) -> T:
        """The result of *work*, run on the connection's thread."""
        done: T = await self._execute(work)  # type: ignore[no-untyped-call] # aiosqlite's is untyped
        return done


class SQLite:
    """One connection, one thread."""

    def __init__(self, worker: _Worker, engine: sa.Engine) -> None:
        self._worker = worker
        self._engine = engine
        self._connection: Connection | None = None
        """The one there is, kept: SQLAlchemy's pool would take it apart and together for every transaction."""

    @classmethod
    async def connect(cls, url: sa.URL) -> "SQLite":
        """The file that *url* names."""
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
        """The engine underneath; only the worker's thread may use it."""
        return self._engine

    async def transaction(self, work: Callable[[Connection], T]) -> T:
        """The result of *work*, once it is committed; rolled back when it raises."""

        def run() -> T:
            connection = self._connection = self._connection or self._engine.connect()
            try:
                with connection.begin():
                    return work(connection)
            except BaseException:
                self._let_go()
                raise

        return await self._worker.run(run)

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def close(self) -> None:
        """Close the file, end the thread."""
        await self._worker.run(self._let_go)
        await self._worker.close()


class Asynchronous:
    """Any database that SQLAlchemy reaches through an async driver."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @property
    def sync_engine(self) -> sa.Engine:
        """The engine underneath."""
        return self._engine.sync_engine

    async def transaction(self, work: Callable[[Connection], T]) -> T:
        """The result of *work*, once it is committed; rolled back when it raises."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        """Give the connections back."""
        await self._engine.dispose()
