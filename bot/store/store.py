"""Tables, their history and their messages in a database. A table's change - version, event, snapshot, timer - is one
transaction, committed before anybody is told.

The version is the optimistic lock: a change made on an old version is refused as ``Conflict``.
"""

import json
import sqlite3
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from bot.store import migrations
from bot.store.database import Database, connect
from bot.store.schema import events, guilds, messages, outages, pulse, tables, timers
from bot.store.writer import Writer
from bot.tables.model import Table, TableId, decode, encode
from bot.tables.outages import KEPT_MS, Outage
from bot.tables.storage import ChannelTaken, Conflict
from bot.tables.timers import next_due

_TABLE: Final = sa.select(events.c.snapshot).select_from(
    tables.join(events, sa.and_(events.c.table_id == tables.c.id, events.c.version == tables.c.version))
)

# Built once: SQLAlchemy then finds what it compiled them to at once. Every move goes through the first three.
_UPDATE_TABLE: Final = tables.update().where(
    tables.c.id == sa.bindparam("which"), tables.c.version == sa.bindparam("known")
)
_INSERT_EVENT: Final = events.insert()
_UPDATE_TIMER: Final = timers.update().where(timers.c.table_id == sa.bindparam("which"))
_UPDATE_HANDLE: Final = messages.update().where(
    messages.c.table_id == sa.bindparam("which"), messages.c.slot == sa.bindparam("where")
)


class StoreUnreachable(Exception):
    """The database cannot be opened; the text says why, without the address."""


class Handle(NamedTuple):
    """Where a message of a table is, and what can edit it."""

    slot: str
    channel: int
    message: int
    token: str | None = None
    """An interaction token whose original response is this message."""
    token_at: int = 0
    """When it was given, ms; it lives 15 minutes."""
    told: int = 0
    """The ``turn_began`` of the turn that its owner was last told of."""


