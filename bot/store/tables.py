"""Rows of tables: writing and reading them, taking them over, and quarantine for those that cannot be read.

A table that cannot be read is *quarantined* (database table ``set_aside``): it stops no other table.
"""

import json
import zlib
from collections.abc import Callable, Collection
from functools import lru_cache
from sys import intern
from typing import Any, Final, NamedTuple

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection

from bot.clock import least_snowflake_at
from bot.store.database import Damaged
from bot.store.schema import interactions, messages, set_aside, tables
from bot.tables.errors import OpenTableCounts, UnusableTable
from bot.tables.limits import OPENINGS_COUNT_MS
from bot.tables.model import END_OF_TIME, NO_SERVER, Player, Table, TableId, check_table_values
from bot.tables.options import Options
from bot.tables.scene import make_scene
from bot.tables.timers import next_due
from engine import codec
from engine.codec import build_type_checker
from engine.game import Json, Seat

# What stands in the rows of tables and moves: JSON, that of a whole table compressed.


_encode = codec.build_encoder(Table)
_decode = codec.build_decoder(Table)


def _game_value_to_json(value: Any) -> Json | None:
    """Encode *value*, a NamedTuple of a game, as JSON; ``None`` stays ``None``."""
    kind: Any = type(value)
    return None if value is None else codec.build_encoder(kind)(value)


def _game_value_from_json(part: Any, data: Json | None) -> Any:
    """Decode *data* from ``_game_value_to_json`` as the type of ``part.NOTHING``; ``None`` stays ``None``. *part* is a
    part of a ``Game``.
    """
    if data is None:
        return None
    kind: Any = type(part.NOTHING)
    return codec.build_decoder(kind)(data)


def table_to_json(table: Table) -> Json:
    """Encode *table*, game state included, as JSON for the store only: it holds hidden cards and the seed."""
    rules = table.rules
    data: Json = _encode(
        table._replace(
            state=None if table.state is None else rules.encode_state(table.state),
            highlights=_game_value_to_json(table.highlights),
            memories=tuple(map(_game_value_to_json, table.memories)),
            recent=tuple(rules.encode_event(event) for event in table.recent),
            outcome=tuple(rules.encode_event(event) for event in table.outcome),
        )
    )
    return data


def table_from_json(data: Json) -> Table:
    """Decode *data*, from ``table_to_json``, as a table with its game state."""
    table: Table = _decode(data)
    rules = table.rules
    return table._replace(
        state=None if table.state is None else rules.decode_state(table.state),
        highlights=_game_value_from_json(rules.highlights, table.highlights),
        memories=tuple(_game_value_from_json(rules.memory, it) for it in table.memories),
        recent=tuple(rules.decode_event(event) for event in table.recent),
        outcome=tuple(rules.decode_event(event) for event in table.outcome),
    )


