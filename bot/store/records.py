"""Rows of moves and records: what is done in a game is kept move by move, and becomes one record once it is over."""

import json
import logging
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.log import fields
from bot.stats.places import rating_places
from bot.store.schema import messages, moves, preferences, record_people, records, set_aside, tables
from bot.store.tables import unpack_table
from bot.tables.model import Table, TableId
from bot.tables.record import RecordedPerson, make_record, people_in_record, without_cancelled_changes
from engine import record
from engine.game import Json

log = logging.getLogger(__name__)


_MOVES: Final = (
    sa.select(moves.c.entries)
    .where(moves.c.table_id == sa.bindparam("which"), moves.c.version <= sa.bindparam("newest"))
    .order_by(moves.c.version)
)


NEVER_COUNTED: Final = 0
"""In place of when a record was counted: it never is."""


class StoredRecord(NamedTuple):
    """What remains of a game."""

    table: TableId
    guild: int
    game: str
    ended_at: int
    """ms since 1970."""
    data: bytes
    """The record, packed (``engine.record``)."""
    people: tuple[RecordedPerson, ...]
    """Who its people are, but for those who were erased."""
    counts: bool = True
    """Whether it is added to totals and ratings."""


def write_record_of(connection: Connection, table: Table, at: int) -> None:
    """Make the record of *table*, which has ended at the time *at* (ms), of its moves, and delete those; but not if
    cards were never dealt there.

    If no record can be made, that is logged, and the moves stay: the game is over all the same.
    """
    if table.state is None:
        return
    try:
        kept = make_stored_record(table, read_entries(connection, table), at)
    except Exception:  # the boundary of the record: a bug in it must not keep a game from ending
        log.exception("no record of a game", extra=fields(table=table.id))
        return
    insert_record(connection, kept)
    connection.execute(moves.delete().where(moves.c.table_id == table.id))


def make_stored_record(table: Table, entries: Sequence[Json], at: int) -> StoredRecord:
    """What remains of the game of *table*, which has ended at the time *at* (ms); *entries* is all that has been done
    since the cards were dealt. Pure."""
    written = without_cancelled_changes(make_record(table, entries))
    people = tuple(people_in_record(table, rating_places(table, entries)))
    return StoredRecord(table.id, table.guild, table.game, at, record.pack(written), people, table.counted)


def insert_record(connection: Connection, kept: StoredRecord) -> None:
    """Write what remains of a game, if that is not written yet."""
    if connection.execute(sa.select(records.c.table_id).where(records.c.table_id == kept.table)).first() is not None:
        return
    row = {
        "table_id": kept.table,
        "guild_id": kept.guild,
        "game": kept.game,
        "ended_at": kept.ended_at,
        "data": kept.data,
        "counted_at": None if kept.counts else NEVER_COUNTED,
    }
    connection.execute(records.insert(), row)
    people = [
        {
            "table_id": kept.table,
            "id": it.id,
            "user_id": it.user,
            "name": it.name,
            "place": it.place,
            "username": it.username or None,
        }
        for it in kept.people
    ]
    if people:
        connection.execute(record_people.insert(), people)


def read_entries(connection: Connection, table: Table) -> list[Json]:
    """What has been done at *table*, up to this version of it, since the cards were dealt, oldest first; empty once its
    record is written."""
    found = connection.execute(_MOVES, {"which": table.id, "newest": table.version}).all()
    return [entry for row in found for entry in json.loads(row.entries)]


def read_record(connection: Connection, table: TableId) -> StoredRecord | None:
    """What remains of the game of *table*; ``None``: it is not over, or no cards were dealt there."""
    row = connection.execute(sa.select(records).where(records.c.table_id == table)).first()
    if row is None:
        return None
    people = sa.select(record_people).where(record_people.c.table_id == table).order_by(record_people.c.id)
    found = tuple(
        RecordedPerson(it.id, it.user_id, it.name, it.place, it.username or "") for it in connection.execute(people)
    )
    return StoredRecord(table, row.guild_id, row.game, row.ended_at, row.data, found, row.counted_at != NEVER_COUNTED)


# Which games that are over somebody may look for: their own, and those whose people have agreed.


