"""Announcements of PostgreSQL: they tell every process that a row has changed which it may keep in memory.

https://www.postgresql.org/docs/current/sql-notify.html
"""

from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

CHANNEL: Final = "diciassette"
"""The PostgreSQL channel on which all processes listen."""
LOCKS_CHANGED: Final = "look"
"""The kind of announcement that tells others to read the locks at once, since one of them has changed."""
_NOTIFY: Final = sa.text(f"SELECT pg_notify('{CHANNEL}', :text)")


class Announcement(NamedTuple):
    """A message to all processes that something has changed."""

    sender: str
    """The process that has sent it."""
    kind: str
    """table, person, erased, emojis, look."""
    what: str = ""
    """The id of what has changed."""

    @property
    def text(self) -> str:
        """The text to send: the three words."""
        return " ".join(self)

    @classmethod
    def parse(cls, text: str) -> "Announcement":
        """Read an announcement from its *text*."""
        sender, kind, what = (*text.split(" "), "", "", "")[:3]
        return cls(sender, kind, what)


def announce(connection: Connection, change: Announcement) -> None:
    """Send *change* to all processes when the caller's transaction is committed; on SQLite nothing is sent."""
    if connection.dialect.name == "postgresql":
        connection.execute(_NOTIFY, {"text": change.text})