COMPRESSION_LEVEL: Final = 3
"""The zlib level while the game runs: lower ones are not quicker, and a move waits for this."""
FINAL_COMPRESSION_LEVEL: Final = 9
"""The zlib level once the game is over: what is written then stays."""
SNAPSHOT_DICTIONARY: Final = (
    b'"removed":["failed_start":"timeouts":1,"refuses_dms":true,"former":true,"replaced":true,"replaced_by":'
    b'"rematch":"","rematch_by":,"rematch_people":["rematch_of":"","reserved_until":"own_thread":true,"day":"20'
    b'"next_code":"","asked_in":,"next_pressed":"practice":true,"ended_by":"","ended_from":'
    b'"handovers":[{"change":"left","name":"","before":"","ply":"overdue":0,"reminded":,"offered_at":,"turn_credit":'
    b'"held":{"seat":0,"action":{"play":},"lands_at":,"due":},'
    b'"window":{"calls":[{"seat":0,"at":,"by_clock":false}],"due":,"closed":false,"barred":[]},'
    b'{"id":"","version":1,"guild":1,"channel":1,"game":"","phase":"lobby","phase":"over","phase":"playing","host":1,'
    b'"locale":"en","options":{"pace":"normal","turn_seconds":null,"window_ms":750,"hold_ms":250,"game":[],'
    b'"late":true,"breath":true,"hints":false,"level":null,"unhurried":false},"players":[{"name":"","user":1,'
    b'"locale":"en","away":true,"timed_out":true,"by_dm":true,"active_at":1,"telling":"turn","passes":true,"since":1,'
    b'"before":"","record":"","cut":"","rated":true,"display":"","username":""},'
    b'{"name":"","locale":"en","by_dm":true,"telling":"turn","record":""}],'
    b'"created_at":1,"secret":"","deal":{"v":1,"game":"","rules":1,"options":{},"seats":['
    b'{"id":"","kind":"person","cut":""},{"id":"","kind":"computer","level":"3"},'
    b'{"id":"","kind":"computer","level":"3"}],"message":""},"seed":"","state":{"ply":0,"turn":0,'
    b'"hands":[[],[],[],[1,2,3,4,5,6,7,8,9,10,11,12]],"recent":[{"is":"","seat":0,"cards":[]},{"is":""}],'
    b'"highlights":{"seat":0,"ply":1},"outcome":[{"is":"","seat":1}],"changed_at":1,"turn_began":1,"beat_ends":1,'
    b'"calls_decided":-1,"ending":"finished","opened_by":1,"counted":true}'
)
"""What the JSON of most tables has in common, for zlib: a table is too small to repeat its own field names often.

It must never change: what was packed with it can be read only with it (RFC 1950, FDICT). So fields that are renamed or
new since then only take a little more space.
"""
MAX_JSON_BYTES: Final = 1 << 24
"""The most bytes that the JSON of a table may have. Real ones have some thousand."""


def _falsy_default_fields(namedtuple_class: Any) -> Json:
    """Return the fields of *namedtuple_class* whose default is falsy (0, empty, ``None``): name -> default as JSON."""
    defaults = namedtuple_class._field_defaults.items()
    return {name: [] if value == () else value for name, value in defaults if not value}


# Most fields say nothing most of the time: no call window, no rematch. What is left out is read as the default.
_EMPTY_TABLE_FIELDS: Final = _falsy_default_fields(Table)
_EMPTY_PLAYER_FIELDS: Final = _falsy_default_fields(Player)
_encoder = json.JSONEncoder(separators=(",", ":"), check_circular=False)


def pack_table(table: Table) -> bytes:
    """Encode *table* as compressed JSON for the store. The bytes hold hidden cards and the seed."""
    data = _without_default_fields(table_to_json(table), _EMPTY_TABLE_FIELDS)
    data["players"] = [_without_default_fields(player, _EMPTY_PLAYER_FIELDS) for player in data["players"]]
    level = COMPRESSION_LEVEL if table.live else FINAL_COMPRESSION_LEVEL
    stream = zlib.compressobj(level, zdict=SNAPSHOT_DICTIONARY)
    return stream.compress(orjson.dumps(data)) + stream.flush()


def _without_default_fields(data: Json, nothing: Json) -> Json:
    """Return *data* without the fields whose value is the same as in *nothing*, which holds the defaults."""
    return {name: value for name, value in data.items() if value or name not in nothing or value != nothing[name]}


def compact_json(data: Any) -> str:
    """Write *data* as JSON without spaces."""
    return _encoder.encode(data)


def unpack_table(packed: bytes) -> Table:
    """Decode the compressed bytes *packed*, from ``pack_table``, as a table; anything else raises one of many errors.

    Raises:
        zlib.error, ValueError, LookupError, TypeError, RecursionError, AttributeError: *packed* is something else.
    """
    return table_from_json(json.loads(unpack_json_text(packed)))


def snapshot_decompressor() -> "zlib._Decompress":
    """Return a new zlib stream that decompresses one table's bytes, also those of version 0.3.0, which knew no
    dictionary.
    """
    return zlib.decompressobj(zdict=SNAPSHOT_DICTIONARY)


def unpack_json_text(packed: bytes) -> str:
    """Decompress *packed* to JSON text of at most 16 MiB; raise zlib.error or ValueError if it is damaged or larger."""
    stream = snapshot_decompressor()
    raw = stream.decompress(packed, MAX_JSON_BYTES)
    if not stream.eof or stream.unused_data:
        raise ValueError("not a table's bytes")
    return raw.decode()


