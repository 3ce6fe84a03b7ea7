"""Locks of PostgreSQL that one transaction at a time has, until it ends, whatever process it is of; and which processes
there are.

On SQLite only one transaction writes anyway, and one process runs.
"""

from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

UPGRADING: Final = 0x17_0001
"""Held by whoever brings the schema up to date."""
_HOLD: Final = sa.text("SELECT pg_advisory_xact_lock(:lock)")


def hold(connection: Connection, locks: Iterable[int]) -> None:
    """Wait until no other transaction has one of *locks*, and have them until this one ends.

    A lock is one of the above, or the id of a person or server (which are larger) of which something is counted.
    """
    if connection.dialect.name == "postgresql":
        for lock in sorted(locks):  # always in the same order, so that no two wait for each other
            connection.execute(_HOLD, {"lock": lock})


_SESSIONS: Final = sa.text(
    "SELECT a.application_name, l.objid::bigint FROM pg_stat_activity a LEFT JOIN pg_locks l ON l.pid = a.pid"
    " AND l.locktype = 'advisory' AND l.classid = :kind AND l.objsubid = 2 AND l.granted"
    " WHERE a.datname = current_database() AND a.application_name LIKE 'diciassette:%' ORDER BY 1, 2"
)
SHARD: Final = 1701
"""The kind of lock by which a process holds a shard (``bot.cluster.session.Kind``)."""


def holders(connection: Connection) -> dict[str, list[int]]:
    """The processes of the bot that use the PostgreSQL database, as their sessions are called, each with the shards
    that it holds; none on SQLite."""
    found: dict[str, list[int]] = {}
    for name, shard in (
        connection.execute(_SESSIONS, {"kind": SHARD}) if connection.dialect.name == "postgresql" else ()
    ):
        found.setdefault(name, []).extend([] if shard is None else [shard])
    return found


def living(connection: Connection) -> int:
    """How many processes of the bot use the PostgreSQL database; none on SQLite, as far as it knows."""
    return len(holders(connection))
