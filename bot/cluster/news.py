"""What every process has to know. It is written to the database, and read there by all within a second."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from bot.log import fields

log = logging.getLogger(__name__)

OVERLAP_MS: Final = 10_000
"""How far back news are read again: they are numbered before they are committed, so an older one may come later."""
KEPT_MS: Final = 300_000
"""How long news are kept."""
TRIES: Final = 5
"""How often this process tries to apply news that it cannot."""


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
        self._failures = Counter[tuple[int, str]]()
        """How often news could not be applied though the database answers, by id and sender: that somebody has died has
        no id."""
        self._waiting: list[News] = []
        self._task: asyncio.Task[None] | None = None
        self.until = 0
        """All news that were there by this time, on the database's clock, are applied."""

    def note(self, news: News) -> None:
        """Note that *news* are known: this process has written them."""
        self._known[news.id] = news

    def look(self, news: Sequence[News], at: int, died: Collection[str] = ()) -> None:
        """Have what is new among *news*, all those of the last seconds as they were there *at* that time, applied, and
        that processes have *died* since the last look, who may have stored what they told nobody."""
        self._waiting += [News(0, at, process, "died", {}) for process in died]
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
        """Have those news applied that wait; they are all that were there *at* that time. What fails is tried again at
        the next look: while the database does not answer as often as it takes, else ``TRIES`` times, so that nothing
        holds up all that comes later."""
        news, self._waiting = self._waiting, []
        again = []
        for it in news:
            try:
                await self._hear([it])
            except (SQLAlchemyError, OSError):
                log.exception("news not applied", extra=fields(kind=it.kind))
                again.append(it)
            except Exception:  # the boundary of one piece of news: it must not hold up the others
                self._failures[it.id, it.sender] += 1
                tries = self._failures[it.id, it.sender]
                log.exception("news not applied", extra=fields(kind=it.kind, tries=tries))
                if tries < TRIES:
                    again.append(it)
                else:
                    del self._failures[it.id, it.sender]
            else:
                self._failures.pop((it.id, it.sender), None)
        self._waiting[:0] = again
        if not again:
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
