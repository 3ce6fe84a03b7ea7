"""Finds and erases everything that the database holds of one person.

Snapshots have no index by person, so all of them are searched: in slices, and not on the database's thread. What is
found is erased in one transaction.
"""

import asyncio
import json
import re
import zlib
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from bot.store import records, servers, stats
from bot.store.records import StoredRecord
from bot.store.schema import (
    bans,
    daily_attempts,
    messages,
    people,
    preferences,
    rating_steps,
    ratings,
    record_people,
    tables,
    totals,
)
from bot.store.tables import MAX_JSON_BYTES, pack_table, snapshot_decompressor, unpack_table
from bot.tables.leaving import names_of_person, without_person
from bot.tables.model import Table, TableId
from bot.tables.names import name_with_username

ReadTransaction = Callable[[Callable[[Connection], Any]], Awaitable[Any]]
"""Runs a function in a transaction that only reads (``Database.read``)."""

BY_PERSON: Final = (preferences, people, totals, ratings, rating_steps, daily_attempts, record_people)
"""The tables whose rows are about one person, each with a column ``user_id``, and are deleted with them."""
STAYS_WITHOUT_NAME: Final = (bans,)
"""Tables whose rows are about people as well, and stay without naming them (``servers.anonymize_person_in_bans``)."""
TABLES_A_SLICE: Final = 200
_CHUNK_BYTES: Final = 4096
"""How many bytes of a snapshot are decompressed at once: of a damaged one the part before the damage is read."""
_OWN_SLOT: Final = re.compile(r"(?:hand|here|ping|old):(?P<seat>\d+)(?::\d+)?")


class SnapshotMention(NamedTuple):
    """A table whose stored snapshot mentions the person, with that snapshot."""

    table: TableId
    version: int
    live: bool
    """Whether it is recorded as live."""
    snapshot: bytes

    def unpack(self) -> Table | None:
        """Decode the snapshot as a table; ``None`` if it cannot be read."""
        return _unpack_or_none(self.snapshot)


class PersonMentions(NamedTuple):
    """All stored snapshots that mention a person, by id or perhaps only by name, and all names of theirs."""

    mentions: list[SnapshotMention]
    """Those that hold their user id."""
    namesakes: list[SnapshotMention]
    """Those in which somebody of their name has ended a game: it may have been another person."""
    names: frozenset[str]
    """All names that they have there, and in the records of their games."""


class ScrubbedSnapshot(NamedTuple):
    """A new snapshot of a table without the person, to replace the stored one."""

    table: TableId
    version: int
    live: bool
    snapshot: bytes
    former: tuple[int, ...] | None
    """The seats whose persons were erased; ``None``: it cannot be read, so any may be."""


class _SnapshotRow(NamedTuple):
    """A row of the SQL table ``tables``, to be searched for a person."""

    table: TableId
    version: int
    live: bool
    snapshot: bytes


# Looking


async def find_mentions(read: ReadTransaction, user: int, names: Collection[str] = ()) -> PersonMentions:
    """Search all stored tables, in slices and partly in a thread, for the id of *user* and for their names: *names* and
    those in records; return the tables and all names.
    """
    recorded = await read(lambda connection: _recorded_names(connection, user))
    known = {*names, *(name for name, _ in recorded)}
    told_apart = {name_with_username(name, username) for name, username in recorded if username}
    mentions: list[SnapshotMention] = []
    ended: list[tuple[SnapshotMention, str]] = []
    after = TableId("")
    while rows := await read(partial(_next_rows, after=after)):
        for mention, sure, own, ender in await asyncio.to_thread(_find_mentions_in_snapshots, rows, user):
            known |= own
            if sure:
                mentions.append(mention)
            else:
                ended.append((mention, ender))
        after = rows[-1].table
    known |= told_apart & {name for _, name in ended}  # they have ended a game without a seat in it
    return PersonMentions(mentions, [mention for mention, name in ended if name in known], frozenset(known))


def _next_rows(connection: Connection, after: TableId) -> list[_SnapshotRow]:
    """Read the next 200 rows of the SQL table ``tables`` in the order of ids, after the id *after*; empty at the
    end.
    """
    it = tables.c
    query = sa.select(it.id, it.version, it.due_at, it.snapshot).where(it.id > after)
    rows = connection.execute(query.order_by(it.id).limit(TABLES_A_SLICE)).all()
    return [_SnapshotRow(TableId(row[0]), row[1], row[2] is not None, row[3]) for row in rows]


def _find_mentions_in_snapshots(
    rows: Sequence[_SnapshotRow], user: int
) -> list[tuple[SnapshotMention, bool, set[str], str]]:
    """Search the snapshots in *rows* for *user*; for each that may mention them: (the mention, whether it is certain,
    their names there, who ended the game).
    """
    found = []
    number = re.compile(rf"(?<!\d){user}(?!\d)")
    for row in rows:
        text = _readable_json(row.snapshot)
        by_number = number.search(text) is not None
        if not by_number and '"ended_by"' not in text:
            continue
        mention = SnapshotMention(row.table, row.version, row.live, row.snapshot)
        table = mention.unpack()
        if table is None:
            found += [(mention, True, set[str](), "")] if by_number else []
        else:  # the number may be that of anything else
            found.append((mention, without_person(table, user) != table, names_of_person(table, user), table.ended_by))
    return found


def _readable_json(snapshot: Any) -> str:
    """Decompress the JSON text in *snapshot* up to the first damaged part; empty if nothing can be read."""
    stream, raw = snapshot_decompressor(), b""
    try:
        for at in range(0, len(snapshot), _CHUNK_BYTES):
            raw += stream.decompress(snapshot[at : at + _CHUNK_BYTES], MAX_JSON_BYTES)
    except (zlib.error, TypeError):
        pass  # it is damaged from there on
    return raw.decode(errors="replace")


