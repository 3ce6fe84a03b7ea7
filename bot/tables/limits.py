"""Limits on what one person or one server may use, so that nobody can spoil it for others."""

from typing import Final, NamedTuple

from bot.tables.errors import (
    OpenTableCounts,
    Refusal,
    Why,
)
from bot.tables.model import TableId
from bot.tables.preferences import stricter_limit

OPENINGS_COUNT_MS: Final = 600_000
"""How long an opened table counts for the limit of the person who opened it."""
RESEND_PAUSE_MS: Final = 30_000
"""The least time between two sendings of a table message."""
MEMBER_CHECK_PAUSE_MS: Final = 60_000
"""The least time between two checks which people of a table are members of its server."""
POST_PAUSE_MS: Final = 30_000
"""The least time between two public answers in a channel that anybody can ask for."""


class Limits(NamedTuple):
    """The operator's limits on open tables, openings and new direct messages; 0: any number."""

    tables_per_person: int = 3
    """Live tables that one person has opened, whoever is the host now."""
    tables_per_server: int = 50
    """Live tables in one server."""
    opened_per_person: int = 8
    """Tables that one person opens within ten minutes, rematches included."""
    new_dms: int = 10
    """New conversations that the bot opens with people within ten minutes."""


class LimitGuard:
    """Checks the *limits* on new tables, and how often messages are resent, members checked, answers posted.

    Times are in ms since 1970.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._moved: dict[TableId, int] = {}
        self._shown: dict[int, int] = {}
        self._looked: dict[TableId, int] = {}

    def check_may_open_table(self, opened: OpenTableCounts, chosen: int = 0) -> None:
        """Raise Refusal if the person or the server has as many live tables as allowed, or the person opened too many
        in ten minutes.

        *opened* counts them, *chosen* is the server's own limit (0: none).
        """
        limits = self._limits
        if limits.tables_per_person and opened.by_person >= limits.tables_per_person:
            raise Refusal(Why.TOO_MANY_TABLES, n=limits.tables_per_person, places=opened.places)
        most = stricter_limit(chosen, limits.tables_per_server)
        if most and opened.in_server >= most:
            raise Refusal(Why.SERVER_FULL, n=most)
        if limits.opened_per_person and len(opened.at) >= limits.opened_per_person:
            raise Refusal(Why.TOO_OFTEN, when=_relative_timestamp(opened.at[0] + OPENINGS_COUNT_MS))

    def check_and_record_resend(self, table: TableId, now: int) -> None:
        """Raise Refusal if the table message of *table* was sent anew in the 30 s before *now* (ms); else record that
        it is sent now."""
        last = self._moved.get(table)
        if last is not None and now - last < RESEND_PAUSE_MS:
            raise Refusal(Why.JUST_MOVED, when=_relative_timestamp(last + RESEND_PAUSE_MS))
        self._moved = {one: at for one, at in self._moved.items() if now - at < RESEND_PAUSE_MS}
        self._moved[table] = now

    def try_acquire_member_check(self, table: TableId, now: int) -> bool:
        """Return True, and record a check, if nobody has checked in the minute before *now* (ms) who of *table* is
        still on the server; else False."""
        self._looked = {one: at for one, at in self._looked.items() if now - at < MEMBER_CHECK_PAUSE_MS}
        if table in self._looked:
            return False
        self._looked[table] = now
        return True

    def try_acquire_public_answer(self, channel: int, now: int) -> bool:
        """Return True, and record an answer, if no public answer was posted in *channel* in the 30 s before *now* (ms);
        else False."""
        self._shown = {one: at for one, at in self._shown.items() if now - at < POST_PAUSE_MS}
        if channel in self._shown:
            return False
        self._shown[channel] = now
        return True


def _relative_timestamp(at: int) -> str:
    """Format the time *at* (ms) as a Discord timestamp, shown as "in 5 minutes", rounded up to a second."""
    return f"<t:{-(-at // 1000)}:R>"
