"""What one person or one server may take up, so that nobody can spoil it for others."""

from collections import deque
from collections.abc import Iterable
from typing import Final, NamedTuple

from bot.refusals import Refusal, Why
from bot.tables.model import Table, TableId

OPENED_MS: Final = 600_000
"""How long an opened table counts for the person who opened it."""
MOVED_MS: Final = 30_000
"""How long a table message that was sent anew stays where it is."""


class Limits(NamedTuple):
    """How much is allowed; 0: any number."""

    tables_per_person: int = 3
    """Live tables that one person has opened, whoever is the host now."""
    tables_per_server: int = 50
    """Live tables in one server."""
    opened_per_person: int = 8
    """Tables that one person opens within ten minutes, rematches included."""


class Guard:
    """Keeps to *limits*. What happened is forgotten by a restart. Times are in ms since 1970."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._opened: dict[int, deque[int]] = {}
        self._moved: dict[TableId, int] = {}

    def check_open(self, person: int, guild: int, live: Iterable[Table], now: int) -> None:
        """Check that *person* may open one more table in *guild* at *now*; *live* are all live tables.

        Raises:
            Refusal: a limit is reached.
        """
        limits = self._limits
        opened = here = 0
        for table in live:
            opened += (table.opened_by or table.host) == person
            here += table.guild == guild
        if limits.tables_per_person and opened >= limits.tables_per_person:
            raise Refusal(Why.TOO_MANY_TABLES, n=limits.tables_per_person)
        if limits.tables_per_server and here >= limits.tables_per_server:
            raise Refusal(Why.SERVER_FULL, n=limits.tables_per_server)
        recent = self._recent(person, now)
        if limits.opened_per_person and len(recent) >= limits.opened_per_person:
            raise Refusal(Why.TOO_OFTEN, when=_relative(recent[0] + OPENED_MS))

    def opened(self, person: int, now: int) -> None:
        """Note that *person* has opened a table at *now*."""
        self._opened.setdefault(person, deque()).append(now)
        if len(self._opened) > 1000:
            self._opened = {one: times for one, times in self._opened.items() if self._recent(one, now)}

    def _recent(self, person: int, now: int) -> deque[int]:
        """When *person* opened tables within the last ten minutes, oldest first."""
        times = self._opened.get(person, deque())
        while times and times[0] <= now - OPENED_MS:
            times.popleft()
        return times

    def check_move(self, table: TableId, now: int) -> None:
        """Check that the message of *table* may be sent anew at *now*, and note that it is.

        Raises:
            Refusal: that was done a moment ago.
        """
        last = self._moved.get(table)
        if last is not None and now - last < MOVED_MS:
            raise Refusal(Why.JUST_MOVED, when=_relative(last + MOVED_MS))
        self._moved = {one: at for one, at in self._moved.items() if now - at < MOVED_MS}
        self._moved[table] = now


def _relative(at: int) -> str:
    """The moment *at* as Discord shows it: "in 5 minutes", rounded up to a second."""
    return f"<t:{-(-at // 1000)}:R>"
