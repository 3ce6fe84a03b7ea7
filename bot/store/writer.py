"""Writes to the database. Those that wait at the same time share a transaction, so a burst of clicks costs one
commit."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.store.database import Database
from bot.tables.storage import ChannelTaken, Conflict

T = TypeVar("T")
Work = Callable[[Connection], T]


class Writer:
    """Runs writes in as few transactions as possible: one task commits all that wait, until nothing waits."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[tuple[Work[Any], asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, work: Work[T]) -> T:
        """Run *work* in the next transaction and return its result once that is committed.

        Raises:
            Conflict, ChannelTaken: from *work*, which has then written nothing.
            SQLAlchemyError, OSError: the database has refused the transaction.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._drain(), name="store writer")
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
                await self._commit(batch)
        finally:
            self._task = None

    async def _commit(self, batch: list[tuple[Work[Any], asyncio.Future[Any]]]) -> None:
        """Run all of *batch* in one transaction, and give every waiting caller its result or error.

        If the database refuses the transaction, each is run alone, so that one cannot make the others fail.
        """

        def run(connection: Connection) -> list[tuple[Any, Exception | None]]:
            results: list[tuple[Any, Exception | None]] = []
            for work, _ in batch:
                try:
                    results.append((work(connection), None))
                except (Conflict, ChannelTaken) as answer:  # nothing was written by this one
                    results.append((None, answer))
            return results

        try:
            results = await self._database.transaction(run)
        except Exception as error:  # noqa: BLE001 - it is handed to everybody who waits for this batch
            if len(batch) > 1 and isinstance(error, SQLAlchemyError):
                for one in batch:
                    await self._commit([one])
                return
            results = [(None, error)] * len(batch)
        for (_, done), (result, failure) in zip(batch, results, strict=True):
            if done.done():  # the caller was cancelled; the change stands
                continue
            if failure is None:
                done.set_result(result)
            else:
                done.set_exception(failure)
