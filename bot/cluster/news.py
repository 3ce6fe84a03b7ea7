"""What every process has to know. It is written to the database, and read there by all within a second."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple

log = logging.getLogger(__name__)

OVERLAP_MS: Final = 10_000
"""How far back news are read again: they are numbered before they are committed, so an older one may come later."""
KEPT_MS: Final = 300_000
"""How long news are kept."""


class News(NamedTuple):
    """Something that has happened in one process."""

    id: int
    at: int
    """When, by the database's clock, ms."""
    sender: str
    """The process that it is from."""
    kind: str
    data: dict[str, Any]


class Hearing:
    """What the process *me* has heard: each of the others' news is told once to ``hear``, and again until that goes
    well."""

    def __init__(self, me: str, hear: Callable[[Sequence[News]], Awaitable[None]]) -> None:
        self._me = me
        self._hear = hear
        self._known: dict[int, News] = {}
        self._waiting: list[News] = []
        self._task: asyncio.Task[None] | None = None
        self.until = 0
        """All news that were there by this time, on the database's clock, are applied."""

    def note(self, news: News) -> None:
        """Note that *news* are known: this process has written them."""
        self._known[news.id] = news

    def look(self, news: Sequence[News], at: int) -> None:
        """Have what is new among *news*, all those of the last seconds as they were there *at* that time, applied."""
        fresh = sorted(it for it in news if it.id not in self._known)
        self._known.update((it.id, it) for it in fresh)
        self._known = {number: it for number, it in self._known.items() if it.at >= at - 2 * OVERLAP_MS}
        self._waiting += [it for it in fresh if it.sender != self._me]
        if self._task is not None and not self._task.done():
            return
        if self._waiting:
            self._task = asyncio.get_running_loop().create_task(self._apply(at))
        else:
            self.until = max(self.until, at)

    async def _apply(self, at: int) -> None:
        """Have those news applied that wait; they are all that were there *at* that time."""
        news, self._waiting = self._waiting, []
        try:
            await self._hear(news)
        except Exception:  # the boundary of this task: the next look tries again
            log.exception("news not applied")
            self._waiting[:0] = news
        else:
            self.until = max(self.until, at)

    async def again(self) -> None:
        """Have the news of the last seconds applied once more, the process's own included: the tables that it has just
        loaded may have been on their way when they came."""
        if self._known:
            await self._hear([self._known[number] for number in sorted(self._known)])

    async def finish(self) -> None:
        """Wait until what is being applied is applied."""
        if self._task is not None:
            await asyncio.wait({self._task})
