"""Threads that were made for a table: some time after the game is over they are archived, unless it goes on there.

Discord archives them by itself after a day without a message, so nothing is lost if this process ends meanwhile.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Alarm, Clock
from bot.delivery.courier import Courier
from bot.delivery.faults import Busy, Fault
from bot.log import fields
from bot.tables.model import Table, TableId

log = logging.getLogger(__name__)

ARCHIVED_AFTER_MS: Final = 600_000
"""So long people can talk about the game, and open a rematch."""


class OwnThreads:
    """Archives the threads of tables that are over. *live_in* finds the live table in a channel, whichever process
    serves it."""

    def __init__(self, courier: Courier, clock: Clock, live_in: Callable[[int], Awaitable[TableId | None]]) -> None:
        self._courier = courier
        self._clock = clock
        self._live_in = live_in
        self._alarms: dict[int, Alarm] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def over(self, table: Table) -> None:
        """Have the thread of *table*, which is over, archived in a while, if it was made for it."""
        if not table.own_thread:
            return
        if (earlier := self._alarms.pop(table.channel, None)) is not None:
            earlier.cancel()
        self._ring_later(table.channel)

    def _ring_later(self, thread: int) -> None:
        """Have *thread* archived in a while."""
        self._alarms[thread] = self._clock.call_at(self._clock.now() + ARCHIVED_AFTER_MS, lambda: self._ring(thread))

    def _ring(self, thread: int) -> None:
        """Archive *thread* in a task of its own."""
        del self._alarms[thread]
        task = asyncio.get_running_loop().create_task(self._archive(thread))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _archive(self, thread: int) -> None:
        """Archive *thread*, unless a table lives there. If Discord or the store has no time for that, it is tried again
        later; if Discord refuses it, that is only logged."""
        try:
            if await self._live_in(thread) is None:
                await self._courier.archive(thread)
        except (Fault, SQLAlchemyError, OSError) as fault:
            log.info("thread not archived", extra=fields(channel=thread, fault=type(fault).__name__))
            if not isinstance(fault, Fault) or isinstance(fault, Busy):
                self._ring_later(thread)

    async def stop(self) -> None:
        """Archive nothing more, and wait for what has begun."""
        for alarm in self._alarms.values():
            alarm.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks))
