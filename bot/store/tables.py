"""Rows of tables: what is written into them, and reading them one by one. One that cannot be read is *set aside* and
stops nobody else."""

import json
import zlib
from collections.abc import Callable, Collection
from functools import lru_cache
from sys import intern
from typing import Any, Final, NamedTuple

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection

from bot.clock import snowflake_at
from bot.store.database import Damaged
from bot.store.schema import interactions, messages, set_aside, tables
from bot.tables.errors import Opened, Unusable
from bot.tables.model import END_OF_TIME, Player, Table, TableId, check_possible
from bot.tables.options import Options
from bot.tables.scene import scene
from bot.tables.service import OPENED_MS
from bot.tables.timers import next_due
from engine import codec
from engine.codec import type_checker
from engine.game import Json, Seat

# What stands in the rows of tables and moves: JSON, that of a whole table compressed.


_encode = codec.encoder(Table)
_decode = codec.decoder(Table)


def _encoded(value: Any) -> Json | None:
    """The NamedTuple *value* as JSON; ``None``: it is ``None``."""
    kind: Any = type(value)
    return None if value is None else codec.encoder(kind)(value)


def _decoded(part: Any, data: Json | None) -> Any:
    """What ``_encoded`` wrote as *data*: it is of the type of ``NOTHING`` in *part*, a part of the game."""
    if data is None:
        return None
    kind: Any = type(part.NOTHING)
    return codec.decoder(kind)(data)


def encode(table: Table) -> Json:
    """*table* as JSON. Only for the store: it holds hidden cards and the seed."""
    rules = table.rules
    data: Json = _encode(
        table._replace(
            state=None if table.state is None else rules.encode_state(table.state),
            highlights=_encoded(table.highlights),
            memories=tuple(map(_encoded, table.memories)),
            recent=tuple(rules.encode_event(event) for event in table.recent),
            outcome=tuple(rules.encode_event(event) for event in table.outcome),
        )
    )
    return data


def decode(data: Json) -> Table:
    """The table that ``encode`` wrote as *data*."""
    table: Table = _decode(data)
    rules = table.rules
    return table._replace(
        state=None if table.state is None else rules.decode_state(table.state),
        highlights=_decoded(rules.highlights, table.highlights),
        memories=tuple(_decoded(rules.memory, it) for it in table.memories),
        recent=tuple(rules.decode_event(event) for event in table.recent),
        outcome=tuple(rules.decode_event(event) for event in table.outcome),
    )


LEVEL: Final = 3
"""Of zlib, while the game runs: lower ones are not quicker, and a move waits for this."""
LAST_LEVEL: Final = 9
"""Once it is over: what is written then stays."""
MOST_BYTES: Final = 1 << 24
"""Of a table's JSON. Real ones have some thousand."""


def _falsy_defaults(kind: Any) -> Json:
    """The fields of the NamedTuple *kind* whose default is nothing: 0, empty, ``False`` or ``None``; as JSON."""
    defaults = kind._field_defaults.items()
    return {name: [] if value == () else value for name, value in defaults if not value}


# Most fields say nothing most of the time: no call window, no rematch. What is left out is read as the default.
_NOTHING: Final = _falsy_defaults(Table)
_NOTHING_OF_PLAYER: Final = _falsy_defaults(Player)
_encoder = json.JSONEncoder(separators=(",", ":"), check_circular=False)


def pack(table: Table) -> bytes:
    """*table* as it stands in the store. It holds hidden cards and the seed."""
    data = _without_nothing(encode(table), _NOTHING)
    data["players"] = [_without_nothing(player, _NOTHING_OF_PLAYER) for player in data["players"]]
    return zlib.compress(orjson.dumps(data), LEVEL if table.live else LAST_LEVEL)


def _without_nothing(data: Json, nothing: Json) -> Json:
    """*data* without the fields that are as in *nothing*."""
    return {name: value for name, value in data.items() if value or name not in nothing or value != nothing[name]}


def compact(data: Any) -> str:
    """*data* as JSON without spaces."""
    return _encoder.encode(data)


def unpack(data: bytes) -> Table:
    """The table that ``pack`` has written as *data*.

    Raises:
        zlib.error, ValueError, LookupError, TypeError, RecursionError, AttributeError: it has not.
    """
    return decode(json.loads(text_of(data)))


