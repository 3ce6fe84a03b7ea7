"""Locks of PostgreSQL that one transaction at a time has, until it ends, whatever process it is of.

On SQLite only one transaction writes anyway.
"""

from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

UPGRADING: Final = 0x17_0001
"""Held by whoever brings the schema up to date."""
JOINING: Final = 0x17_0012
"""Held by a process that joins the others."""
_HOLD: Final = sa.text("SELECT pg_advisory_xact_lock(:lock)")


def hold(connection: Connection, locks: Iterable[int]) -> None:
    """Wait until no other transaction has one of *locks*, and have them until this one ends.

    A lock is one of the above, or the id of a person or server (which are larger) of which something is counted.
    """
    if connection.dialect.name == "postgresql":
        for lock in sorted(locks):  # always in the same order, so that no two wait for each other
            connection.execute(_HOLD, {"lock": lock})