def own_games(connection: Connection, user: int, guild: int | None, most: int) -> list[StoredRecord]:
    """The last games that *user* has played in the server *guild* (``None``: anywhere), at most so many, the newest
    first."""
    theirs = sa.select(record_people.c.table_id).where(record_people.c.user_id == user)
    return _newest_records(connection, records.c.table_id.in_(theirs), guild, most)


def shared_games(connection: Connection, user: int, guild: int, most: int) -> list[StoredRecord]:
    """The last games in the server *guild* that *user* has not played, and whose people, as far as they are known, all
    want that everybody may see them; at most so many, the newest first.

    Whether all of them are known only the record itself says (``bot.review.replay.is_public``).
    """
    chosen = record_people.outerjoin(preferences, preferences.c.user_id == record_people.c.user_id)
    unwilling = sa.func.coalesce(preferences.c.replays, "") != "yes"
    keeps = sa.select(record_people.c.table_id).select_from(chosen)
    keeps = keeps.where(
        record_people.c.table_id == records.c.table_id, sa.or_(record_people.c.user_id == user, unwilling)
    )
    return _newest_records(connection, ~keeps.exists(), guild, most)


def _newest_records(
    connection: Connection, which: sa.ColumnElement[bool], guild: int | None, most: int
) -> list[StoredRecord]:
    """The newest of the records for which *which* holds, in the server *guild* (``None``: anywhere)."""
    here = which if guild is None else sa.and_(which, records.c.guild_id == guild)
    query = (
        sa.select(records.c.table_id).where(here).order_by(records.c.ended_at.desc(), records.c.table_id).limit(most)
    )
    found = [read_record(connection, TableId(row.table_id)) for row in connection.execute(query)]
    return [kept for kept in found if kept is not None]


# How long what is over is kept. Everything here deletes one slice, inside a transaction of the caller's, so that no
# move waits long for it.


INCREMENTAL: Final = 2
"""What ``PRAGMA auto_vacuum`` says. https://www.sqlite.org/pragma.html#pragma_auto_vacuum"""
PAGES_A_STEP: Final = 64
"""So many are given back at once: a quarter of a MiB, some milliseconds."""


def free_disk_space(connection: Connection) -> bool:
    """Give a few free pages back to the disk; return whether there may be more. Inside a transaction of the caller."""
    if connection.dialect.name != "sqlite" or _read_pragma(connection, "auto_vacuum") != INCREMENTAL:
        return False
    before = _read_pragma(connection, "freelist_count")
    for _ in range(min(PAGES_A_STEP, before)):  # with a larger number Python's sqlite3 gives back one page as well
        connection.exec_driver_sql("PRAGMA incremental_vacuum(1)")
    return 0 < _read_pragma(connection, "freelist_count") < before


def _read_pragma(connection: Connection, pragma: str) -> int:
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


def tables_with_live_rematch(connection: Connection, after: TableId) -> tuple[set[TableId], TableId | None]:
    """(the tables that are over and whose rematch is one of some live tables, the last of those that were looked at).
    They follow *after* in the order of ids; ``None``: there was none."""
    live = sa.select(tables.c.id, tables.c.snapshot).where(tables.c.due_at.is_not(None), tables.c.id > after)
    rows = connection.execute(live.order_by(tables.c.id).limit(LIVE_A_SLICE)).all()
    found: set[TableId] = set()
    for row in rows:
        with suppress(Exception):  # it is damaged, and nobody plays there
            known = unpack_table(row.snapshot)
            found |= {known.rematch_of} if known.rematch_of is not None else set()
    return found, TableId(rows[-1].id) if rows else None


def delete_old_records(
    connection: Connection, before: int, needed: Collection[TableId], guild: int | None = None
) -> int:
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
        _delete_finished_tables(connection, sa.select(tables.c.id).where(tables.c.id.in_(found)), needed)
    return len(found)


def delete_tables_without_record(
    connection: Connection, after: TableId, before: int, needed: Collection[TableId]
) -> TableId | None:
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
    _delete_finished_tables(connection, old, needed)
    return looked_at[-1]


def _delete_finished_tables(connection: Connection, among: sa.Select[Any], needed: Collection[TableId]) -> None:
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