def text_of(data: bytes) -> str:
    """The JSON in *data*.

    Raises:
        zlib.error, ValueError: there is none.
    """
    stream = zlib.decompressobj()
    raw = stream.decompress(data, MOST_BYTES)
    if not stream.eof or stream.unused_data:
        raise ValueError("not a table's bytes")
    return raw.decode()


_COLUMNS: Final = sa.select(
    tables.c.id, tables.c.version, tables.c.channel_id, tables.c.live_channel_id, tables.c.snapshot
)
_ROW: Final = _COLUMNS.where(tables.c.id == sa.bindparam("which"))
_ROWS: Final = _COLUMNS.where(tables.c.id.in_(sa.bindparam("which", expanding=True)))
_LIVE: Final = sa.select(tables.c.id).where(sa.or_(tables.c.live_channel_id.is_not(None), tables.c.due_at.is_not(None)))
"""What is live, or should be: both are written together."""
_NEWEST_FIRST: Final = tables.c.updated_at.desc()
_UNDELIVERED: Final = sa.select(tables.c.id).where(
    tables.c.live_channel_id.is_(None),
    tables.c.id.in_(sa.select(messages.c.table_id)),
    tables.c.id.not_in(sa.select(set_aside.c.table_id)),
)
_SERVER: Final = sa.func.coalesce(tables.c.guild_id, 0)
_is_table: Final = type_checker(Table)


class Aside(NamedTuple):
    """A table that was set aside."""

    table: TableId
    guild: int
    channel: int
    at: int | None
    """When, ms; ``None``: that cannot be read."""
    error: str
    """The class of the error that reading it raised."""
    to_tell: bool
    """Whether its channel has not been told yet."""
    locale: str
    """The language of the table; empty: that cannot be read either."""


class ToTake(NamedTuple):
    """What a new process has to serve."""

    which: list[TableId]
    """The tables, those that changed last first, those that are over last."""
    back: list[TableId]
    """Those of them that had been set aside and can be read again."""


class Found(NamedTuple):
    """What ``take_over`` found."""

    live: list[Table]
    undelivered: list[Table]
    unusable: list[Unusable]
    """Those that were set aside now."""
    settled: list[TableId]
    """Those that were recorded as live elsewhere, or though they are over, or not though they are."""


def row_of(table: Table, what: dict[str, Any], at: int) -> dict[str, Any]:
    """The columns of *table*'s row that every change sets: the change was *what*, at the time *at* (ms)."""
    return {
        "version": table.version,
        "updated_at": at,
        "last": json.dumps(what),
        "snapshot": pack(table),
        "shown": None,
        **_found_by(table),
    }


def _found_by(table: Table) -> dict[str, Any]:
    """The columns by which *table* is found: its channel while it is live, and what it waits for first."""
    due = next_due(table)
    return {
        "live_channel_id": table.channel if table.live else None,
        "due_at": due and due.at,
        "timer": due and due.timer.value,
    }


# Reading. Everything from here on runs inside a transaction of the caller.


def table_of(row: Any) -> Table:
    """The table in *row*: its id, version and channel, and the snapshot of that version.

    Raises:
        Unusable: it makes no table, or one of which not even a view can be made.
    """
    try:
        table = unpack(row.snapshot)
        if (table.id, table.version, table.channel) != (row.id, row.version, row.channel_id) or not _is_table(table):
            raise ValueError("not the table of this row")
        check_possible(table)
        next_due(table)
        for seat in (None, *map(Seat, range(len(table.players)))):
            scene(table, seat, None)
    except Exception as error:  # noqa: BLE001 - whatever is in a row, and whatever bug it meets, the others are served
        raise Unusable.because_of(row.id, error) from None
    return _sharing(table)


def _sharing(table: Table) -> Table:
    """*table*, which was checked, with what many have in common as one object for all of them: there may be
    thousands."""
    players = tuple(player._replace(locale=intern(player.locale)) for player in table.players)
    game, locale = intern(table.game), intern(table.locale)
    return table._replace(game=game, locale=locale, options=_same(table.options), players=players)


@lru_cache(maxsize=256)
def _same(options: Options) -> Options:
    """*options* as the first table has them that has the same."""
    return options


def read(connection: Connection, table: TableId) -> Table | None:
    """The newest version of *table*, whether it is set aside or not; ``None``: there is no such table.

    Raises:
        Unusable: it cannot be read.
    """
    row = _row(connection, table)
    return table_of(row) if row is not None else None


