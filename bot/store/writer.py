"""Writes to the database. Those that wait at the same time share a transaction, so a burst of clicks costs one commit.

While another program has locked the database, they wait together: the lock is asked for by one of them, for all.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from bot.store.database import Database, Locked, reason
from bot.tables.storage import ChannelTaken, Conflict

log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[Connection], T]

PATIENCE_SECONDS: Final = 10.0
"""How long a locked database is waited for. A click is acknowledged long before."""
PAUSE_SECONDS: Final = 0.05
"""How long others can read between two attempts to write to a locked database."""


class _Waiting(NamedTuple, Generic[T]):
    """A write that has not been committed yet."""

    work: Work[T]
    done: asyncio.Future[T]
    until: float
    """When it is given up if the database stays locked, by the event loop's clock."""


class Writer:
    """Runs writes in as few transactions as possible: one task commits all that wait, until nothing waits.

    While the database is locked, each waits for up to *patience* seconds.
    """

    def __init__(self, database: Database, patience: float = PATIENCE_SECONDS) -> None:
        self._database = database
        self._patience = patience
        self._waiting: list[_Waiting[Any]] = []
        self._task: asyncio.Task[None] | None = None
        self._trouble = ""
        """Why nothing can be written at the moment; empty: it can, as far as is known."""

    async def write(self, work: Work[T]) -> T:
        """Run *work* in the next transaction and return its result once that is committed.

        If the database is locked, or refuses what else is in that transaction, *work* is run again in another one.

        Raises:
            Conflict, ChannelTaken: from *work*, which has then written nothing.
            Locked: the database was locked all the time.
            SQLAlchemyError, OSError: the database has refused the transaction.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._waiting.append(_Waiting(work, done, loop.time() + self._patience))
        if self._task is None:
            self._task = loop.create_task(self._drain(), name="store writer")
        return await done

    async def finish(self) -> None:
        """Wait until everything is written."""
        while self._task is not None:
            await asyncio.wait((self._task,))

    async def _drain(self) -> None:
        """Commit what waits, again and again until nothing does."""
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                left = await self._commit(batch)
                self._waiting[:0] = left
                if left:
                    await asyncio.sleep(PAUSE_SECONDS)
        finally:
            self._task = None

    async def _commit(self, batch: list[_Waiting[Any]]) -> list[_Waiting[Any]]:
        """Run all of *batch* in one transaction, and give every waiting caller its result or error.

        If the database refuses the transaction, each is run alone, so that one cannot make the others fail. If it is
        locked, those that can wait longer are returned, to be tried again before all later ones.
        """

        def run(connection: Connection) -> list[tuple[Any, Exception | None]]:
            results: list[tuple[Any, Exception | None]] = []
            for waiting in batch:
                try:
                    results.append((waiting.work(connection), None))
                except (Conflict, ChannelTaken) as answer:  # nothing was written by this one
                    results.append((None, answer))
            return results

        try:
            results = await self._database.write(run)
        except Locked as locked:
            self._note("another program has locked it")
            return _patient(batch, locked)
        except Exception as error:  # noqa: BLE001 - it is handed to everybody who waits for this batch
            if len(batch) > 1 and isinstance(error, SQLAlchemyError):
                left: list[_Waiting[Any]] = []
                for waiting in batch:
                    left += [waiting] if left else await self._commit([waiting])
                return left
            if isinstance(error, DBAPIError) and not isinstance(error, IntegrityError):
                self._note(reason(error))
            results = [(None, error)] * len(batch)
        else:
            self._note("")
        for waiting, (result, failure) in zip(batch, results, strict=True):
            _answer(waiting, result, failure)
        return []

    def _note(self, trouble: str) -> None:
        """Note why nothing can be written to the database now; empty: it can. What is new is logged."""
        if trouble and trouble != self._trouble:
            log.error("nothing can be written to the database: %s", trouble)
        elif self._trouble and not trouble:
            log.info("the database can be written to again")
        self._trouble = trouble


def _patient(batch: list[_Waiting[Any]], locked: Locked) -> list[_Waiting[Any]]:
    """Those of *batch* that can wait longer; the others are refused with *locked*."""
    now = asyncio.get_running_loop().time()
    for waiting in batch:
        if waiting.until <= now:
            _answer(waiting, None, locked)
    return [waiting for waiting in batch if waiting.until > now]


def _answer(waiting: _Waiting[Any], result: Any, failure: Exception | None) -> None:
    """Give the caller that waits its *result*, or the *failure*."""
    if waiting.done.done():  # the caller was cancelled; the change stands
        return
    if failure is None:
        waiting.done.set_result(result)
    else:
        waiting.done.set_exception(failure)
