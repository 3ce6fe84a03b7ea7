"""Rows of moves and records: what is done in a game is kept move by move, and becomes one record once it is over."""

import json
import logging
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.log import fields
from bot.store.schema import moves, record_people, records
from bot.tables.model import Table, TableId
from bot.tables.recording import Person, people_of, record_of
from engine import record
from engine.game import Json

log = logging.getLogger(__name__)

_MOVES: Final = sa.select(moves.c.entries).where(moves.c.table_id == sa.bindparam("which")).order_by(moves.c.version)


class Kept(NamedTuple):
    """What remains of a game."""

    table: TableId
    guild: int
    ended_at: int
    """ms since 1970."""
    data: bytes
    """The record, packed (``engine.record``)."""
    people: tuple[Person, ...]
    """Who its people are, but for those who were erased."""


def close(connection: Connection, table: Table, at: int) -> None:
    """Make the record of *table*, which is over since *at* (ms), of its moves, and delete those; but not if cards were
    never dealt there, or there is a record already.

    If no record can be made, that is logged, and the moves stay: the game is over all the same.
    """
    known = sa.select(records.c.table_id).where(records.c.table_id == table.id)
    if table.state is None or connection.execute(known).first() is not None:
        return
    try:
        written = record_of(table, entries(connection, table))
        row = {
            "table_id": table.id,
            "guild_id": table.guild,
            "game": table.game,
            "ended_at": at,
            "data": record.pack(written),
        }
        people = [{"table_id": table.id, "id": it.id, "user_id": it.user, "name": it.name} for it in people_of(table)]
    except Exception:  # the boundary of the record: a bug in it must not keep a game from ending
        log.exception("no record of a game", extra=fields(table=table.id))
        return
    connection.execute(records.insert(), row)
    if people:
        connection.execute(record_people.insert(), people)
    connection.execute(moves.delete().where(moves.c.table_id == table.id))


def entries(connection: Connection, table: Table) -> list[Json]:
    """What has been done at *table* since the cards were dealt, oldest first; empty once its record is written."""
    return [entry for row in connection.execute(_MOVES, {"which": table.id}).all() for entry in json.loads(row.entries)]


def read(connection: Connection, table: TableId) -> Kept | None:
    """What remains of the game of *table*; ``None``: it is not over, or no cards were dealt there."""
    row = connection.execute(sa.select(records).where(records.c.table_id == table)).first()
    if row is None:
        return None
    people = sa.select(record_people).where(record_people.c.table_id == table).order_by(record_people.c.id)
    found = tuple(Person(it.id, it.user_id, it.name) for it in connection.execute(people))
    return Kept(table, row.guild_id, row.ended_at, row.data, found)
