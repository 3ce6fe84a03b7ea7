"""Tables, their moves, records and messages in a database. A table's change - version, snapshot, timer, moves - is one
transaction, committed before anybody is notified.

The version is the optimistic lock: a change made on an old version is refused as ``Conflict``. Every method that writes
has committed when it returns.
"""

import asyncio
import logging
import secrets
import sqlite3
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import count
from sys import intern
from typing import Any, Final, NamedTuple, TypeVar

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from bot.clock import snowflake_at, snowflake_time
from bot.log import fields
from bot.metrics import Metrics
from bot.stats.profiles import Leaderboard, Profile
from bot.stats.ratings import Earlier, Met
from bot.store import changes, messages, migrations, people, postgresql, records, schema, servers, stats, tables
from bot.store.changes import Announced
from bot.store.database import Damaged, Database, Refused, Unavailable
from bot.store.messages import KnownSlot, Pause, Shown
from bot.store.migrations import OtherVersion
from bot.store.records import Kept
from bot.store.stats import Counted, Rated
from bot.store.tables import Aside, compact, row_of
from bot.store.writer import PATIENCE_SECONDS, Writer, connect, why_not
from bot.tables.errors import (
    AlreadyCounted,
    ChannelTaken,
    Conflict,
    NotWritten,
    Opened,
    Refusal,
    TakenOver,
    TooMany,
    Unusable,
)
from bot.tables.model import Table, TableId
from bot.tables.outages import KEPT_MS, Outage, ended_by
from bot.tables.preferences import Ban, GuildSettings, Preferences, Server
from engine.game import Json

log = logging.getLogger(__name__)


T = TypeVar("T")


