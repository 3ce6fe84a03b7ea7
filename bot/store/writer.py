"""Queues writes to the database. Writes that wait at the same time share a transaction.

So a burst of clicks costs one commit. A database with several *lanes* runs several transactions at the same time: the
queued writes are divided among the free lanes. Writes about the same thing never run at the same time, and keep their
order. A write that locks rows which other lanes or processes lock as well has a transaction of its own there: in a
shared one, two transactions could lock such rows in different orders, and wait for each other.

While the database is locked, or does not answer, the writes wait together. A write whose connection ended during COMMIT
is run again as well: every *work* must notice that it was committed already, as a change does by its version.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from bot.store.database import Database, Locked, Unavailable, error_reason, error_remedy, is_damage_error
from bot.store.postgresql import PostgreSQL, exception_for_database_error
from bot.store.sqlite import SQLite
from bot.tables.errors import NotWritten

# Opens the database that an address names, and says why it cannot be opened or used.


async def connect_database(url: str, *, read_only: bool = False) -> Database:
    """Open and return the SQLite or PostgreSQL database at *url* (a SQLAlchemy address); raise Unavailable (try again)
    or Refused.

    With *read_only* a SQLite file is neither created nor changed.

    Raises:
        Unavailable: it does not answer just now.
        Refused: the server does not let us in, or is too old.
        SQLAlchemyError, sqlite3.Error, OSError, ImportError: it cannot be opened.
    """
    parsed = sa.make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return await SQLite.connect(parsed, read_only=read_only)
    return await PostgreSQL.connect(parsed)


def failure_reason(error: Exception) -> str:
    """Return why a database cannot be opened or used and, if known, what to do: one line without its address."""
    return "; ".join(
        filter(None, [str(exception_for_database_error(error) or error_reason(error)), error_remedy(error)])
    )


log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[Connection], T]

LOCK_WAIT_SECONDS: Final = 10.0
"""How long a write waits for a locked database. A click is acknowledged long before."""
RETRY_PAUSE_SECONDS: Final = 0.05
"""The pause between two attempts to write to a locked database: others can read meanwhile."""


class _QueuedWrite(NamedTuple, Generic[T]):
    """A write in the queue: the function to run, the future for its result, its subject and its deadline."""

    work: Work[T]
    done: asyncio.Future[T]
    about: str
    """Its subject: a table, a person, a server; empty: everything else."""
    alone: bool
    """Whether it needs a transaction of its own, where there are several lanes."""
    until: float
    """When it fails if the database stays locked, by the event loop's clock."""