def _unpack_or_none(snapshot: bytes) -> Table | None:
    """Decode *snapshot* as a table; ``None`` if that fails in any way."""
    try:
        return unpack_table(snapshot)
    except Exception:  # noqa: BLE001 - a row may hold anything
        return None


def _recorded_names(connection: Connection, user: int) -> set[tuple[str, str | None]]:
    """List all (name at the table, Discord user name or ``None``) of *user* in the records of their games; empty if
    there are none.
    """
    query = sa.select(record_people.c.name, record_people.c.username).where(record_people.c.user_id == user).distinct()
    return {(name, username) for name, username in connection.execute(query).all()}


def rows_about_person(connection: Connection, user: int) -> dict[str, list[dict[str, Any]]]:
    """Read all rows about *user*, as dicts without the id: name of the SQL table -> rows; also the bans of them
    ("bans") and by them ("bans_decided").
    """
    found = {}
    for table in BY_PERSON:
        rows = connection.execute(sa.select(table).where(table.c.user_id == user)).mappings()
        found[table.name] = [{key: value for key, value in row.items() if key != "user_id"} for row in rows]
    found["bans"], found["bans_decided"] = (
        servers.bans_of_person(connection, user),
        servers.bans_by_moderator(connection, user),
    )
    return found


def private_messages_of_seats(
    connection: Connection, seats: Mapping[TableId, int]
) -> list[tuple[TableId, str, int, int]]:
    """List (table, slot, channel id, message id) of the recorded messages that only the given seat at its table gets;
    *seats* is table -> seat.
    """
    query = sa.select(messages.c.table_id, messages.c.slot, messages.c.channel_id, messages.c.message_id)
    rows = connection.execute(query.where(messages.c.table_id.in_(list(seats))))
    return [(TableId(it[0]), it[1], it[2], it[3]) for it in rows if _seat_of_slot(it[1]) == seats[TableId(it[0])]]


def read_game_records(connection: Connection, table_ids: Sequence[TableId]) -> list[StoredRecord]:
    """Read the records of the games of the tables *table_ids*; tables without a record are left out."""
    found = (records.read_game_record(connection, table) for table in table_ids)
    return [kept for kept in found if kept is not None]


def _seat_of_slot(slot: str) -> int | None:
    """Return the seat whose person alone gets the message in the slot of this name; ``None`` if the message is for
    everybody.
    """
    match = _OWN_SLOT.fullmatch(slot)
    return int(match["seat"]) if match else None


# Erasing


def snapshots_without_person(mentions: PersonMentions, user: int) -> list[ScrubbedSnapshot]:
    """Make new snapshots without *user* for all tables in *mentions* except live ones that can be read; a table that
    cannot be read gets empty bytes.

    Live tables that can be read change like any other live table. Of a snapshot that cannot be read nothing stays:
    nobody can say what else in it is about *user*.
    """
    made = []
    for it in (*mentions.mentions, *mentions.namesakes):
        table = it.unpack()
        if it.live and table is not None:
            continue
        after = without_person(table, user, mentions.names)._replace(entries=()) if table is not None else None
        former = tuple(seat for seat, player in enumerate(after.players) if player.former) if after else None
        made.append(ScrubbedSnapshot(it.table, it.version, it.live, pack_table(after) if after else b"", former))
    return made


def erase_person(connection: Connection, user: int, snapshots: Sequence[ScrubbedSnapshot]) -> bool:
    """Delete all rows about *user* (of bans only the id), and replace the stored tables by *snapshots*; return False if
    one of them has changed meanwhile and was not replaced.
    """
    if connection.dialect.name == "sqlite":  # what is deleted is overwritten in the file as well
        connection.exec_driver_sql("PRAGMA secure_delete=ON")
    all_of_them = True
    for it in snapshots:
        live = tables.c.due_at.is_not(None) if it.live else tables.c.due_at.is_(None)
        this = sa.and_(tables.c.id == it.table, tables.c.version == it.version, live)
        all_of_them &= connection.execute(tables.update().where(this), {"snapshot": it.snapshot}).rowcount == 1
        _delete_message_rows(connection, it.table, it.former)
    stats.delete_ratings_of_user(connection, user)
    servers.anonymize_person_in_bans(connection, user)
    for table in BY_PERSON:
        connection.execute(table.delete().where(table.c.user_id == user))
    connection.execute(tables.update().where(tables.c.opened_by == user), {"opened_by": None})
    _forget_last_actor(connection, user)
    return all_of_them


def _delete_message_rows(connection: Connection, table: TableId, seats: Collection[int] | None) -> None:
    """Delete the rows of messages that are only for one of *seats* (``None``: any one seat) at *table*; the messages on
    Discord stay.
    """
    here = messages.c.table_id == table
    slots = connection.execute(sa.select(messages.c.slot).where(here)).scalars().all()
    own = [slot for slot in slots if (seat := _seat_of_slot(slot)) is not None and (seats is None or seat in seats)]
    connection.execute(messages.delete().where(here, messages.c.slot.in_(own)))


def _forget_last_actor(connection: Connection, user: int) -> None:
    """Remove *user* as the one who made the last change, in the rows of all tables where they did."""
    said = tables.c.last.like(f"%{user}%")
    for row in connection.execute(sa.select(tables.c.id, tables.c.last).where(said)).all():
        try:
            last = json.loads(row.last)
        except ValueError:
            last = {"by": user}
        if last.get("by") == user:
            said_now = {"last": json.dumps({**last, "by": None})}
            connection.execute(tables.update().where(tables.c.id == row.id), said_now)
