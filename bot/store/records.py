"""Rows of moves and records. The moves of a running game are kept one by one; they become one record when it is over.

Also: which finished games somebody may look for, and deleting what is too old.
"""

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
from bot.tables.record import RecordedPerson, make_record, people_in_record, without_undone_seat_changes
from engine import record
from engine.game import Json

log = logging.getLogger(__name__)


_MOVES: Final = (
    sa.select(moves.c.entries)
    .where(moves.c.table_id == sa.bindparam("which"), moves.c.version <= sa.bindparam("newest"))
    .order_by(moves.c.version)
)


NEVER_COUNTED: Final = 0
"""The value of ``counted_at`` for a record that is never added to totals and ratings."""


class StoredRecord(NamedTuple):
    """The record of a finished game as it is stored: game, server, end, packed data and people."""

    table: TableId
    guild: int
    game: str
    ended_at: int
    """ms since 1970."""
    data: bytes
    """The record, packed (``engine.record``)."""
    people: tuple[RecordedPerson, ...]
    """Its people, except those who were erased."""
    counts: bool = True
    """Whether it is added to totals and ratings."""


def write_record_and_delete_moves(connection: Connection, table: Table, at: int) -> None:
    """Write the record of the finished *table* with its people, and delete its single moves; do nothing if no cards
    were dealt; if the record cannot be made, log that and keep the moves.

    It ended at the time *at* (ms since 1970).
    """
    if table.state is None:
        return
    try:
        kept = make_stored_record(table, read_actions_and_seat_changes(connection, table), at)
    except Exception:  # the boundary of the record: a bug in it must not keep a game from ending
        log.exception("no record of a game", extra=fields(table=table.id))
        return
    insert_game_record(connection, kept)
    connection.execute(moves.delete().where(moves.c.table_id == table.id))


def make_stored_record(table: Table, entries: Sequence[Json], at: int) -> StoredRecord:
    """Make the record of the finished *table*, with the rating places of its people, from all its *entries*. Pure.

    It ended at the time *at* (ms). *entries* is all that has been done since the cards were dealt.
    """
    written = without_undone_seat_changes(make_record(table, entries))
    people = tuple(people_in_record(table, rating_places(table, entries)))
    return StoredRecord(table.id, table.guild, table.game, at, record.compress_record(written), people, table.counted)


def insert_game_record(connection: Connection, kept: StoredRecord) -> None:
    """Insert the record *kept* and its people; nothing if its table has one already."""
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


def read_actions_and_seat_changes(connection: Connection, table: Table) -> list[Json]:
    """List all actions and seat changes at *table* from the deal to this version, oldest first; empty once it has a
    record.
    """
    found = connection.execute(_MOVES, {"which": table.id, "newest": table.version}).all()
    return [entry for row in found for entry in json.loads(row.entries)]


def read_game_record(connection: Connection, table: TableId) -> StoredRecord | None:
    """Read the record of the game of *table* with its people; ``None`` if it is not over or no cards were dealt."""
    row = connection.execute(sa.select(records).where(records.c.table_id == table)).first()
    if row is None:
        return None
    people = sa.select(record_people).where(record_people.c.table_id == table).order_by(record_people.c.id)
    found = tuple(
        RecordedPerson(it.id, it.user_id, it.name, it.place, it.username or "") for it in connection.execute(people)
    )
    return StoredRecord(table, row.guild_id, row.game, row.ended_at, row.data, found, row.counted_at != NEVER_COUNTED)


# Which finished games somebody may look for: their own, and those that all players have agreed to show.


def latest_games_of_person(connection: Connection, user: int, guild: int | None, most: int) -> list[StoredRecord]:
    """Read the records of the latest games that *user* has played, newest first, at most *most*, in the server *guild*
    or (``None``) on all servers.
    """
    theirs = sa.select(record_people.c.table_id).where(record_people.c.user_id == user)
    return _newest_records(connection, records.c.table_id.in_(theirs), guild, most)


