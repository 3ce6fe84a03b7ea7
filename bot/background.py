"""Background tasks: kept until they end, cancelled or waited for together."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any


class Background:
    """Runs coroutines as background tasks. If one fails, *log* gets the message *failed* with the traceback."""

    def __init__(self, log: logging.Logger, failed: str) -> None:
        self._log = log
        self._failed = failed
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, Any], name: str | None = None) -> None:
        """Start a task, called *name*, that runs *work*; an error in it is logged."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)

    def _on_task_done(self, task: asyncio.Task[Any]) -> None:
        """Forget *task*, which has ended, and log its error if it has failed."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._log.error(self._failed, exc_info=error)

    def cancel(self) -> None:
        """Cancel all running tasks, without waiting for them to end."""
        for task in self._tasks:
            task.cancel()

    async def wait_until_done(self) -> None:
        """Wait until all tasks have ended, including those that they spawn."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))
