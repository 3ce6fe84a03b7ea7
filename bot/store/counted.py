"""Which interactions have changed a table already: each counts once, whatever becomes of processes and sessions.

Everything here runs inside a transaction of the caller.
"""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.clock import snowflake_at
from bot.store.schema import interactions

REMEMBERED_MS: Final = 20 * 60_000
"""How long an interaction is remembered: its token is valid for 15 minutes."""
# Built once, so that SQLAlchemy finds the compiled statement quickly.
_INTERACTION: Final = sa.bindparam("interaction", type_=sa.BigInteger)
IS_NEW: Final = ~sa.exists().where(interactions.c.id == _INTERACTION)
"""Whether the bound interaction has not counted yet; always so if it is ``None``."""
_COUNTED: Final = sa.select(interactions.c.id).where(interactions.c.id == sa.bindparam("interaction"))
_COUNT: Final = interactions.insert().from_select(["id"], sa.select(_INTERACTION).where(IS_NEW))
_FORGET: Final = interactions.delete().where(interactions.c.id < sa.bindparam("before"))


def is_counted(connection: Connection, interaction: int) -> bool:
    """Whether *interaction* has changed a table."""
    return connection.execute(_COUNTED, {"interaction": interaction}).first() is not None


def count(connection: Connection, interaction: int) -> None:
    """Record that *interaction* has changed a table."""
    connection.execute(_COUNT, {"interaction": interaction})


def forget(connection: Connection, at: int) -> None:
    """Forget at the time *at* (ms) those interactions that cannot come again."""
    connection.execute(_FORGET, {"before": snowflake_at(at - REMEMBERED_MS)})
