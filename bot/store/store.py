"""Tables, their history and their messages in a database. A table's change - version, event, snapshot, timer - is one
transaction, committed before anybody is notified.

The version is the optimistic lock: a change made on an old version is refused as ``Conflict``. Every method that writes
has committed when it returns.
"""

import json
import sqlite3
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from bot.store import migrations
from bot.store.database import Database, connect
from bot.store.schema import events, guilds, messages, outages, people, pulse, tables, timers
from bot.store.writer import Writer
from bot.tables.model import Table, TableId, decode, encode
from bot.tables.outages import KEPT_MS, Outage
from bot.tables.storage import ChannelTaken, Conflict
from bot.tables.timers import next_due

_TABLE: Final = sa.select(events.c.snapshot).select_from(
    tables.join(events, sa.and_(events.c.table_id == tables.c.id, events.c.version == tables.c.version))
)

# Built once, so that SQLAlchemy finds the compiled statement quickly. Every move runs the first three.
_UPDATE_TABLE: Final = tables.update().where(
    tables.c.id == sa.bindparam("which"), tables.c.version == sa.bindparam("known")
)
_INSERT_EVENT: Final = events.insert()
_UPDATE_TIMER: Final = timers.update().where(timers.c.table_id == sa.bindparam("which"))
_UPDATE_HANDLE: Final = messages.update().where(
    messages.c.table_id == sa.bindparam("which"), messages.c.slot == sa.bindparam("where")
)


class StoreUnreachable(Exception):
    """The database cannot be opened; the text says why, without its address."""


class Handle(NamedTuple):
    """Where a message of a table is, and the interaction token that can edit it, if there is one."""

    slot: str
    channel: int
    message: int
    token: str | None = None
    """An interaction token whose original response is this message."""
    token_at: int = 0
    """When it was given, ms; it is valid for 15 minutes."""
    told: int = 0
    """What its owner was last notified of (``delivery.content.due_notification``)."""


class Dms(NamedTuple):
    """What is known of the direct messages with a person."""

    channel: int | None = None
    """Their channel; ``None``: none has been opened."""
    closed_at: int | None = None
    """When the person last turned out to take none, ms; ``None``: they take them, as far as is known."""


