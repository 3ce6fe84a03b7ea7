"""Announcements of PostgreSQL: every process hears that a row has changed which it may keep in memory.

https://www.postgresql.org/docs/current/sql-notify.html
"""

from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

CHANNEL: Final = "diciassette"
"""The name under which all listen."""
LOCKS_CHANGED: Final = "look"
"""The kind of announcement with which somebody has changed a lock that others wait for."""
_NOTIFY: Final = sa.text(f"SELECT pg_notify('{CHANNEL}', :text)")


class Announcement(NamedTuple):
    """An announcement."""

    sender: str
    """Which process has made it."""
    kind: str
    """table, person, erased, emojis, look."""
    what: str = ""
    """The id of what has changed."""

    @property
    def text(self) -> str:
        """As it is sent."""
        return " ".join(self)

    @classmethod
    def parse(cls, text: str) -> "Announcement":
        """What was sent as *text*."""
        sender, kind, what = (*text.split(" "), "", "", "")[:3]
        return cls(sender, kind, what)


def announce(connection: Connection, change: Announcement) -> None:
    """Announce *change* when the caller's transaction is committed. On SQLite there is nobody else."""
    if connection.dialect.name == "postgresql":
        connection.execute(_NOTIFY, {"text": change.text})
