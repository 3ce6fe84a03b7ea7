"""A database whose transactions are measured."""

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.store.database import Database, Unavailable
from bot.tables.storage import NotWritten
from bot.watching.metrics import Metrics

T = TypeVar("T")


class Timed:
    """Does what *database* does, and tells *metrics* how long each transaction took, and which failed."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._metrics = metrics

    @property
    def lanes(self) -> int:
        """As ``Database.lanes`` says."""
        return self._database.lanes

    @property
    def sync_engine(self) -> sa.Engine:
        """As ``Database.sync_engine`` says."""
        return self._database.sync_engine

    async def read(self, work: Callable[[Connection], T]) -> T:
        """As ``Database.read`` says."""
        return await self._measured("read", self._database.read(work))

    async def write(self, work: Callable[[Connection], T]) -> T:
        """As ``Database.write`` says."""
        return await self._measured("write", self._database.write(work))

    async def _measured(self, kind: str, transaction: Awaitable[T]) -> T:
        """The result of *transaction*, which is of this *kind*."""
        began = time.perf_counter()
        try:
            result = await transaction
        except NotWritten:  # answers, not failures
            raise
        except Unavailable:
            self._metrics.transaction_failed(kind, "locked")
            raise
        except Exception:
            self._metrics.transaction_failed(kind, "refused")
            raise
        self._metrics.transaction(kind, time.perf_counter() - began)
        return result

    async def close(self) -> None:
        """As ``Database.close`` says."""
        await self._database.close()