class Store:
    """Tables, their history and messages. Open one with ``Store.open``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writer = Writer(database)
        self._write = self._writer.write

    @classmethod
    async def open(cls, url: str) -> "Store":
        """The store at *url* (a SQLAlchemy address with an async driver), migrated to the newest schema.

        Raises:
            StoreUnreachable: it cannot be opened.
            NewerDatabase: it was written by a newer version of this program.
        """
        try:
            database = await connect(url)
        except (SQLAlchemyError, sqlite3.Error, OSError, ImportError) as error:
            raise StoreUnreachable(_reason(error)) from error
        try:
            await database.transaction(migrations.upgrade)
        except (SQLAlchemyError, OSError) as error:
            await database.close()
            raise StoreUnreachable(_reason(error)) from error
        except migrations.NewerDatabase:
            await database.close()
            raise
        return cls(database)

    async def close(self) -> None:
        """Finish what waits, and let go of the database."""
        await self._writer.finish()
        await self._database.close()

    @property
    def sync_engine(self) -> sa.Engine:
        """The engine underneath, for listeners."""
        return self._database.sync_engine

    # Writing

    async def create(self, table: Table, what: dict[str, Any], at: int) -> None:
        """A new *table*, version 1.

        Raises:
            ChannelTaken: its channel has a live table.
        """
        snapshot, due = json.dumps(encode(table)), next_due(table)

        def work(connection: Connection) -> None:
            taken = sa.select(tables.c.id).where(tables.c.live_channel_id == table.channel)
            if connection.execute(taken).first() is not None:
                raise ChannelTaken
            connection.execute(tables.insert(), {**_row(table, at), "id": table.id, "channel_id": table.channel})
            connection.execute(events.insert(), _event(table, what, at, snapshot))
            connection.execute(
                timers.insert(),
                {"table_id": table.id, "due_at": due and due.at, "timer": due and due.timer.value},
            )

        try:
            await self._write(work)
        except IntegrityError as error:
            raise ChannelTaken from error

    async def change(self, table: Table, what: dict[str, Any], at: int) -> None:
        """*table* at its new version, which must be one more than the stored one.

        Raises:
            Conflict: the stored version is another.
        """
        snapshot, due = json.dumps(encode(table)), next_due(table)

        def work(connection: Connection) -> None:
            row = {**_row(table, at), "which": table.id, "known": table.version - 1}
            if connection.execute(_UPDATE_TABLE, row).rowcount != 1:
                raise Conflict
            connection.execute(_INSERT_EVENT, _event(table, what, at, snapshot))
            timer = {"due_at": due and due.at, "timer": due and due.timer.value, "which": table.id}
            connection.execute(_UPDATE_TIMER, timer)

        await self._write(work)

    async def put_handle(self, table: TableId, handle: Handle) -> None:
        """Where the message in ``handle.slot`` is now."""
        row = {
            "channel_id": handle.channel,
            "message_id": handle.message,
            "token": handle.token,
            "token_at": handle.token_at,
            "told": handle.told,
        }

        def work(connection: Connection) -> None:
            here = {"which": table, "where": handle.slot}
            if connection.execute(_UPDATE_HANDLE, {**row, **here}).rowcount == 0:
                connection.execute(messages.insert(), {**row, "table_id": table, "slot": handle.slot})

        await self._write(work)

    async def drop_handle(self, table: TableId, slot: str) -> None:
        """The message in *slot* is no more."""
        await self._write(
            lambda connection: connection.execute(
                messages.delete().where(messages.c.table_id == table, messages.c.slot == slot)
            )
        )

    async def drop_handles(self, table: TableId) -> None:
        """Everything about *table* has been delivered."""
        await self._write(lambda connection: connection.execute(messages.delete().where(messages.c.table_id == table)))

    async def set_guild_locale(self, guild: int, locale: str | None) -> None:
        """The tables of *guild* speak *locale*; ``None``: what Discord says of the server."""

        def work(connection: Connection) -> None:
            connection.execute(guilds.delete().where(guilds.c.guild_id == guild))
            if locale is not None:
                connection.execute(guilds.insert(), {"guild_id": guild, "locale": locale})

        await self._write(work)

    async def guild_locale(self, guild: int) -> str | None:
        """What moderators chose for *guild*."""
        rows = await self._read(sa.select(guilds.c.locale).where(guilds.c.guild_id == guild))
        return rows[0].locale if rows else None

    async def pulse(self, at: int) -> None:
        """This process is alive at *at* (ms)."""

        def work(connection: Connection) -> None:
            if connection.execute(pulse.update().where(pulse.c.id == 1), {"at": at}).rowcount == 0:
                connection.execute(pulse.insert(), {"id": 1, "at": at})

        await self._write(work)

    async def wake(self, at: int) -> list[Outage]:
        """This process starts at *at* (ms): every outage on record, the one that has just ended included."""
        rows = await self._read(sa.select(pulse.c.at))
        if rows and rows[0].at < at:
            await self.outage(Outage(rows[0].at, at))
        await self.pulse(at)
        known = await self._read(sa.select(outages).order_by(outages.c.began_at))
        return [Outage(row.began_at, row.ended_at) for row in known]

    async def outage(self, outage: Outage) -> None:
        """Put *outage* on record; those that matter to nobody any more go."""

        def work(connection: Connection) -> None:
            connection.execute(outages.delete().where(outages.c.ended_at < outage.ended - KEPT_MS))
            same = outages.c.began_at == outage.began
            if connection.execute(outages.update().where(same), {"ended_at": outage.ended}).rowcount == 0:
                connection.execute(outages.insert(), {"began_at": outage.began, "ended_at": outage.ended})

        await self._write(work)

    # Reading

    async def load(self, table: TableId) -> Table | None:
        """The newest version of *table*."""
        rows = await self._read(_TABLE.where(tables.c.id == table))
        return decode(json.loads(rows[0].snapshot)) if rows else None

    async def live(self) -> list[Table]:
        """Every table that is not over."""
        rows = await self._read(_TABLE.where(tables.c.live_channel_id.is_not(None)))
        return [decode(json.loads(row.snapshot)) for row in rows]

    async def undelivered(self) -> list[Table]:
        """Every table that is over while its messages may not show it."""
        waiting = sa.select(messages.c.table_id)
        rows = await self._read(_TABLE.where(tables.c.live_channel_id.is_(None), tables.c.id.in_(waiting)))
        return [decode(json.loads(row.snapshot)) for row in rows]

    async def newest_in(self, channel: int) -> Table | None:
        """The last table that *channel* had."""
        rows = await self._read(
            _TABLE.where(tables.c.channel_id == channel).order_by(tables.c.updated_at.desc()).limit(1)
        )
        return decode(json.loads(rows[0].snapshot)) if rows else None

    async def handles(self, table: TableId) -> list[Handle]:
        """Where the messages of *table* are."""
        rows = await self._read(sa.select(messages).where(messages.c.table_id == table))
        return [Handle(row.slot, row.channel_id, row.message_id, row.token, row.token_at, row.told) for row in rows]

    async def history(self, table: TableId) -> list[tuple[int, dict[str, Any], Table]]:
        """(version, event, table after it), oldest first."""
        rows = await self._read(sa.select(events).where(events.c.table_id == table).order_by(events.c.version))
        return [(row.version, json.loads(row.event), decode(json.loads(row.snapshot))) for row in rows]

    async def _read(self, query: sa.Select[Any]) -> list[Any]:
        return await self._database.transaction(lambda connection: list(connection.execute(query).all()))


def _reason(error: Exception) -> str:
    """The first line of what the database says, without SQLAlchemy's and our address."""
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def _row(table: Table, at: int) -> dict[str, Any]:
    live = table.channel if table.live else None
    return {"version": table.version, "live_channel_id": live, "updated_at": at}


def _event(table: Table, what: dict[str, Any], at: int, snapshot: str) -> dict[str, Any]:
    return {
        "table_id": table.id,
        "version": table.version,
        "at": at,
        "event": json.dumps(what),
        "snapshot": snapshot,
    }
