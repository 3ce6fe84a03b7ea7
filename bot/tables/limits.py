"""What one person or one server may take up, so that nobody can spoil it for others."""

from typing import Final, NamedTuple

from bot.refusals import Refusal, Why
from bot.tables.guild_settings import limit
from bot.tables.model import TableId
from bot.tables.storage import Opened

OPENED_MS: Final = 600_000
"""How long an opened table counts for the person who opened it."""
MOVED_MS: Final = 30_000
"""How long a table message that was sent anew stays where it is."""
LOOKED_MS: Final = 60_000
"""How often Discord is asked at most which people of a table are members of its server."""
SHOWN_MS: Final = 30_000
"""How long nothing more that anybody can ask for is shown to everybody in a channel."""


class Limits(NamedTuple):
    """How much is allowed; 0: any number."""

    tables_per_person: int = 3
    """Live tables that one person has opened, whoever is the host now."""
    tables_per_server: int = 50
    """Live tables in one server."""
    opened_per_person: int = 8
    """Tables that one person opens within ten minutes, rematches included."""
    new_dms: int = 10
    """New conversations that the bot opens with people within ten minutes."""


class Guard:
    """Keeps to *limits*. Times are in ms since 1970."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._moved: dict[TableId, int] = {}
        self._shown: dict[int, int] = {}
        self._looked: dict[TableId, int] = {}

    def check_open(self, opened: Opened, chosen: int = 0) -> None:
        """Check that one more table may be opened; *opened* is what is open, *chosen* how many at a time were chosen
        for the server.

        Raises:
            Refusal: a limit is reached.
        """
        limits = self._limits
        if limits.tables_per_person and opened.by_person >= limits.tables_per_person:
            raise Refusal(Why.TOO_MANY_TABLES, n=limits.tables_per_person)
        most = limit(chosen, limits.tables_per_server)
        if most and opened.in_server >= most:
            raise Refusal(Why.SERVER_FULL, n=most)
        if limits.opened_per_person and len(opened.at) >= limits.opened_per_person:
            raise Refusal(Why.TOO_OFTEN, when=_relative(opened.at[0] + OPENED_MS))

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

    def may_look(self, table: TableId, now: int) -> bool:
        """Whether Discord may be asked at *now* which people of *table* are members, which is noted: not if that was
        done a moment ago."""
        self._looked = {one: at for one, at in self._looked.items() if now - at < LOOKED_MS}
        if table in self._looked:
            return False
        self._looked[table] = now
        return True

    def may_show(self, channel: int, now: int) -> bool:
        """Whether something that anybody can ask for may be shown to everybody in *channel* at *now*, which is noted:
        not if that was done a moment ago."""
        self._shown = {one: at for one, at in self._shown.items() if now - at < SHOWN_MS}
        if channel in self._shown:
            return False
        self._shown[channel] = now
        return True


def _relative(at: int) -> str:
    """The moment *at* as Discord shows it: "in 5 minutes", rounded up to a second."""
    return f"<t:{-(-at // 1000)}:R>"