class Store:
    """Tables, their history and messages. Open one with ``Store.open``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writer = Writer(database)
        self._write = self._writer.write

    @classmethod
    async def open(cls, url: str) -> "Store":
        """Open the store at *url* (a SQLAlchemy address with an async driver), and migrate it to the newest schema.

        Raises:
            StoreUnreachable: it cannot be opened.
            NewerDatabase: it was written by a newer version of this program.
        """
        try:
            database = await connect(url)
        except (SQLAlchemyError, sqlite3.Error, OSError, ImportError) as error:
            raise StoreUnreachable(_first_line(error)) from error
        try:
            await database.transaction(migrations.upgrade)
        except (SQLAlchemyError, OSError) as error:
            await database.close()
            raise StoreUnreachable(_first_line(error)) from error
        except migrations.NewerDatabase:
            await database.close()
            raise
        return cls(database)

    async def close(self) -> None:
        """Wait until everything is written, then close the database."""
        await self._writer.finish()
        await self._database.close()

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath, for event listeners."""
        return self._database.sync_engine

    # Writing

    async def create(self, table: Table, what: dict[str, Any], at: int) -> None:
        """Store the new *table* as version 1, with the event *what* for its history, at the time *at* (ms).

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
        """Store *table* as its new version, with the event *what* for its history, at the time *at* (ms).

        Raises:
            Conflict: the stored version is not the one before.
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
        """Record *handle* as the place of *table*'s message in ``handle.slot``; it replaces an earlier one."""
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
        """Delete the record of *table*'s message in *slot*. The message itself is not touched."""
        await self._write(
            lambda connection: connection.execute(
                messages.delete().where(messages.c.table_id == table, messages.c.slot == slot)
            )
        )

    async def drop_handles(self, table: TableId) -> None:
        """Delete the records of all messages of *table*, which is over and shown everywhere: it is not ``undelivered``
        any more."""
        await self._write(lambda connection: connection.execute(messages.delete().where(messages.c.table_id == table)))

    async def set_guild_locale(self, guild: int, locale: str | None) -> None:
        """Record *locale* as what the tables of *guild* speak; ``None``: what Discord says of the server."""

        def work(connection: Connection) -> None:
            connection.execute(guilds.delete().where(guilds.c.guild_id == guild))
            if locale is not None:
                connection.execute(guilds.insert(), {"guild_id": guild, "locale": locale})

        await self._write(work)

    async def guild_locale(self, guild: int) -> str | None:
        """The language that was chosen for *guild*; ``None``: none was."""
        rows = await self._read(sa.select(guilds.c.locale).where(guilds.c.guild_id == guild))
        return rows[0].locale if rows else None

    async def dms(self, user: int) -> Dms:
        """What is known of the direct messages with *user*."""
        rows = await self._read(sa.select(people).where(people.c.user_id == user))
        return Dms(rows[0].dm_channel_id, rows[0].dms_closed_at) if rows else Dms()

    async def put_dms(self, user: int, dms: Dms) -> None:
        """Record *dms* as what is known of the direct messages with *user*."""

        def work(connection: Connection) -> None:
            connection.execute(people.delete().where(people.c.user_id == user))
            row = {"user_id": user, "dm_channel_id": dms.channel, "dms_closed_at": dms.closed_at}
            connection.execute(people.insert(), row)

        await self._write(work)

    async def pulse(self, at: int) -> None:
        """Record that this process is alive at the time *at* (ms)."""

        def work(connection: Connection) -> None:
            if connection.execute(pulse.update().where(pulse.c.id == 1), {"at": at}).rowcount == 0:
                connection.execute(pulse.insert(), {"id": 1, "at": at})

        await self._write(work)

    async def wake(self, at: int) -> list[Outage]:
        """Record that this process starts at the time *at* (ms), and the outage that has just ended; return all
        outages."""
        rows = await self._read(sa.select(pulse.c.at))
        if rows and rows[0].at < at:
            await self.outage(Outage(rows[0].at, at))
        await self.pulse(at)
        known = await self._read(sa.select(outages).order_by(outages.c.began_at))
        return [Outage(row.began_at, row.ended_at) for row in known]

    async def outage(self, outage: Outage) -> None:
        """Record *outage*, and delete those that are too old to matter."""

        def work(connection: Connection) -> None:
            connection.execute(outages.delete().where(outages.c.ended_at < outage.ended - KEPT_MS))
            same = outages.c.began_at == outage.began
            if connection.execute(outages.update().where(same), {"ended_at": outage.ended}).rowcount == 0:
                connection.execute(outages.insert(), {"began_at": outage.began, "ended_at": outage.ended})

        await self._write(work)

    # Reading

    async def load(self, table: TableId) -> Table | None:
        """The newest version of *table*; ``None``: there is no such table."""
        rows = await self._read(_TABLE.where(tables.c.id == table))
        return decode(json.loads(rows[0].snapshot)) if rows else None

    async def live(self) -> list[Table]:
        """Every table that is not over."""
        rows = await self._read(_TABLE.where(tables.c.live_channel_id.is_not(None)))
        return [decode(json.loads(row.snapshot)) for row in rows]

    async def undelivered(self) -> list[Table]:
        """Every table that is over, but whose messages may not show that yet."""
        waiting = sa.select(messages.c.table_id)
        rows = await self._read(_TABLE.where(tables.c.live_channel_id.is_(None), tables.c.id.in_(waiting)))
        return [decode(json.loads(row.snapshot)) for row in rows]

    async def newest_in(self, channel: int) -> Table | None:
        """The table that was changed last among those that *channel* has or had; ``None``: it never had one."""
        rows = await self._read(
            _TABLE.where(tables.c.channel_id == channel).order_by(tables.c.updated_at.desc()).limit(1)
        )
        return decode(json.loads(rows[0].snapshot)) if rows else None

    async def handles(self, table: TableId) -> list[Handle]:
        """Where the messages of *table* are, as far as they are recorded."""
        rows = await self._read(sa.select(messages).where(messages.c.table_id == table))
        return [Handle(row.slot, row.channel_id, row.message_id, row.token, row.token_at, row.told) for row in rows]

    async def history(self, table: TableId) -> list[tuple[int, dict[str, Any], Table]]:
        """Every version of *table*, oldest first, as (version, event, table at that version)."""
        rows = await self._read(sa.select(events).where(events.c.table_id == table).order_by(events.c.version))
        return [(row.version, json.loads(row.event), decode(json.loads(row.snapshot))) for row in rows]

    async def _read(self, query: sa.Select[Any]) -> list[Any]:
        """The rows of *query*, in a transaction of its own."""
        return await self._database.transaction(lambda connection: list(connection.execute(query).all()))


def _first_line(error: Exception) -> str:
    """The first line of what the database says in *error*, without the text and address that SQLAlchemy adds."""
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def _row(table: Table, at: int) -> dict[str, Any]:
    """The columns of *table*'s row in ``tables`` that every change sets."""
    live = table.channel if table.live else None
    return {"version": table.version, "live_channel_id": live, "updated_at": at}


def _event(table: Table, what: dict[str, Any], at: int, snapshot: str) -> dict[str, Any]:
    """The row of ``events`` for a change of *table*."""
    return {
        "table_id": table.id,
        "version": table.version,
        "at": at,
        "event": json.dumps(what),
        "snapshot": snapshot,
    }