def latest_public_games(connection: Connection, user: int, guild: int, most: int) -> list[StoredRecord]:
    """Read the records of the latest games in *guild* whose known players have all agreed to show them, newest first,
    at most *most*; without the games of *user*.

    Only the record itself says whether all of its people are known (``bot.review.replay.is_public``).
    """
    chosen = record_people.outerjoin(preferences, preferences.c.user_id == record_people.c.user_id)
    unwilling = sa.func.coalesce(preferences.c.replays, "") != "yes"
    keeps = sa.select(record_people.c.table_id).select_from(chosen)
    keeps = keeps.where(
        record_people.c.table_id == records.c.table_id, sa.or_(record_people.c.user_id == user, unwilling)
    )
    return _newest_records(connection, ~keeps.exists(), guild, most)


def _newest_records(
    connection: Connection, condition: sa.ColumnElement[bool], guild: int | None, most: int
) -> list[StoredRecord]:
    """Read the newest records that fulfil the SQL condition *condition*, in *guild* (``None``: anywhere), at most
    *most*.
    """
    here = condition if guild is None else sa.and_(condition, records.c.guild_id == guild)
    query = (
        sa.select(records.c.table_id).where(here).order_by(records.c.ended_at.desc(), records.c.table_id).limit(most)
    )
    found = [read_game_record(connection, TableId(row.table_id)) for row in connection.execute(query)]
    return [kept for kept in found if kept is not None]


# Deleting what is too old. Every function deletes one slice, inside a transaction of the caller, so no move waits long.


INCREMENTAL: Final = 2
"""The value of ``PRAGMA auto_vacuum`` that allows this. https://www.sqlite.org/pragma.html#pragma_auto_vacuum"""
PAGES_A_STEP: Final = 64
"""How many pages are given back at once: a quarter of a MiB, some milliseconds."""


def release_free_pages(connection: Connection) -> bool:
    """Give up to 64 free pages of the SQLite file back to the disk; return whether there may be more; do nothing on
    PostgreSQL, and return False.
    """
    if connection.dialect.name != "sqlite" or _read_pragma(connection, "auto_vacuum") != INCREMENTAL:
        return False
    before = _read_pragma(connection, "freelist_count")
    for _ in range(min(PAGES_A_STEP, before)):  # with a larger number Python's sqlite3 gives back one page as well
        connection.exec_driver_sql("PRAGMA incremental_vacuum(1)")
    return 0 < _read_pragma(connection, "freelist_count") < before


def _read_pragma(connection: Connection, pragma: str) -> int:
    """Read the number that SQLite returns for the *pragma*; 0 if it returns nothing."""
    return int(connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() or 0)


DAY_MS: Final = 86_400_000
LEFTOVERS_MS: Final = 7 * DAY_MS
"""How long a finished table without a record is kept: somebody may still click on its messages."""
RECORDS_A_SLICE: Final = 20
LIVE_A_SLICE: Final = 50
TABLES_A_SLICE: Final = 500
"""How many tables are looked at in one slice; few of them are deleted."""

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


def tables_with_unfinished_rematch(connection: Connection, after: TableId) -> tuple[set[TableId], TableId | None]:
    """Look at the next 50 live tables after the id *after*; return (the ids of the finished tables whose rematch is
    among them, the last id looked at, or ``None`` if there were no more).
    """
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
    """Delete up to 20 counted records of games that ended before *before* (ms since 1970), with their people and
    tables; return how many records; 0 if there are no more.

    With *guild* only those of this server. A table stays if it is *needed*, or has messages that are not up to date.
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
    """Look at the next 500 tables after the id *after*, and delete the finished ones without a record that have not
    changed since *before* (ms since 1970); return the last id looked at, ``None`` at the end.

    A table stays if it is *needed*, or has messages that are not up to date.
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
    """Delete those tables among the ids that *among* selects, and their moves, that are over, not *needed*, not
    quarantined, and have no rows of messages.
    """
    over = among.where(
        tables.c.live_channel_id.is_(None),
        tables.c.due_at.is_(None),
        *(~sa.exists().where(other.c.table_id == tables.c.id) for other in (messages, set_aside)),
    )
    gone = [row.id for row in connection.execute(over).all() if row.id not in needed]
    if gone:
        connection.execute(moves.delete().where(moves.c.table_id.in_(gone)))
        connection.execute(tables.delete().where(tables.c.id.in_(gone)))
