"""What a commit about a table checks: that this process still serves its partition, and that its interaction has not
counted yet.

A lease is read with a lock that whoever takes it over has to wait for. So nothing is committed under a lease that was
lost, and whoever has taken it over finds everything that was committed before. It is the weakest such lock (FOR KEY
SHARE): a commit holds those of several tables, in any order, and whoever only becomes the successor of several leases
must not wait for it, or each might wait for the other. Everything here runs inside a
transaction of the caller, before it has written anything.
"""

from collections.abc import Collection
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.cluster.leases import PARTITION
from bot.cluster.partitions import PARTITIONS
from bot.store.schema import interactions, leases, tables
from bot.tables.model import TableId
from bot.tables.ownership import Fence, Ownership
from bot.tables.storage import Counted, LeaseLost

_LOCKED: Final[dict[str, Any]] = {"read": True, "key_share": True}
"""FOR KEY SHARE. https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-ROWS"""
# Built once, so that SQLAlchemy finds the compiled statement quickly.
_HELD: Final = (
    sa.select(sa.literal(1).label("held"))
    .select_from(leases)
    .where(
        leases.c.kind == PARTITION,
        leases.c.number == sa.bindparam("partition"),
        leases.c.owner == sa.bindparam("owner"),
        leases.c.fence == sa.bindparam("fence"),
    )
    .with_for_update(**_LOCKED)
)
IS_HELD: Final = sa.exists(_HELD)
"""Whether the lease of the bound partition has the bound owner and fence; for the statement that writes."""
IS_NEW: Final = ~sa.exists().where(interactions.c.id == sa.bindparam("interaction", type_=sa.BigInteger))
"""Whether the bound interaction has not counted yet; always so if it is ``None``."""
_LEASE_OF: Final = (
    sa.select(tables.c.channel_id, leases.c.owner, leases.c.fence)
    .join(leases, sa.and_(leases.c.kind == PARTITION, leases.c.number == tables.c.channel_id % PARTITIONS))
    .where(tables.c.id == sa.bindparam("which"))
    .with_for_update(**_LOCKED, of=leases)
)
_COUNTED: Final = sa.select(interactions.c.id).where(interactions.c.id == sa.bindparam("interaction"))
_COUNT: Final = interactions.insert()


def check(connection: Connection, fence: Fence | None) -> None:
    """Check that the lease still is as *fence* says; ``None``: there is nothing to check.

    Raises:
        LeaseLost: it is not.
    """
    if fence is not None and connection.execute(_HELD, fence._asdict()).first() is None:
        raise LeaseLost


def check_of(connection: Connection, table: TableId, ownership: Ownership) -> None:
    """Check that *table* is served here, as *ownership* has it.

    Raises:
        LeaseLost: it is not, or there is no such table.
    """
    if not ownership.shared:
        return
    row = connection.execute(_LEASE_OF, {"which": table}).first()
    if row is None:
        raise LeaseLost
    fence = ownership.fence_of(row.channel_id)
    if fence is not None and (row.owner, row.fence) != (fence.owner, fence.fence):
        raise LeaseLost


def check_all(connection: Connection, partitions: Collection[int], ownership: Ownership) -> None:
    """Check that all *partitions* are served here.

    Raises:
        LeaseLost: some are not.
    """
    wanted = {ownership.fence_of(partition) for partition in partitions} - {None}
    query = sa.select(leases.c.number, leases.c.owner, leases.c.fence).where(
        leases.c.kind == PARTITION, leases.c.number.in_(partitions)
    )
    if wanted and wanted - {Fence(*row) for row in connection.execute(query.with_for_update(**_LOCKED))}:
        raise LeaseLost


def is_counted(connection: Connection, interaction: int) -> bool:
    """Whether *interaction* has changed a table."""
    return connection.execute(_COUNTED, {"interaction": interaction}).first() is not None


def count(connection: Connection, interaction: int, at: int) -> None:
    """Record at the time *at* (ms) that *interaction* has changed a table."""
    connection.execute(_COUNT, {"id": interaction, "at": at})


def why_not(connection: Connection, fence: Fence, interaction: int | None) -> None:
    """Raise what kept a statement with ``IS_HELD`` and ``IS_NEW`` from writing, if it was one of both.

    Raises:
        LeaseLost: the lease is not as *fence* says.
        Counted: *interaction* has changed a table already.
    """
    check(connection, fence)
    if interaction is not None and is_counted(connection, interaction):
        raise Counted