class Writer:
    """Queues writes and commits several together: one task for each lane runs until the queue is empty.

    While the database cannot be used, each write waits for up to *retry_seconds*.
    """

    def __init__(self, database: Database, retry_seconds: float = LOCK_WAIT_SECONDS) -> None:
        self._database = database
        self._retry_seconds = retry_seconds
        self._waiting: list[_QueuedWrite[Any]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._idle = database.lanes
        """How many lanes commit nothing at the moment."""
        self._busy: set[str] = set()
        """What is being written about."""
        self._trouble = ""
        """Why nothing can be written at the moment; empty: it can, as far as is known."""
        self._damaged = False
        """Whether some of it cannot be written any more."""

    async def write(self, work: Work[T], about: str = "", *, alone: bool = True) -> T:
        """Queue *work* for the next transaction, wait until that is committed, and return its result; writes with the
        same subject *about* keep their order.

        *work* may share a transaction (*alone* is false) only if it locks nothing that other processes, or writes about
        another thing, write at the same time. All writes about one thing are alone, or none is. If the database cannot
        be used, or refuses another write in that transaction, *work* is run again in another one.

        Raises:
            NotWritten: from *work*, which has then written nothing.
            Unavailable: the database could not be used all the time.
            SQLAlchemyError, OSError: the database has refused the transaction.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._waiting.append(
            _QueuedWrite(work, done, about, alone and self._database.lanes > 1, loop.time() + self._retry_seconds)
        )
        if len(self._tasks) < self._database.lanes and about not in self._busy:
            self._tasks.add(loop.create_task(self._commit_queued(), name="store writer"))
        return await done

    async def finish(self) -> None:
        """Wait until all queued writes are committed, or have failed."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    async def _commit_queued(self) -> None:
        """Commit queued writes, one batch in a transaction, until the queue is empty or all in it are about what other
        such tasks write.
        """
        try:
            while batch := self._take_next_batch():
                about = {waiting.about for waiting in batch}
                self._busy |= about
                self._idle -= 1
                try:
                    left = await self._commit_batch(batch)
                finally:
                    self._busy -= about
                    self._idle += 1
                self._waiting[:0] = left
                if left:
                    await asyncio.sleep(RETRY_PAUSE_SECONDS)
        finally:
            self._tasks.remove(_this_task())

    def _take_next_batch(self) -> list[_QueuedWrite[Any]]:
        """Remove the writes for one transaction from the queue and return them, in order; empty if none are left, or
        all are about what other tasks write now.

        It is a fair share of the queue for one lane, or one write that must be alone.
        """
        free = [it for it in self._waiting if it.about not in self._busy]
        if free and free[0].alone:
            batch = free[:1]
        else:
            things = list(dict.fromkeys(it.about for it in free if not it.alone))
            mine = set(things[: -(-len(things) // self._idle)])
            batch = [it for it in free if it.about in mine]
        taken = {id(it) for it in batch}
        self._waiting = [it for it in self._waiting if id(it) not in taken]
        return batch

    async def _commit_batch(self, batch: list[_QueuedWrite[Any]]) -> list[_QueuedWrite[Any]]:
        """Run all writes of *batch* in one transaction, and give each caller its result or error; return the writes to
        be tried again, because the database cannot be used now.

        If the database refuses the transaction, each write is run alone, so that one cannot make the others fail. If it
        cannot be used, the writes that can wait longer are returned, to be tried again before all later ones.
        """

        def run(connection: Connection) -> list[tuple[Any, Exception | None]]:
            results: list[tuple[Any, Exception | None]] = []
            for waiting in batch:
                try:
                    results.append((waiting.work(connection), None))
                except NotWritten as answer:
                    results.append((None, answer))
            return results

        try:
            results = await self._database.write(run)
        except Unavailable as error:
            if isinstance(error, Locked):  # that it does not answer, the database says itself
                self._set_and_log_unwritable_reason(str(error))
            return _fail_expired_writes(batch, error)
        except Exception as error:  # noqa: BLE001 - it is handed to everybody who waits for this batch
            if len(batch) > 1 and isinstance(error, SQLAlchemyError):
                left: list[_QueuedWrite[Any]] = []
                for waiting in batch:
                    left += [waiting] if left else await self._commit_batch([waiting])
                return left
            if is_damage_error(error):
                self._note_damage(error)
            elif isinstance(error, DBAPIError) and not isinstance(error, IntegrityError):
                self._set_and_log_unwritable_reason(failure_reason(error))
            results = [(None, error)] * len(batch)
        else:
            self._set_and_log_unwritable_reason("")
        for waiting, (result, failure) in zip(batch, results, strict=True):
            _resolve_queued_write(waiting, result, failure)
        return []

    def _note_damage(self, error: Exception) -> None:
        """Remember that the database is damaged, and log *error* the first time."""
        if not self._damaged:
            log.error("not everything can be written to the database: %s", failure_reason(error))
        self._damaged = True

    def _set_and_log_unwritable_reason(self, trouble: str) -> None:
        """Remember why nothing can be written now (empty: it can be), and log when that changes."""
        if trouble and trouble != self._trouble:
            log.error("nothing can be written to the database: %s", trouble)
        elif self._trouble and not trouble:
            log.info("the database can be written to again")
        self._trouble = trouble


def _this_task() -> "asyncio.Task[None]":
    """Return the asyncio task that runs now."""
    task = asyncio.current_task()
    assert task is not None, "only a task runs here"
    return task


def _fail_expired_writes(batch: list[_QueuedWrite[Any]], error: Unavailable) -> list[_QueuedWrite[Any]]:
    """Raise *error* for the callers whose writes in *batch* have waited too long; return the other writes."""
    now = asyncio.get_running_loop().time()
    for waiting in batch:
        if waiting.until <= now:
            _resolve_queued_write(waiting, None, error)
    return [waiting for waiting in batch if waiting.until > now]


def _resolve_queued_write(waiting: _QueuedWrite[Any], result: Any, failure: Exception | None) -> None:
    """Give *result*, or the exception *failure*, to the caller who waits for the write; do nothing if the caller was
    cancelled.
    """
    if waiting.done.done():  # the caller was cancelled; the change stands
        return
    if failure is None:
        waiting.done.set_result(result)
    else:
        waiting.done.set_exception(failure)