def load(connection: Connection, table: TableId) -> Table | None:
    """The newest version of *table*; ``None``: there is no such table.

    Raises:
        Unusable: it cannot be read, or is set aside.
    """
    if _is_set_aside(connection, table):
        raise Unusable(table, "set aside")
    return read(connection, table)


def to_take_over(
    connection: Connection, check: Callable[[Table], object], shards: Collection[int] | None = None, count: int = 1
) -> ToTake:
    """Every table of *shards*, of so many in all (``None``: of all shards), that a process has to serve which takes
    them. Those that were set aside come
    back if they can be read again, *check* does not raise ``Unusable`` for them, and their channel is free."""

    def here(query: sa.Select[Any]) -> sa.Select[Any]:
        return query if shards is None else query.where(((_SERVER // (1 << 22)) % count).in_(shards))

    known = _ids(connection, here(sa.select(set_aside.c.table_id).join(tables)))
    back = [table for table in known if _bring_back(connection, table, check)]
    live = _ids(connection, here(_LIVE).order_by(_NEWEST_FIRST))
    return ToTake([*live, *_ids(connection, here(_UNDELIVERED).order_by(_NEWEST_FIRST))], back)


def take_over(connection: Connection, which: Collection[TableId], at: int) -> Found:
    """Read the tables *which*, that a new process has to serve. Set those aside, at the time *at* (ms), that cannot be
    read.

    Raises:
        Damaged: more than single rows cannot be read.
    """
    found = Found([], [], [], [])
    rows = _rows(connection, which)
    for table in which:
        try:
            row = rows.get(table) or _row(connection, table)
            if row is None:
                raise Damaged("an index of the database does not fit its rows")
            it = table_of(row)
            if not _says(row.live_channel_id, it):
                _settle(connection, it)
                found.settled.append(table)
        except Unusable as error:
            put_aside(connection, error, at)
            found.unusable.append(error)
        else:
            (found.live if it.live else found.undelivered).append(it)
    return found


def _rows(connection: Connection, which: Collection[TableId]) -> dict[TableId, Any]:
    """The rows of the tables *which*, with one statement, by their id; none if one of them cannot be read, and nobody
    can say which one that is."""
    try:
        return {row.id: row for row in connection.execute(_ROWS, {"which": list(which)})}
    except Damaged:
        return {}


def _row(connection: Connection, table: TableId) -> Any:
    """The row of *table*; ``None``: there is none.

    Raises:
        Unusable: it cannot be read.
    """
    try:
        return connection.execute(_ROW, {"which": table}).first()
    except Damaged as error:
        raise Unusable(table, type(error).__name__) from None


def opened(connection: Connection, person: int, guild: int, at: int) -> Opened:
    """What is open at the time *at* (ms), when *person* opens one more table in *guild*."""
    live = sa.and_(tables.c.due_at.is_not(None), tables.c.live_channel_id.is_not(None))  # the first one has an index
    mine = tables.c.opened_by == person
    here = sa.select(sa.func.count()).select_from(tables).where(live)
    times = sa.select(tables.c.opened_at).where(mine, tables.c.opened_at > at - OPENED_MS)
    return Opened(
        connection.execute(here.where(mine)).scalar_one(),
        connection.execute(here.where(tables.c.guild_id == guild)).scalar_one(),
        tuple(connection.execute(times.order_by(tables.c.opened_at)).scalars()),
    )


def live_ids(connection: Connection) -> list[TableId]:
    """The tables that a new process would take over as live."""
    return _ids(connection, _LIVE)


def live_of(connection: Connection, guild: int) -> list[Table]:
    """The live tables of *guild*, wherever they are served, the one that was opened first first; those that cannot be
    read are left out."""
    here = sa.select(tables.c.id).where(tables.c.live_channel_id.is_not(None), tables.c.guild_id == guild)
    found = []
    for table in _ids(connection, here):
        try:
            it = read(connection, table)
        except Unusable:
            continue
        found += [it] if it is not None and it.live and it.guild == guild else []
    return sorted(found, key=lambda it: (it.created_at, it.id))


def is_recorded_live(connection: Connection, table: TableId) -> bool:
    """Whether *table* is recorded as live."""
    query = sa.select(tables.c.live_channel_id).where(tables.c.id == table)
    return connection.execute(query).scalar() is not None


def is_stored(connection: Connection, table: Table, snapshot: bytes) -> bool:
    """Whether the newest version of *table* is this one, *snapshot*."""
    query = sa.select(tables.c.id).where(tables.c.id == table.id, tables.c.version == table.version)
    return connection.execute(query.where(tables.c.snapshot == snapshot)).first() is not None


def is_settled(connection: Connection, table: Table) -> bool:
    """Whether the columns by which *table* is found say of its channel what its row says."""
    found = connection.execute(sa.select(tables.c.live_channel_id).where(tables.c.id == table.id)).scalar()
    return _says(found, table)


def _says(live_channel: Any, table: Table) -> bool:
    """Whether *live_channel* is what the column by which *table* is found should say."""
    return bool(live_channel == (table.channel if table.live else None))


def _settle(connection: Connection, table: Table) -> None:
    """Make the columns by which *table* is found say what its row says.

    Raises:
        Unusable: another table is live in its channel.
    """
    if table.live and _is_taken(connection, table.channel):
        raise Unusable(table.id, "ChannelTaken")
    connection.execute(tables.update().where(tables.c.id == table.id), _found_by(table))


def put_aside(connection: Connection, found: Unusable, at: int) -> bool:
    """Set a table aside at the time *at* (ms): nothing serves it, and its channel is free. What is stored of it stays.

    Return whether that is new.
    """
    this = tables.c.id == found.table
    row = connection.execute(sa.select(tables.c.live_channel_id).where(this)).first()
    if row is None or _is_set_aside(connection, found.table):
        return False
    told_at = None if row.live_channel_id is not None else at  # of a game that was over nobody needs to be told
    connection.execute(
        set_aside.insert(), {"table_id": found.table, "at": at, "error": found.error[:64], "told_at": told_at}
    )
    connection.execute(tables.update().where(this), {"live_channel_id": None, "due_at": None, "timer": None})
    return True


def listed(connection: Connection) -> list[Aside]:
    """Every table that is set aside, the first one first."""
    query = sa.select(set_aside, tables.c.channel_id, _SERVER.label("guild")).join(tables).order_by(set_aside.c.at)
    rows = connection.execute(query).all()
    return [
        Aside(
            row.table_id,
            row.guild,
            row.channel_id,
            row.at if type(row.at) is int and row.at in range(END_OF_TIME) else None,
            row.error if isinstance(row.error, str) else "",
            row.told_at is None,
            _locale(connection, row.table_id),
        )
        for row in rows
    ]


def _bring_back(connection: Connection, table: TableId, check: Callable[[Table], object]) -> bool:
    """Serve *table*, which was set aside, again if it can go on and its channel is free; return whether it is."""
    try:
        found = read(connection, table)
        if found is None:
            return False
        check(found)
    except Unusable:
        return False
    if found.live and _is_taken(connection, found.channel):
        return False
    connection.execute(set_aside.delete().where(set_aside.c.table_id == table))
    if found.live:
        _settle(connection, found)
    return True


def _is_taken(connection: Connection, channel: int) -> bool:
    """Whether there is a live table in *channel*."""
    return connection.execute(sa.select(tables.c.id).where(tables.c.live_channel_id == channel)).first() is not None


def _is_set_aside(connection: Connection, table: TableId) -> bool:
    """Whether *table* is set aside."""
    query = sa.select(set_aside.c.table_id).where(set_aside.c.table_id == table)
    return connection.execute(query).first() is not None


def _ids(connection: Connection, query: sa.Select[Any]) -> list[TableId]:
    """The ids that *query* selects."""
    return [TableId(row[0]) for row in connection.execute(query).all()]


def _locale(connection: Connection, table: TableId) -> str:
    """The language of *table*, as far as its row can be read; empty: it cannot."""
    try:
        row = connection.execute(_ROW, {"which": table}).first()
        said = json.loads(text_of(row.snapshot))["locale"] if row is not None else ""
    except (Damaged, zlib.error, ValueError, LookupError, TypeError, RecursionError):
        return ""
    return said if isinstance(said, str) else ""


# Which interactions have changed a table already: each counts once, whatever becomes of processes and sessions.
#
# Everything here runs inside a transaction of the caller.


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
