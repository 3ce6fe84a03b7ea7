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
    """A message to all bot processes that something has changed: who says it, which kind of thing, and its id."""

    sender: str
    """The process that has sent it."""
    kind: str
    """table, person, erased, emojis, look."""
    what: str = ""
    """The id of what has changed."""

    @property
    def text(self) -> str:
        """The text to send with NOTIFY: sender, kind and id, with spaces between them."""
        return " ".join(self)

    @classmethod
    def parse(cls, text: str) -> "Announcement":
        """Make an announcement of *text*, three words with spaces between them; missing words are empty, further ones
        are ignored.
        """
        sender, kind, what = (*text.split(" "), "", "", "")[:3]
        return cls(sender, kind, what)


def announce_change(connection: Connection, change: Announcement) -> None:
    """Send *change* with PostgreSQL's NOTIFY to all bot processes once the transaction of *connection* is committed; do
    nothing on SQLite.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(_NOTIFY, {"text": change.text})
