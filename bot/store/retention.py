"""How long what is over is kept. Everything here deletes one slice, inside a transaction of the caller's, so that no
move waits long for it."""

from collections.abc import Collection
from contextlib import suppress
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.store.packing import unpack
from bot.store.schema import messages, moves, record_people, records, set_aside, tables
from bot.tables.model import TableId

INCREMENTAL: Final = 2
"""What ``PRAGMA auto_vacuum`` says. https://www.sqlite.org/pragma.html#pragma_auto_vacuum"""
PAGES_A_STEP: Final = 64
"""So many are given back at once: a quarter of a MiB, some milliseconds."""


def give_back(connection: Connection) -> bool:
    """Give a few free pages back to the disk; return whether there may be more. Inside a transaction of the caller."""
    if connection.dialect.name != "sqlite" or _ask(connection, "auto_vacuum") != INCREMENTAL:
        return False
    before = _ask(connection, "freelist_count")
    for _ in range(min(PAGES_A_STEP, before)):  # with a larger number Python's sqlite3 gives back one page as well
        connection.exec_driver_sql("PRAGMA incremental_vacuum(1)")
    return 0 < _ask(connection, "freelist_count") < before


def _ask(connection: Connection, pragma: str) -> int:
    """The number that ``PRAGMA`` *pragma* says."""
    return int(connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() or 0)


DAY_MS: Final = 86_400_000
LEFTOVERS_MS: Final = 7 * DAY_MS
"""So long a table that is over and has no record stays: somebody may still click on its messages."""
RECORDS_A_SLICE: Final = 20
LIVE_A_SLICE: Final = 50
TABLES_A_SLICE: Final = 500
"""So many are looked at; few of them go."""

_OLD_RECORDS: Final = (
    sa.select(records.c.table_id)
    .where(records.c.ended_at < sa.bindparam("before"), records.c.counted_at.is_not(None))
    .order_by(records.c.ended_at)
    .limit(RECORDS_A_SLICE)
)
_OLD_RECORDS_OF: Final = _OLD_RECORDS.where(records.c.guild_id == sa.bindparam("guild"))
_SLICE: Final = (
    sa.select(tables.c.id).where(tables.c.id > sa.bindparam("after")).order_by(tables.c.id).limit(TABLES_A_SLICE)
)


def rematched(connection: Connection, after: TableId) -> tuple[set[TableId], TableId | None]:
    """(the tables that are over and whose rematch is one of some live tables, the last of those that were looked at).
    They follow *after* in the order of ids; ``None``: there was none."""
    live = sa.select(tables.c.id, tables.c.snapshot).where(tables.c.due_at.is_not(None), tables.c.id > after)
    rows = connection.execute(live.order_by(tables.c.id).limit(LIVE_A_SLICE)).all()
    found: set[TableId] = set()
    for row in rows:
        with suppress(Exception):  # it is damaged, and nobody plays there
            known = unpack(row.snapshot)
            found |= {known.rematch_of} if known.rematch_of is not None else set()
    return found, TableId(rows[-1].id) if rows else None


def drop_records(connection: Connection, before: int, needed: Collection[TableId], guild: int | None = None) -> int:
    """Delete some of the records of games that ended before the time *before* (ms), in *guild* if one is given, with
    their people and, unless they are *needed*, their tables; return how many, 0 being all that there were. One that has
    not been counted stays.

    A table that has messages which are not up to date stays until they are.
    """
    query, given = (_OLD_RECORDS, {}) if guild is None else (_OLD_RECORDS_OF, {"guild": guild})
    found = [TableId(row[0]) for row in connection.execute(query, {"before": before, **given}).all()]
    if found:
        connection.execute(record_people.delete().where(record_people.c.table_id.in_(found)))
        connection.execute(records.delete().where(records.c.table_id.in_(found)))
        _drop_tables(connection, sa.select(tables.c.id).where(tables.c.id.in_(found)), needed)
    return len(found)


def drop_leftovers(connection: Connection, after: TableId, before: int, needed: Collection[TableId]) -> TableId | None:
    """Look at some of the tables that follow *after* in the order of ids, and delete those that are over, have no
    record, have not changed since the time *before* (ms), and are not *needed*; return the last one looked at, ``None``
    if there was none.

    As with ``drop_records``, messages that are not up to date keep their table.
    """
    looked_at = [TableId(row[0]) for row in connection.execute(_SLICE, {"after": after}).all()]
    if not looked_at:
        return None
    old = sa.select(tables.c.id).where(
        tables.c.id > after,
        tables.c.id <= looked_at[-1],
        tables.c.updated_at < before,
        ~sa.exists().where(records.c.table_id == tables.c.id),
    )
    _drop_tables(connection, old, needed)
    return looked_at[-1]


def _drop_tables(connection: Connection, among: sa.Select[Any], needed: Collection[TableId]) -> None:
    """Delete those of *among* that are over, are not *needed*, and of which nothing else is left to do."""
    over = among.where(
        tables.c.live_channel_id.is_(None),
        tables.c.due_at.is_(None),
        *(~sa.exists().where(other.c.table_id == tables.c.id) for other in (messages, set_aside)),
    )
    gone = [row.id for row in connection.execute(over).all() if row.id not in needed]
    if gone:
        connection.execute(moves.delete().where(moves.c.table_id.in_(gone)))
        connection.execute(tables.delete().where(tables.c.id.in_(gone)))