_COLUMNS: Final = sa.select(
    tables.c.id, tables.c.version, tables.c.channel_id, tables.c.live_channel_id, tables.c.snapshot
)
_ROW: Final = _COLUMNS.where(tables.c.id == sa.bindparam("which"))
_ROWS: Final = _COLUMNS.where(tables.c.id.in_(sa.bindparam("which", expanding=True)))
_LIVE: Final = sa.select(tables.c.id).where(sa.or_(tables.c.live_channel_id.is_not(None), tables.c.due_at.is_not(None)))
"""The tables that are live, or should be: both columns are written together. Solo tables have only the second."""
_NEWEST_FIRST: Final = tables.c.updated_at.desc()
_UNDELIVERED: Final = sa.select(tables.c.id).where(
    tables.c.live_channel_id.is_(None),
    tables.c.due_at.is_(None),
    tables.c.id.in_(sa.select(messages.c.table_id)),
    tables.c.id.not_in(sa.select(set_aside.c.table_id)),
)
_SERVER: Final = sa.func.coalesce(tables.c.guild_id, 0)
_is_table: Final = build_type_checker(Table)


class QuarantinedTable(NamedTuple):
    """A table in quarantine: nothing serves it, since it cannot be read or its game cannot go on."""

    table: TableId
    guild: int
    channel: int
    at: int | None
    """When it was quarantined, ms; ``None``: that cannot be read."""
    error: str
    """The class of the error that reading it raised."""
    to_tell: bool
    """Whether its channel has not been told yet."""
    locale: str
    """The language of the table; empty: that cannot be read either."""


class TablesToTakeOver(NamedTuple):
    """The ids of the tables that a process has to serve from now on, and which of them were quarantined."""

    which: list[TableId]
    """The tables, those that changed last first, those that are over last."""
    back: list[TableId]
    """Those of them that were quarantined and can be read again."""


class TakeOverResult(NamedTuple):
    """The tables that ``take_over_tables`` has read, and those that it has quarantined or corrected."""

    live: list[Table]
    undelivered: list[Table]
    unusable: list[UnusableTable]
    """Those that were quarantined now."""
    settled: list[TableId]
    """Those whose live channel was recorded wrongly, and is corrected."""


def table_row_values(table: Table, last_change: dict[str, Any], at: int) -> dict[str, Any]:
    """Build the values of the columns that every change of *table* writes: version, time, last change, snapshot, live
    channel, timer; what its messages show is reset to not known.

    *last_change* is what was done and by whom, *at* the time (ms).
    """
    return {
        "version": table.version,
        "updated_at": at,
        "last": json.dumps(last_change),
        "snapshot": pack_table(table),
        "shown": None,
        **_index_columns(table),
    }


def _index_columns(table: Table) -> dict[str, Any]:
    """Build the values of the columns by which tables are searched: the channel of *table* while it is live, its first
    timer and when that is due.
    """
    due = next_due(table)
    return {
        "live_channel_id": table.occupied_channel,
        "due_at": due and due.at,
        "timer": due and due.timer.value,
    }


# Reading. Everything from here on runs inside a transaction of the caller.


def table_from_row(row: Any) -> Table:
    """Decode the table in *row* (id, version, channel, snapshot), check its values and that views of it can be made,
    and return it; or raise UnusableTable.

    Raises:
        UnusableTable: it makes no table, or not even a view of the table can be made.
    """
    try:
        table = unpack_table(row.snapshot)
        if (table.id, table.version, table.channel) != (row.id, row.version, row.channel_id) or not _is_table(table):
            raise ValueError("not the table of this row")
        check_table_values(table)
        next_due(table)
        for seat in (None, *map(Seat, range(len(table.players)))):
            make_scene(table, seat, None)
    except Exception as error:  # noqa: BLE001 - whatever is in a row, and whatever bug it meets, the others are served
        raise UnusableTable.from_error(row.id, error) from None
    return _with_shared_values(table)


def _with_shared_values(table: Table) -> Table:
    """Return *table* with equal strings and options replaced by one shared object: it saves memory with thousands of
    tables.
    """
    players = tuple(player._replace(locale=intern(player.locale)) for player in table.players)
    game, locale = intern(table.game), intern(table.locale)
    return table._replace(game=game, locale=locale, options=_shared_options(table.options), players=players)