class Timed:
    """Does what *database* does, and tells *metrics* how long each transaction took, and which failed."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._metrics = metrics

    @property
    def lanes(self) -> int:
        """As ``Database.lanes`` says."""
        return self._database.lanes

    @property
    def sync_engine(self) -> sa.Engine:
        """As ``Database.sync_engine`` says."""
        return self._database.sync_engine

    async def read(self, work: Callable[[Connection], T]) -> T:
        """As ``Database.read`` says."""
        return await self._measured("read", self._database.read(work))

    async def write(self, work: Callable[[Connection], T]) -> T:
        """As ``Database.write`` says."""
        return await self._measured("write", self._database.write(work))

    async def _measured(self, kind: str, transaction: Awaitable[T]) -> T:
        """The result of *transaction*, which is of this *kind*."""
        began = time.perf_counter()
        try:
            result = await transaction
        except NotWritten:  # answers, not failures
            raise
        except Unavailable:
            self._metrics.count_failed_transaction(kind, "locked")
            raise
        except Exception:
            self._metrics.count_failed_transaction(kind, "refused")
            raise
        self._metrics.observe_transaction(kind, time.perf_counter() - began)
        return result

    async def close(self) -> None:
        """As ``Database.close`` says."""
        await self._database.close()


# Built once, so that SQLAlchemy finds the compiled statement quickly. Every move runs the first two.
_UPDATE_TABLE: Final = schema.tables.update().where(
    schema.tables.c.id == sa.bindparam("which"), schema.tables.c.version == sa.bindparam("known")
)
_CHANGE_TABLE: Final = _UPDATE_TABLE.where(tables.IS_NEW)
_INSERT_MOVES: Final = schema.moves.insert()
_UPDATE_HANDLE: Final = schema.messages.update().where(
    schema.messages.c.table_id == sa.bindparam("which"), schema.messages.c.slot == sa.bindparam("where")
)


class StoreUnreachable(Exception):
    """The database cannot be opened; the text says why, without its address."""


class Handle(NamedTuple):
    """Where a message of a table is, and the interaction token that can edit it, if there is one."""

    slot: str
    channel: int
    message: int
    token: str | None = None
    """A token of an interaction that was made on this message, or answered or followed by it."""
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
    """Tables, their moves, records and messages. Open one with ``Store.open``."""

    def __init__(self, database: Database, patience: float, check: Callable[[Table], object]) -> None:
        self._database = database
        self._check = check
        self._writer = Writer(database, patience)
        self.sender = secrets.token_hex(4)
        """What this process is called in what it announces to the others."""
        self._write = self._writer.write
        self._write_own = partial(self._writer.write, alone=False)
        """The same, about a table that is served here: nobody else writes its rows."""

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        patience: float = PATIENCE_SECONDS,
        check: Callable[[Table], object] = lambda table: None,
        metrics: Metrics | None = None,
    ) -> "Store":
        """Open the store at *url* (a SQLAlchemy address with an async driver), and migrate it to the newest schema.

        While another program has locked the database, everything that is written waits for up to *patience* seconds.
        *check* raises ``Unusable`` for a table that can be read but cannot go on. *metrics* measure the transactions.

        Raises:
            StoreUnreachable: it cannot be opened, or another version of this program has to be used with it.
        """
        database: Database
        try:
            database = await connect(url)
        except (SQLAlchemyError, sqlite3.Error, OSError, ImportError, Refused) as error:
            raise StoreUnreachable(why_not(error)) from error
        if metrics is not None:
            database = Timed(database, metrics)
        store = cls(database, patience, check)
        try:
            await store._write(migrations.upgrade)
        except BaseException as error:
            await database.close()  # its thread would keep the process alive
            if isinstance(error, (SQLAlchemyError, OSError, Damaged, CommandError, OtherVersion)):
                raise StoreUnreachable(why_not(error)) from error
            raise
        return store

    @classmethod
    async def reading(cls, url: str) -> "Store":
        """Open the store at *url* for reading alone, also while a bot runs on it.

        Raises:
            StoreUnreachable: it cannot be opened, or its schema is another version's.
        """
        try:
            database = await connect(url, read_only=True)
        except (SQLAlchemyError, sqlite3.Error, OSError, ImportError, Refused) as error:
            raise StoreUnreachable(why_not(error)) from error
        try:
            if why := await database.read(migrations.unread):
                raise StoreUnreachable(why)
        except BaseException as error:
            await database.close()
            if isinstance(error, (SQLAlchemyError, OSError, Damaged, CommandError)):
                raise StoreUnreachable(why_not(error)) from error
            raise
        return cls(database, 0, lambda table: None)

    async def close(self) -> None:
        """Wait until everything is written, then close the database."""
        await self._writer.finish()
        await self._database.close()

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath, for event listeners."""
        return self._database.sync_engine

    async def living(self) -> int:
        """How many processes of the bot use the database, if it is PostgreSQL."""
        return await self._database.read(postgresql.living)

    async def announce(self, kind: str, what: str = "") -> None:
        """Have the other processes know that something of this *kind* has changed (``changes.Announced``)."""
        await self._write(partial(self._announce, kind=kind, what=what))

    def _announce(self, connection: Connection, kind: str, what: str) -> None:
        """As ``announce``, once the transaction of *connection* is committed."""
        changes.announce(connection, Announced(self.sender, kind, what))

    # Writing

    async def create(
        self,
        table: Table,
        what: dict[str, Any],
        at: int,
        check: Callable[[Opened], None] | None = None,
        *,
        announce: bool = False,
    ) -> None:
        """Store the new *table* as version 1, at the time *at* (ms); *what* is noted as what was done. *check* is given
        what is open already, and raises Refusal if that is enough; nobody opens another one of the same person or
        server meanwhile.

        Raises:
            ChannelTaken: its channel has a live table.
            TooMany: *check* refuses it.
        """
        opener = {"guild_id": table.guild, "opened_by": table.opened_by, "opened_at": at}
        row = {**row_of(table, what, at), "id": table.id, "channel_id": table.channel, **opener}

        def work(connection: Connection) -> None:
            taken = sa.select(schema.tables.c.id).where(schema.tables.c.live_channel_id == table.channel)
            found = connection.execute(taken).scalar()
            if found == table.id:  # an attempt that was cut off has been committed
                return
            if found is not None:
                raise ChannelTaken
            if check is not None:
                postgresql.hold(connection, (opener["opened_by"], table.guild))
                try:
                    check(tables.opened(connection, opener["opened_by"], table.guild, at))
                except Refusal as no:
                    raise TooMany(no) from None
            connection.execute(schema.tables.insert(), row)
            if announce:
                self._announce(connection, "table", table.id)

        try:
            await self._write(work, f"server {table.guild}")
        except IntegrityError as error:
            raise ChannelTaken from error

    async def change(
        self,
        table: Table,
        what: dict[str, Any],
        at: int,
        entries: Sequence[Json] = (),
        asked: Sequence[int] = (),
        *,
        announce: bool = False,
    ) -> None:
        """Store *table* as its new version, at the time *at* (ms); *what* is noted as what was done. *entries* are what
        this adds to the record of its game, which is written once that is over. *asked* are the
        interactions that have asked for it: the first one counts once. With *announce* other processes are told.

        Raises:
            Conflict: the stored version is not the one before.
            AlreadyCounted: the first of those that have *asked* has changed a table already.
        """
        row = {**row_of(table, what, at), "which": table.id, "known": table.version - 1}
        row["interaction"] = next(iter(asked), None)
        attempts = count()

        def work(connection: Connection) -> None:
            first = next(attempts) == 0
            ended = not table.live and tables.is_recorded_live(connection, table.id)
            if connection.execute(_CHANGE_TABLE, row).rowcount != 1:
                if not first and tables.is_stored(connection, table, row["snapshot"]):
                    return  # an attempt that was cut off has been committed
                if asked and tables.is_counted(connection, asked[0]):
                    raise AlreadyCounted
                raise Conflict
            for interaction in asked:
                tables.count(connection, interaction)
            if announce:
                self._announce(connection, "table", table.id)
            if entries:
                added = {"table_id": table.id, "version": table.version, "entries": compact(entries)}
                connection.execute(_INSERT_MOVES, added)
            if ended:
                records.close(connection, table, at)

        await self._write_own(work, table.id)

    async def has_counted(self, interaction: int) -> bool:
        """Whether *interaction* has changed a table, as far as that is recorded."""
        return await self._database.read(lambda connection: tables.is_counted(connection, interaction))

    async def put_handle(self, table: TableId, handle: Handle) -> None:
        """Record *handle* as the place of *table*'s message in ``handle.slot``; it replaces an earlier one."""
        await self.put_handles(table, [handle])

    async def put_handles(self, table: TableId, handles: Sequence[Handle]) -> None:
        """Record all of *handles*, or none of them, as ``put_handle`` does."""

        def work(connection: Connection) -> None:
            for handle in handles:
                row = {
                    "channel_id": handle.channel,
                    "message_id": handle.message,
                    "token": handle.token,
                    "token_at": handle.token_at,
                    "told": handle.told,
                }
                here = {"which": table, "where": handle.slot}
                if connection.execute(_UPDATE_HANDLE, {**row, **here}).rowcount == 0:
                    connection.execute(schema.messages.insert(), {**row, "table_id": table, "slot": handle.slot})

        await self._write_own(work, table)

    async def put_shown(self, table: TableId, version: int, shown: Mapping[str, Shown]) -> None:
        """Record what the messages of *table* show, by slot, if *version* is still its newest: every change of a table
        makes that doubtful, and so forgets it."""
        said = compact({slot: [it.message, it.fingerprint.hex()] for slot, it in shown.items()})
        await self._write_about(table, _UPDATE_TABLE, {"which": table, "known": version, "shown": said})

    async def forget_shown(self, table: TableId) -> None:
        """Forget what the messages of *table* show."""
        this = schema.tables.c.id == table
        await self._write_about(table, schema.tables.update().where(this), {"shown": None})

    async def shown(self, table: TableId) -> dict[str, Shown]:
        """What the messages of *table* show, by slot, as far as it is recorded."""
        return await self._database.read(lambda connection: messages.shown_of(connection, table))

    async def drop_handle(self, table: TableId, slot: str) -> None:
        """Delete the record of *table*'s message in *slot*. The message itself is not touched."""
        await self._write_about(
            table, schema.messages.delete().where(schema.messages.c.table_id == table, schema.messages.c.slot == slot)
        )

    async def drop_handles(self, table: TableId, but: Collection[str] = ()) -> None:
        """Delete the records of all messages of *table*, which is over and shown everywhere, *but* those in some slots:
        without any it is not ``undelivered`` any more."""
        these = sa.and_(schema.messages.c.table_id == table, schema.messages.c.slot.not_in(but))
        await self._write_about(table, schema.messages.delete().where(these))

    async def _write_about(
        self, table: TableId, statement: sa.Executable, values: dict[str, Any] | None = None
    ) -> None:
        """Execute *statement*, which writes something about *table*, with *values*."""
        await self._write_own(lambda connection: connection.execute(statement, values), table)

    async def server(self, guild: int) -> Server:
        """All that was decided about *guild*. What is damaged counts as the default, or as no ban; that is logged."""
        found = await self._database.read(lambda connection: servers.read(connection, guild))
        if found.bad:
            log.warning("settings of a server are damaged", extra=fields(guild=guild, what=",".join(found.bad)))
        return found.server

    async def choose_for_guild(self, guild: int, **changes: Any) -> GuildSettings:
        """Record *changes*, fields of ``GuildSettings``, for *guild*, and return all that is chosen now."""
        return await self._write(lambda connection: servers.choose(connection, guild, changes))

    async def ban(self, guild: int, ban: Ban) -> None:
        """Record *ban* in *guild*, in place of any other of the same person."""
        await self._write(lambda connection: servers.ban(connection, guild, ban))

    async def lift(self, guild: int, ban: str) -> bool:
        """Delete the ban with the id *ban* in *guild*; return whether there was one."""
        return await self._write(lambda connection: servers.lift(connection, guild, ban))

    async def dms(self, user: int) -> Dms:
        """What is known of the direct messages with *user*."""
        return Dms(*await self._database.read(lambda connection: messages.person(connection, user)))

    async def put_dms(self, user: int, dms: Dms) -> None:
        """Record *dms* as what is known of the direct messages with *user*."""

        def work(connection: Connection) -> None:
            connection.execute(schema.people.delete().where(schema.people.c.user_id == user))
            row = {"user_id": user, "dm_channel_id": dms.channel, "dms_closed_at": dms.closed_at}
            connection.execute(schema.people.insert(), row)

        await self._write(work, f"person {user}")

    async def conversations_since(self, at: int) -> list[int]:
        """When Discord made those conversations with people that are newer than *at* (ms), oldest first."""
        newer = sa.select(schema.people.c.dm_channel_id).where(schema.people.c.dm_channel_id >= snowflake_at(at + 1))
        found = [row.dm_channel_id for row in await self._read(newer)]
        return sorted(snowflake_time(channel) for channel in found if type(channel) is int)

    async def dms_pause(self) -> Pause | None:
        """The last pause in opening conversations; ``None``: there was none."""
        return await self._database.read(messages.pause)

    async def pause_dms(self, pause: Pause) -> None:
        """Record *pause* in place of the one before."""

        def work(connection: Connection) -> None:
            connection.execute(schema.dms_pause.delete())
            connection.execute(schema.dms_pause.insert(), {"id": 1, **pause._asdict()})

        await self._write(work)

    async def preferences(self) -> dict[int, Preferences]:
        """What people have chosen for themselves, by their id; only of those who have chosen something."""
        return await self._database.read(messages.chosen)

    async def preferences_of(self, user: int) -> Preferences | None:
        """What *user* has chosen for themselves; ``None``: nothing."""
        return await self._database.read(lambda connection: messages.chosen_by(connection, user))

    async def put_preferences(self, user: int, chosen: Preferences) -> None:
        """Record *chosen* as what *user* has chosen, and announce that; if these are the defaults, nothing stays
        recorded."""

        def work(connection: Connection) -> None:
            messages.choose(connection, user, chosen)
            self._announce(connection, "person", str(user))

        await self._write(work)

    async def pulse(self, at: int) -> None:
        """Record that this process is alive at the time *at* (ms); forget interactions that cannot come again."""

        def work(connection: Connection) -> None:
            tables.forget(connection, at)
            if connection.execute(schema.pulse.update().where(schema.pulse.c.id == 1), {"at": at}).rowcount == 0:
                connection.execute(schema.pulse.insert(), {"id": 1, "at": at})

        await self._write(work)

    async def wake(self, at: int) -> list[Outage]:
        """Record that this process starts at the time *at* (ms), and the outage that has just ended; return all
        outages."""
        last = await self._read(sa.select(schema.pulse.c.at).where(schema.pulse.c.at < at))
        if last and isinstance(last[0].at, int):
            await self.outage(Outage(last[0].at, at))
        await self.pulse(at)
        return await self.outages(at)

    async def outages(self, at: int) -> list[Outage]:
        """All outages before the time *at* (ms)."""
        return await self._write(lambda connection: _right_outages(connection, at))

    async def outage(self, outage: Outage) -> None:
        """Record *outage*, and delete those that are too old to matter."""

        def work(connection: Connection) -> None:
            connection.execute(schema.outages.delete().where(schema.outages.c.ended_at < outage.ended - KEPT_MS))
            same = schema.outages.c.began_at == outage.began
            if connection.execute(schema.outages.update().where(same), {"ended_at": outage.ended}).rowcount == 0:
                connection.execute(schema.outages.insert(), {"began_at": outage.began, "ended_at": outage.ended})

        try:
            await self._write(work)
        except IntegrityError:
            log.debug("another process has recorded the outage")

    # Tables that cannot go on

    async def to_take_over(self, shards: Collection[int] | None = None, count: int = 1) -> list[TableId]:
        """Every table of *shards*, of so many in all (``None``: of all shards), that this process has to serve from now
        on, those that changed last first; for ``take_over_some``. Those set aside that can be read again come back,
        where their channel is free."""
        known = await self._write(lambda connection: tables.to_take_over(connection, self._check, shards, count))
        _log_back(known.back)
        return known.which

    async def take_over_some(self, which: Collection[TableId], at: int) -> TakenOver:
        """The tables *which*, of those that are ``to_take_over``, at the time *at* (ms). Those that cannot be read are
        set aside, which is logged."""
        return _taken_over(await self._write(lambda connection: tables.take_over(connection, which, at)))

    async def set_aside(self, found: Unusable, at: int) -> None:
        """Record at the time *at* (ms) that a table cannot go on: its channel is free from now on.

        The first time, that is logged.
        """
        if await self._write_own(lambda connection: tables.put_aside(connection, found, at), found.table):
            _log_set_aside(found)

    async def to_tell(self) -> list[Aside]:
        """The tables that were set aside without their channel having been told."""
        return [it for it in await self._database.read(tables.listed) if it.to_tell]

    async def told(self, table: TableId, at: int) -> None:
        """Record that the channel of *table*, which is set aside, was told at the time *at* (ms)."""
        this = schema.set_aside.update().where(schema.set_aside.c.table_id == table)
        await self._write_own(lambda connection: connection.execute(this, {"told_at": at}), table)

    # Results

    async def next_uncounted(self) -> TableId | None:
        """The table of the oldest record that is to be counted; ``None``: there is none."""
        return await self._database.read(stats.next_uncounted)

    async def met(self, table: TableId) -> list[Met]:
        """The people between whom the game of the record of *table* is rated, with their ratings now."""
        return await self._database.read(lambda connection: stats.met(connection, table))

    async def meetings(self, user: int, game: str) -> list[Earlier]:
        """Whom *user* has met in the latest games of *game* that were rated for them."""
        return await self._database.read(lambda connection: stats.meetings(connection, user, game))

    async def count(self, table: TableId, found: Counted | None, rated: Rated, at: int) -> bool:
        """Add the record of *table* to totals and ratings as ``results.count`` does; return whether that is settled."""
        return await self._write(lambda connection: stats.count(connection, table, found, rated, at))

    async def profiles(self, user: int) -> dict[str, Profile]:
        """What is known of *user*, by the name of each game that they have played."""
        return await self._database.read(lambda connection: stats.profiles(connection, user))

    async def leaderboard(self, guild: int, game: str, own: int) -> Leaderboard:
        """The leaderboard of *game* in *guild*, with the place of the person *own*."""
        return await self._database.read(lambda connection: stats.leaderboard(connection, guild, game, own))

    # Upkeep

    async def rematched(self) -> set[TableId]:
        """The tables that are over, but whose rematch is being prepared or played, in whichever process."""
        found: set[TableId] = set()
        last: TableId | None = TableId("")
        while last is not None:
            known, last = await self._database.read(partial(records.rematched, after=last))
            found |= known
        return found

    async def drop_records(self, before: int, needed: Collection[TableId], guild: int | None = None) -> int:
        """Delete some records as ``retention.drop_records`` does; return how many, 0 being all."""
        return await self._write(lambda connection: records.drop_records(connection, before, needed, guild))

    async def keep_records_for(self) -> dict[int, int]:
        """For how many days records are kept, by server, where that was chosen."""
        return await self._database.read(servers.keep_records_for)

    async def drop_bans(self, before: int) -> int:
        """Delete the bans that ended before the time *before* (ms); return how many."""
        return await self._write(lambda connection: servers.drop_bans(connection, before))

    async def drop_leftovers(self, after: TableId, before: int, needed: Collection[TableId]) -> TableId | None:
        """Delete some tables as ``retention.drop_leftovers`` does; return the last one looked at, ``None`` at the
        end."""
        return await self._write(lambda connection: records.drop_leftovers(connection, after, before, needed))

    async def give_back(self) -> bool:
        """Give a little of the space that is free in the database back to the disk; return whether there may be
        more."""
        return await self._write(records.give_back)

    # One person

    async def mentions(self, user: int, names: Collection[str] = ()) -> people.Found:
        """Every table that says something of *user*, who is called one of *names* (``personal.find``)."""
        return await people.find(self._database.read, user, names)

    async def rows_of(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """The rows about *user*, by table (``personal.rows_of``)."""
        return await self._database.read(lambda connection: people.rows_of(connection, user))

    async def own_messages(self, seats: Mapping[TableId, int]) -> list[tuple[TableId, str, int, int]]:
        """The messages for *seats* (``personal.own_messages``)."""
        return await self._database.read(lambda connection: people.own_messages(connection, seats))

    async def records(self, which: Sequence[TableId]) -> list[Kept]:
        """What remains of the games of the tables *which*."""
        return await self._database.read(lambda connection: people.records_of(connection, which))

    async def is_banned(self, user: int) -> bool:
        """Whether *user* is banned from tables somewhere, or was lately."""
        return bool(await self._database.read(lambda connection: servers.bans_of(connection, user)))

    async def erase(self, user: int, found: people.Found) -> bool:
        """Delete all rows about *user*, and whatever the snapshots that were *found* and are not live say of them.
        Return whether that is all: if not, some have changed meanwhile."""
        made = await asyncio.to_thread(people.scrubbed, found, user)

        def work(connection: Connection) -> bool:
            done = people.erase(connection, user, made)
            if done:
                self._announce(connection, "erased", str(user))
            return done

        return await self._write(work)

    # Reading

    async def version(self, table: TableId) -> int | None:
        """The newest version of *table*, as a number; ``None``: there is no such table."""
        found = await self._read(sa.select(schema.tables.c.version).where(schema.tables.c.id == table))
        return found[0].version if found else None

    async def load(self, table: TableId) -> Table | None:
        """The newest version of *table*; ``None``: there is no such table.

        Raises:
            Unusable: it cannot be read, or is set aside.
        """
        return await self._database.read(lambda connection: tables.load(connection, table))

    async def record(self, table: TableId) -> Kept | None:
        """What remains of the game of *table*; ``None``: it is not over, or no cards were dealt there."""
        return await self._database.read(lambda connection: records.read(connection, table))

    async def own_games(self, user: int, guild: int | None, most: int) -> list[Kept]:
        """What ``archive.own_games`` finds."""
        return await self._database.read(lambda connection: records.own_games(connection, user, guild, most))

    async def agreed_games(self, user: int, guild: int, most: int) -> list[Kept]:
        """What ``archive.agreed_games`` finds."""
        return await self._database.read(lambda connection: records.agreed_games(connection, user, guild, most))

    async def entries(self, table: Table) -> list[Json]:
        """What has been done at *table*, up to this version of it, since the cards were dealt, oldest first."""
        return await self._database.read(lambda connection: records.entries(connection, table))

    async def live_tables_of(self, guild: int) -> list[Table]:
        """The live tables of *guild*, wherever they are served, the one that was opened first first."""
        return await self._database.read(lambda connection: tables.live_of(connection, guild))

    async def set_aside_in(self, channels: Collection[int]) -> list[Aside]:
        """The tables that are set aside, of those in *channels*."""
        return [it for it in await self._database.read(tables.listed) if it.channel in channels]

    async def guild_of(self, table: TableId) -> int | None:
        """The server of *table*; ``None``: there is no such table."""
        found = await self._read(sa.select(schema.tables.c.guild_id).where(schema.tables.c.id == table))
        return found[0].guild_id if found else None

    async def opened(self, guild: int, person: int, at: int) -> Opened:
        """What is open when *person* opens one more table in *guild* at the time *at* (ms)."""
        return await self._database.read(lambda connection: tables.opened(connection, person, guild, at))

    async def live_in(self, channel: int) -> TableId | None:
        """The live table in *channel*; ``None``: it has none."""
        found = await self._read(sa.select(schema.tables.c.id).where(schema.tables.c.live_channel_id == channel))
        return TableId(found[0].id) if found else None

    async def handles(self, table: TableId, known: KnownSlot = lambda slot: True) -> list[Handle]:
        """Where the messages of *table* are, as far as they are recorded. What is recorded of those that are damaged,
        or whose slot is not *known*, is deleted; that is logged."""
        found = await self._database.read(lambda connection: messages.messages_of(connection, table, known))
        if found.bad:
            await self._write_own(lambda connection: messages.keep_messages(connection, table, found.good), table)
            log.warning("messages forgotten: their rows are damaged", extra=fields(table=table, rows=found.bad))
        return [
            Handle(intern(row.slot), row.channel_id, row.message_id, row.token, row.token_at, row.told)
            for row in found.good
        ]

    async def _read(self, query: sa.Select[Any]) -> list[Any]:
        """The rows of *query*, in a transaction of its own."""
        return await self._database.read(lambda connection: list(connection.execute(query).all()))


def _right_outages(connection: Connection, at: int) -> list[Outage]:
    """All outages, the first one first. Those that do not lie before the time *at* (ms) are cut or deleted: they would
    stop every turn's time. That is logged."""
    known = [Outage(*row) for row in connection.execute(sa.select(schema.outages).order_by(schema.outages.c.began_at))]
    right = []
    for outage in known:
        past = ended_by(outage, at)
        this = schema.outages.c.began_at == outage.began
        if past is None:
            connection.execute(schema.outages.delete().where(this))
        elif past != outage:
            connection.execute(schema.outages.update().where(this), {"ended_at": past.ended})
        right += [past] if past is not None else []
    if wrong := len(set(known) - set(right)):
        log.warning("outages that cannot be were cut or deleted", extra=fields(outages=wrong))
    return right


def _taken_over(found: tables.Found) -> TakenOver:
    """What was *found* of tables to be served; what is wrong with some of them is logged."""
    for error in found.unusable:
        _log_set_aside(error)
    for table in found.settled:
        log.warning("a table was recorded as live where it is not: mended", extra=fields(table=table))
    return TakenOver(found.live, found.undelivered, [error.table for error in found.unusable])


def _log_back(back: Collection[TableId]) -> None:
    """Log which tables were set aside, and come *back*."""
    for table in back:
        log.info("table can go on again", extra=fields(table=table))


def _log_set_aside(found: Unusable) -> None:
    """Log that a table was set aside: which one and why, but nothing of what is stored of it."""
    log.error("table set aside", extra=fields(table=found.table, error=found.error, where=found.where))