@lru_cache(maxsize=256)
def _shared_options(options: Options) -> Options:
    """Return one shared object for all equal *options*."""
    return options


def read_table_even_if_quarantined(connection: Connection, table: TableId) -> Table | None:
    """Read the newest version of *table*, even if it is quarantined; ``None`` if there is no such table; raise
    UnusableTable if it cannot be read.
    """
    row = _read_row(connection, table)
    return table_from_row(row) if row is not None else None


def load_table(connection: Connection, table: TableId) -> Table | None:
    """Read the newest version of *table*; ``None`` if there is no such table; raise UnusableTable if it cannot be read
    or is quarantined.
    """
    if _is_quarantined(connection, table):
        raise UnusableTable(table, "set aside")
    return read_table_even_if_quarantined(connection, table)


def tables_to_take_over(
    connection: Connection, check: Callable[[Table], object], shards: Collection[int] | None = None, count: int = 1
) -> TablesToTakeOver:
    """List the ids of the tables that the process with *shards* has to serve, live ones first, newest change first;
    before that, end the quarantine of tables that can go on again.

    *count* is the number of all shards (``None`` for *shards*: the tables of all). Quarantined tables come back if they
    can be read again, *check* does not raise ``UnusableTable`` for them, and their channel is free.
    """

    def here(query: sa.Select[Any]) -> sa.Select[Any]:
        return query if shards is None else query.where(((_SERVER // (1 << 22)) % count).in_(shards))

    known = _select_table_ids(connection, here(sa.select(set_aside.c.table_id).join(tables)))
    back = [table for table in known if _restore_from_quarantine(connection, table, check)]
    live = _select_table_ids(connection, here(_LIVE).order_by(_NEWEST_FIRST))
    return TablesToTakeOver([*live, *_select_table_ids(connection, here(_UNDELIVERED).order_by(_NEWEST_FIRST))], back)


def take_over_tables(connection: Connection, table_ids: Collection[TableId], at: int) -> TakeOverResult:
    """Read the tables *table_ids*; quarantine, at the time *at* (ms since 1970), those that cannot be read, and correct
    the live channel where the row has a wrong one; return all of them.

    Raises:
        Damaged: more than single rows cannot be read.
    """
    found = TakeOverResult([], [], [], [])
    rows = _read_rows(connection, table_ids)
    for table in table_ids:
        try:
            row = rows.get(table) or _read_row(connection, table)
            if row is None:
                raise Damaged("an index of the database does not fit its rows")
            it = table_from_row(row)
            if not _live_channel_matches(row.live_channel_id, it):
                _repair_index_columns(connection, it)
                found.settled.append(table)
        except UnusableTable as error:
            quarantine_table(connection, error, at)
            found.unusable.append(error)
        else:
            (found.live if it.live else found.undelivered).append(it)
    return found


def _read_rows(connection: Connection, table_ids: Collection[TableId]) -> dict[TableId, Any]:
    """Read the rows of the tables *table_ids* with one statement: id -> row; empty if any of them is damaged.

    The database does not say which one that is.
    """
    try:
        return {row.id: row for row in connection.execute(_ROWS, {"which": list(table_ids)})}
    except Damaged:
        return {}


def _read_row(connection: Connection, table: TableId) -> Any:
    """Read the row of *table*; ``None`` if there is none; raise UnusableTable if it cannot be read."""
    try:
        return connection.execute(_ROW, {"which": table}).first()
    except Damaged as error:
        raise UnusableTable(table, type(error).__name__) from None


def count_open_tables(connection: Connection, person: int, guild: int, at: int) -> OpenTableCounts:
    """Count the live tables that *person* has opened and those in *guild* (0 for direct messages), and list where the
    former are, and when *person* opened tables in the ten minutes before *at* (ms since 1970).
    """
    mine = tables.c.opened_by == person
    live = tables.c.due_at.is_not(None)
    here = sa.select(sa.func.count()).select_from(tables).where(live)
    places = sa.select(tables.c.guild_id, tables.c.channel_id).where(live, mine).order_by(tables.c.opened_at)
    times = sa.select(tables.c.opened_at).where(mine, tables.c.opened_at > at - OPENINGS_COUNT_MS)
    return OpenTableCounts(
        len(own := connection.execute(places).all()),
        0 if guild == NO_SERVER else connection.execute(here.where(tables.c.guild_id == guild)).scalar_one(),
        tuple(connection.execute(times.order_by(tables.c.opened_at)).scalars()),
        tuple((row.guild_id, row.channel_id) for row in own),
    )


def live_table_ids(connection: Connection) -> list[TableId]:
    """List the ids of all tables whose rows say that they are live, also those that cannot be read."""
    return _select_table_ids(connection, _LIVE)


def live_tables_of_guild(connection: Connection, guild: int) -> list[Table]:
    """Read the live tables of *guild*, oldest first, whichever process serves them; unreadable ones are left out."""
    here = sa.select(tables.c.id).where(tables.c.live_channel_id.is_not(None), tables.c.guild_id == guild)
    found = []
    for table in _select_table_ids(connection, here):
        try:
            it = read_table_even_if_quarantined(connection, table)
        except UnusableTable:
            continue
        found += [it] if it is not None and it.live and it.guild == guild else []
    return sorted(found, key=lambda it: (it.created_at, it.id))


def live_solo_tables(connection: Connection, user: int, channel: int) -> list[Table]:
    """Read the live solo tables that *user* has opened in the direct messages *channel*; unreadable ones are left
    out.
    """
    this = sa.and_(tables.c.opened_by == user, tables.c.channel_id == channel, tables.c.due_at.is_not(None))
    found = []
    for table in _select_table_ids(connection, sa.select(tables.c.id).where(this)):
        try:
            it = read_table_even_if_quarantined(connection, table)
        except UnusableTable:
            continue
        found += [it] if it is not None and it.live and it.solo else []
    return found


def is_live_in_database(connection: Connection, table: TableId) -> bool:
    """Whether the row of *table* says that it is live; False if there is no row."""
    query = sa.select(tables.c.due_at).where(tables.c.id == table)
    return connection.execute(query).scalar() is not None


def is_version_already_saved(connection: Connection, table: Table, snapshot: bytes) -> bool:
    """Whether the row of *table* holds exactly its version and *snapshot*: an earlier attempt to save it was
    committed.
    """
    query = sa.select(tables.c.id).where(tables.c.id == table.id, tables.c.version == table.version)
    return connection.execute(query.where(tables.c.snapshot == snapshot)).first() is not None


def live_channel_column_matches(connection: Connection, table: Table) -> bool:
    """Whether the column ``live_channel_id`` in the row of *table* is what it must be (``Table.occupied_channel``)."""
    found = connection.execute(sa.select(tables.c.live_channel_id).where(tables.c.id == table.id)).scalar()
    return _live_channel_matches(found, table)


def _live_channel_matches(live_channel: Any, table: Table) -> bool:
    """Whether *live_channel*, from the row, is the channel that *table* occupies (``None``: it is over, or a solo
    table).
    """
    return bool(live_channel == table.occupied_channel)


def _repair_index_columns(connection: Connection, table: Table) -> None:
    """Write the live channel and the first timer of *table* anew to its row; raise UnusableTable if another table is
    live in its channel.
    """
    if is_channel_taken(connection, table.occupied_channel):
        raise UnusableTable(table.id, "ChannelTaken")
    connection.execute(tables.update().where(tables.c.id == table.id), _index_columns(table))


def quarantine_table(connection: Connection, unusable: UnusableTable, at: int) -> bool:
    """Put the table of *unusable* into quarantine at the time *at* (ms since 1970): free its channel, stop its timers;
    return False if it was there already or does not exist.

    Its snapshot stays. Return False if it was in quarantine already, or does not exist.
    """
    this = tables.c.id == unusable.table
    row = connection.execute(sa.select(tables.c.due_at).where(this)).first()
    if row is None or _is_quarantined(connection, unusable.table):
        return False
    told_at = None if row.due_at is not None else at  # of a game that was over nobody needs to be told
    connection.execute(
        set_aside.insert(), {"table_id": unusable.table, "at": at, "error": unusable.error[:64], "told_at": told_at}
    )
    connection.execute(tables.update().where(this), {"live_channel_id": None, "due_at": None, "timer": None})
    return True


def quarantined_tables(connection: Connection) -> list[QuarantinedTable]:
    """List every quarantined table, the one that was quarantined first at the head; empty if there is none."""
    query = sa.select(set_aside, tables.c.channel_id, _SERVER.label("guild")).join(tables).order_by(set_aside.c.at)
    rows = connection.execute(query).all()
    return [
        QuarantinedTable(
            row.table_id,
            row.guild,
            row.channel_id,
            row.at if type(row.at) is int and row.at in range(END_OF_TIME) else None,
            row.error if isinstance(row.error, str) else "",
            row.told_at is None,
            _locale_from_snapshot(connection, row.table_id),
        )
        for row in rows
    ]


def _restore_from_quarantine(connection: Connection, table: TableId, check: Callable[[Table], object]) -> bool:
    """End the quarantine of *table* if it can be read, *check* accepts it and no other table is live in its channel;
    return whether it was ended.
    """
    try:
        found = read_table_even_if_quarantined(connection, table)
        if found is None:
            return False
        check(found)
    except UnusableTable:
        return False
    if is_channel_taken(connection, found.occupied_channel):
        return False
    connection.execute(set_aside.delete().where(set_aside.c.table_id == table))
    if found.live:
        _repair_index_columns(connection, found)
    return True


def is_channel_taken(connection: Connection, channel: int | None) -> bool:
    """Whether there is a live table in *channel*; False for ``None``, the channel of solo tables and those that are
    over.
    """
    return (
        channel is not None
        and connection.execute(sa.select(tables.c.id).where(tables.c.live_channel_id == channel)).first() is not None
    )


def _is_quarantined(connection: Connection, table: TableId) -> bool:
    """Whether *table* is quarantined."""
    query = sa.select(set_aside.c.table_id).where(set_aside.c.table_id == table)
    return connection.execute(query).first() is not None


def _select_table_ids(connection: Connection, query: sa.Select[Any]) -> list[TableId]:
    """Run *query* and return the table ids in its first column."""
    return [TableId(row[0]) for row in connection.execute(query).all()]


def _locale_from_snapshot(connection: Connection, table: TableId) -> str:
    """Read the language of *table* from its snapshot, even if the table is damaged; empty if that cannot be read."""
    try:
        row = connection.execute(_ROW, {"which": table}).first()
        said = json.loads(unpack_json_text(row.snapshot))["locale"] if row is not None else ""
    except (Damaged, zlib.error, ValueError, LookupError, TypeError, RecursionError):
        return ""
    return said if isinstance(said, str) else ""


# Which interactions have changed a table already: each is processed once, even after a restart of the process.
#
# Everything here runs inside a transaction of the caller.


REMEMBERED_MS: Final = 20 * 60_000
"""How long an interaction is remembered: its token is valid for 15 minutes."""
# Built once, so that SQLAlchemy finds the compiled statement quickly.
_INTERACTION: Final = sa.bindparam("interaction", type_=sa.BigInteger)
IS_NEW_INTERACTION: Final = ~sa.exists().where(interactions.c.id == _INTERACTION)
"""Whether the bound interaction has not been processed yet; always so if it is ``None``."""
_COUNTED: Final = sa.select(interactions.c.id).where(interactions.c.id == sa.bindparam("interaction"))
_COUNT: Final = interactions.insert().from_select(["id"], sa.select(_INTERACTION).where(IS_NEW_INTERACTION))
_FORGET: Final = interactions.delete().where(interactions.c.id < sa.bindparam("before"))


def is_interaction_processed(connection: Connection, interaction: int) -> bool:
    """Whether the interaction with the id *interaction* has changed a table, at least in the last 20 minutes."""
    return connection.execute(_COUNTED, {"interaction": interaction}).first() is not None


def record_interaction(connection: Connection, interaction: int) -> None:
    """Record that the interaction with the id *interaction* has changed a table, so that it changes none again."""
    connection.execute(_COUNT, {"interaction": interaction})


def delete_old_interaction_ids(connection: Connection, at: int) -> None:
    """Delete the recorded ids of interactions that were made more than 20 minutes before *at* (ms since 1970)."""
    connection.execute(_FORGET, {"before": least_snowflake_at(at - REMEMBERED_MS)})
