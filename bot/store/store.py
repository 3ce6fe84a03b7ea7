"""The database of tables, moves, records and messages. ``Store`` has a method for every read and write of the bot.

A change of a table - version, snapshot, timer, moves - is one transaction, committed before anybody is notified. The
version is the optimistic lock: a change made on an old version is refused as ``Conflict``. Every method that writes
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

from bot.clock import least_snowflake_at, snowflake_time
from bot.daily.choices import Choice
from bot.daily.results import DayResult
from bot.log import fields
from bot.metrics import Metrics
from bot.stats.profiles import Leaderboard, Profile
from bot.stats.ratings import EarlierMeeting, RatedPlayer
from bot.store import changes, daily, messages, migrations, people, postgresql, records, schema, servers, stats, tables
from bot.store.changes import Announcement
from bot.store.daily import Attempt, Board, BoardWish, DayRow, ServerResult
from bot.store.database import Damaged, Database, Refused, Unavailable
from bot.store.messages import DmsPause, KnownSlot, ShownMessage
from bot.store.migrations import OtherVersion
from bot.store.records import StoredRecord
from bot.store.stats import CountedRecord, RatingChanges
from bot.store.tables import QuarantinedTable, compact_json, table_row_values
from bot.store.writer import LOCK_WAIT_SECONDS, Writer, connect_database, failure_reason
from bot.tables.errors import (
    AlreadyProcessed,
    ChannelTaken,
    Conflict,
    LimitReached,
    NotWritten,
    OpenTableCounts,
    Refusal,
    TakenOverTables,
    UnusableTable,
)
from bot.tables.model import Table, TableId
from bot.tables.outages import OUTAGES_KEPT_MS, Outage, clipped_outage
from bot.tables.preferences import Ban, GuildSettings, Preferences, Server
from engine.game import Json

log = logging.getLogger(__name__)


T = TypeVar("T")


class TimedDatabase:
    """A ``Database`` around *database* that reports the duration and the failures of its transactions to *metrics*."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._metrics = metrics

    @property
    def lanes(self) -> int:
        """How many transactions that write can run at the same time."""
        return self._database.lanes

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath, for event listeners."""
        return self._database.sync_engine

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run *work*, which only reads, in a transaction, return its result, and report its duration or failure to the
        metrics.
        """
        return await self._run_and_report_duration("read", self._database.read(work))

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in a transaction, return its result once it is committed, and report its duration or failure to
        the metrics.
        """
        return await self._run_and_report_duration("write", self._database.write(work))

    async def _run_and_report_duration(self, kind: str, transaction: Awaitable[T]) -> T:
        """Wait for *transaction* and return its result; report its duration or its failure to the metrics.

        *kind* is "read" or "write". ``NotWritten`` counts as an answer, not as a failure.
        """
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
        """Close all connections."""
        await self._database.close()


# Built once, so that SQLAlchemy finds the compiled statement quickly. Every move runs the first two.
_UPDATE_TABLE: Final = schema.tables.update().where(
    schema.tables.c.id == sa.bindparam("which"), schema.tables.c.version == sa.bindparam("known")
)
_CHANGE_TABLE: Final = _UPDATE_TABLE.where(tables.IS_NEW_INTERACTION)
_INSERT_MOVES: Final = schema.moves.insert()
_UPDATE_HANDLE: Final = schema.messages.update().where(
    schema.messages.c.table_id == sa.bindparam("which"), schema.messages.c.slot == sa.bindparam("where")
)


class StoreUnreachable(Exception):
    """The database cannot be opened; the text says why, without its address."""


class Handle(NamedTuple):
    """The slot, channel and message id of one Discord message of a table, with an interaction token that can
    edit it.
    """

    slot: str
    channel: int
    message: int
    token: str | None = None
    """A token of an interaction that was made on this message, or answered or followed by it."""
    token_at: int = 0
    """When it was given, ms; it is valid for 15 minutes."""
    told: int = 0
    """What its owner was last notified of (``delivery.plan.notification_occasion``)."""


class Dms(NamedTuple):
    """Our direct messages with one person: the channel, and when Discord last refused one."""

    channel: int | None = None
    """The id of their channel; ``None``: none has been opened."""
    closed_at: int | None = None
    """When Discord last refused a direct message to the person, ms; ``None``: they accept them, as far as is known."""


class Store:
    """All reads and writes of the database: tables, moves, records, messages, people, servers. Open one with
    ``Store.open``.
    """

    def __init__(self, database: Database, retry_seconds: float, check: Callable[[Table], object]) -> None:
        self._database = database
        self._check = check
        self._writer = Writer(database, retry_seconds)
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
        retry_seconds: float = LOCK_WAIT_SECONDS,
        check: Callable[[Table], object] = lambda table: None,
        metrics: Metrics | None = None,
    ) -> "Store":
        """Open the database at *url* (a SQLAlchemy address with an async driver), create it or migrate its schema, and
        return its store; raise StoreUnreachable if that fails.

        While another program has locked the database, every write waits for up to *retry_seconds*. *check* raises
        ``UnusableTable`` for a table that can be read but cannot go on. *metrics* measure the transactions.

        Raises:
            StoreUnreachable: it cannot be opened, or another version of this program has to be used with it.
        """
        database: Database
        try:
            database = await connect_database(url)
        except (SQLAlchemyError, sqlite3.Error, OSError, ImportError, Refused) as error:
            raise StoreUnreachable(failure_reason(error)) from error
        if metrics is not None:
            database = TimedDatabase(database, metrics)
        store = cls(database, retry_seconds, check)
        try:
            await store._write(migrations.upgrade_schema)
        except BaseException as error:
            await database.close()  # its thread would keep the process alive
            if isinstance(error, (SQLAlchemyError, OSError, Damaged, CommandError, OtherVersion)):
                raise StoreUnreachable(failure_reason(error)) from error
            raise
        return store

    @classmethod
    async def open_read_only(cls, url: str) -> "Store":
        """Open the store at *url* only for reading, without migrating it; raise StoreUnreachable if that fails or its
        schema is another version's. A bot may run on it.

        Raises:
            StoreUnreachable: it cannot be opened, or its schema is another version's.
        """
        try:
            database = await connect_database(url, read_only=True)
        except (SQLAlchemyError, sqlite3.Error, OSError, ImportError, Refused) as error:
            raise StoreUnreachable(failure_reason(error)) from error
        try:
            if why := await database.read(migrations.why_unreadable):
                raise StoreUnreachable(why)
        except BaseException as error:
            await database.close()
            if isinstance(error, (SQLAlchemyError, OSError, Damaged, CommandError)):
                raise StoreUnreachable(failure_reason(error)) from error
            raise
        return cls(database, 0, lambda table: None)

    async def close(self) -> None:
        """Wait until all queued writes are committed, then close the database."""
        await self._writer.finish()
        await self._database.close()

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath, for event listeners."""
        return self._database.sync_engine

    async def count_processes(self) -> int:
        """Count the bot processes that run on the database now; 0 on SQLite."""
        return await self._database.read(postgresql.count_processes)

    async def announce_change(self, kind: str, changed_id: str = "") -> None:
        """Tell the other bot processes that a thing of this *kind*, with the id *changed_id*, has changed; do nothing
        on SQLite.
        """
        await self._write(partial(self._announce_change, kind=kind, changed_id=changed_id))

    def _announce_change(self, connection: Connection, kind: str, changed_id: str) -> None:
        """Tell the other bot processes of a change once the transaction of *connection* is committed; do nothing on
        SQLite.
        """
        changes.announce_change(connection, Announcement(self.sender, kind, changed_id))

    # Writing

    async def create_table(
        self,
        table: Table,
        last_change: dict[str, Any],
        at: int,
        check: Callable[[OpenTableCounts], None] | None = None,
        *,
        announce: bool = False,
    ) -> None:
        """Insert the new *table* at the time *at* (ms since 1970), or raise ChannelTaken (its channel has a live table)
        or LimitReached (*check* refuses it).

        *last_change* (what was done, and by whom) is stored beside it. *check* is given the counts of open tables, and
        raises Refusal if a limit is reached. Meanwhile nobody can open another table for the same person or server.
        With *announce* the other processes are told.

        Raises:
            ChannelTaken: its channel has a live table.
            LimitReached: *check* refuses it.
        """
        opener = {"guild_id": table.guild, "opened_by": table.opened_by, "opened_at": at}
        row = {**table_row_values(table, last_change, at), "id": table.id, "channel_id": table.channel, **opener}

        def work(connection: Connection) -> None:
            this = sa.select(schema.tables.c.id).where(schema.tables.c.id == table.id)
            if connection.execute(this).first() is not None:  # an attempt that was cut off has been committed
                return
            if tables.is_channel_taken(connection, table.occupied_channel):
                raise ChannelTaken
            if check is not None:
                postgresql.acquire_locks(connection, (opener["opened_by"], table.guild))
                try:
                    check(tables.count_open_tables(connection, opener["opened_by"], table.guild, at))
                except Refusal as no:
                    raise LimitReached(no) from None
            connection.execute(schema.tables.insert(), row)
            if announce:
                self._announce_change(connection, "table", table.id)

        try:
            await self._write(work, f"server {table.guild}")
        except IntegrityError as error:
            raise ChannelTaken from error

    async def save_change(
        self,
        table: Table,
        last_change: dict[str, Any],
        at: int,
        entries: Sequence[Json] = (),
        asked: Sequence[int] = (),
        *,
        announce: bool = False,
    ) -> None:
        """Save *table* as its new version with the new *entries* of its record; raise Conflict if the stored version is
        not the one before, or AlreadyProcessed if the click was.

        If the game is over now, its record is written as well, and the result of the attempt at a day's deal. *at* is
        the time (ms since 1970), *last_change* says what was done and by whom. *asked* are the ids of the interactions
        that asked for the change: the first one takes effect only once. With *announce* the other processes are told.

        Raises:
            Conflict: the stored version is not the one before.
            AlreadyProcessed: the first interaction in *asked* has changed a table already.
        """
        row = {**table_row_values(table, last_change, at), "which": table.id, "known": table.version - 1}
        row["interaction"] = next(iter(asked), None)
        attempts = count()

        def work(connection: Connection) -> None:
            first = next(attempts) == 0
            ended = not table.live and tables.is_live_in_database(connection, table.id)
            if connection.execute(_CHANGE_TABLE, row).rowcount != 1:
                if not first and tables.is_version_already_saved(connection, table, row["snapshot"]):
                    return  # an attempt that was cut off has been committed
                if asked and tables.is_interaction_processed(connection, asked[0]):
                    raise AlreadyProcessed
                raise Conflict
            for interaction in asked:
                tables.record_interaction(connection, interaction)
            if announce:
                self._announce_change(connection, "table", table.id)
            if entries:
                added = {"table_id": table.id, "version": table.version, "entries": compact_json(entries)}
                connection.execute(_INSERT_MOVES, added)
            if ended:
                daily.write_attempt_result_or_delete(connection, table, at)
                records.write_record_and_delete_moves(connection, table, at)

        await self._write_own(work, table.id)

    async def has_processed_interaction(self, interaction: int) -> bool:
        """Whether the interaction with the id *interaction* has changed a table, at least in the last 20 minutes."""
        return await self._database.read(lambda connection: tables.is_interaction_processed(connection, interaction))

    async def save_handle(self, table: TableId, handle: Handle) -> None:
        """Save where the Discord message of *table* in the slot of *handle* is (channel, message id) and its token, in
        place of an earlier one of the slot.
        """
        await self.save_handles(table, [handle])

    async def save_handles(self, table: TableId, handles: Sequence[Handle]) -> None:
        """Save where several Discord messages of *table* are (channel, message id) and their tokens, in place of
        earlier ones of the same slots, in one transaction.
        """

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

    async def save_shown_content(self, table: TableId, version: int, shown: Mapping[str, ShownMessage]) -> None:
        """Save what the messages of *table* show: slot -> message id and fingerprint of the content; do nothing if
        *version* is not its newest version any more.

        Every change of a table deletes this record, as the messages may then show something else.
        """
        said = compact_json({slot: [it.message, it.fingerprint.hex()] for slot, it in shown.items()})
        await self._execute_for_table(table, _UPDATE_TABLE, {"which": table, "known": version, "shown": said})

    async def forget_shown_content(self, table: TableId) -> None:
        """Delete the record of what the messages of *table* show, so that it is not known."""
        this = schema.tables.c.id == table
        await self._execute_for_table(table, schema.tables.update().where(this), {"shown": None})

    async def load_shown_content(self, table: TableId) -> dict[str, ShownMessage]:
        """Read what the messages of *table* show, as recorded: slot -> message id and fingerprint of the content; empty
        if that is not known.
        """
        return await self._database.read(lambda connection: messages.read_shown_content(connection, table))

    async def delete_handle(self, table: TableId, slot: str) -> None:
        """Delete the record of where the message of *table* in *slot* is; the message on Discord stays."""
        await self._execute_for_table(
            table, schema.messages.delete().where(schema.messages.c.table_id == table, schema.messages.c.slot == slot)
        )

    async def delete_handles(self, table: TableId, but: Collection[str] = ()) -> None:
        """Delete the records of where the messages of the finished *table* are, except those in the slots *but*; the
        messages on Discord stay.

        Without any such record no process takes the table over any more.
        """
        these = sa.and_(schema.messages.c.table_id == table, schema.messages.c.slot.not_in(but))
        await self._execute_for_table(table, schema.messages.delete().where(these))

    async def _execute_for_table(
        self, table: TableId, statement: sa.Executable, values: dict[str, Any] | None = None
    ) -> None:
        """Execute the SQL *statement* with *values* as a queued write for *table*, which this process serves, and wait
        until it is committed.
        """
        await self._write_own(lambda connection: connection.execute(statement, values), table)

    async def load_guild_settings_and_bans(self, guild: int) -> Server:
        """Read the settings and bans of the server *guild*; a damaged setting has the default, a damaged ban is left
        out, and both are logged.
        """
        found = await self._database.read(lambda connection: servers.read_guild_settings_and_bans(connection, guild))
        if found.bad:
            log.warning("settings of a server are damaged", extra=fields(guild=guild, what=",".join(found.bad)))
        return found.server

    async def save_guild_settings(self, guild: int, **changes: Any) -> GuildSettings:
        """Set *changes*, fields of ``GuildSettings``, in the stored settings of the server *guild*; return all its
        settings.
        """
        return await self._write(lambda connection: servers.write_guild_settings(connection, guild, changes))

    async def save_ban(self, guild: int, ban: Ban) -> None:
        """Save *ban* in the server *guild*, in place of any other ban of the same person there."""
        await self._write(lambda connection: servers.write_ban(connection, guild, ban))

    async def delete_ban(self, guild: int, ban: str) -> bool:
        """Delete the ban with the id *ban* in the server *guild*; return whether there was one."""
        return await self._write(lambda connection: servers.delete_ban(connection, guild, ban))

    async def load_dm_channel_and_refusal(self, user: int) -> Dms:
        """Read the id of the channel of our direct messages with *user*, and when Discord last refused one; what is not
        known is ``None``.
        """
        return Dms(
            *await self._database.read(lambda connection: messages.read_dm_channel_and_refusal(connection, user))
        )

    async def save_dm_channel_and_refusal(self, user: int, dms: Dms) -> None:
        """Save the id of the channel of our direct messages with *user*, and when Discord last refused one, in place of
        what was known.
        """

        def work(connection: Connection) -> None:
            connection.execute(schema.people.delete().where(schema.people.c.user_id == user))
            row = {"user_id": user, "dm_channel_id": dms.channel, "dms_closed_at": dms.closed_at}
            connection.execute(schema.people.insert(), row)

        await self._write(work, f"person {user}")

    async def dm_channel_times_since(self, at: int) -> list[int]:
        """List when all known direct message channels that are newer than *at* were created (ms since 1970, oldest
        first); empty if there are none.
        """
        newer = sa.select(schema.people.c.dm_channel_id).where(
            schema.people.c.dm_channel_id >= least_snowflake_at(at + 1)
        )
        found = [row.dm_channel_id for row in await self._read(newer)]
        return sorted(snowflake_time(channel) for channel in found if type(channel) is int)

    async def load_dms_pause(self) -> DmsPause | None:
        """Read until when, and after which error of Discord, the bot opens no direct message channels; ``None`` if
        there was no such time. It may be over.
        """
        return await self._database.read(messages.read_bot_dms_pause)

    async def save_dms_pause(self, pause: DmsPause) -> None:
        """Save until when, and after which error of Discord, the bot opens no direct message channels, in place of an
        earlier *pause*.
        """

        def work(connection: Connection) -> None:
            connection.execute(schema.dms_pause.delete())
            connection.execute(schema.dms_pause.insert(), {"id": 1, **pause._asdict()})

        await self._write(work)

    async def load_all_preferences(self) -> dict[int, Preferences]:
        """Read the preferences of everybody who has chosen something: user id -> preferences; damaged ones are left
        out.
        """
        return await self._database.read(messages.read_all_preferences)

    async def load_preferences(self, user: int) -> Preferences | None:
        """Read the preferences of *user*; ``None``: they have chosen nothing, or their row is damaged."""
        return await self._database.read(lambda connection: messages.read_preferences(connection, user))

    async def save_preferences(self, user: int, chosen: Preferences) -> None:
        """Save the preferences *chosen* by *user*, delete their ratings unless they have agreed to a rating, and tell
        the other processes.
        """

        def work(connection: Connection) -> None:
            messages.write_preferences(connection, user, chosen)
            self._announce_change(connection, "person", str(user))

        await self._write(work)

    async def record_heartbeat(self, at: int) -> None:
        """Save *at* (ms since 1970) as the last time at which a process was alive, and delete ids of interactions older
        than 20 minutes.
        """

        def work(connection: Connection) -> None:
            tables.delete_old_interaction_ids(connection, at)
            if connection.execute(schema.pulse.update().where(schema.pulse.c.id == 1), {"at": at}).rowcount == 0:
                connection.execute(schema.pulse.insert(), {"id": 1, "at": at})

        await self._write(work)

    async def record_startup_outage(self, at: int) -> list[Outage]:
        """Save the time from the last heartbeat to the start at *at* (ms since 1970) as an outage, save a heartbeat,
        and return all outages.
        """
        last = await self._read(sa.select(schema.pulse.c.at).where(schema.pulse.c.at < at))
        if last and isinstance(last[0].at, int):
            await self.record_outage(Outage(last[0].at, at))
        await self.record_heartbeat(at)
        return await self.load_outages(at)

    async def load_outages(self, at: int) -> list[Outage]:
        """Read all outages before the time *at* (ms since 1970), oldest first; correct or delete rows that cannot be,
        and log that.
        """
        return await self._write(lambda connection: _load_and_repair_outages(connection, at))

    async def record_outage(self, outage: Outage) -> None:
        """Save *outage*, in place of one with the same beginning, and delete those that ended more than eight days
        before its end.
        """

        def work(connection: Connection) -> None:
            connection.execute(
                schema.outages.delete().where(schema.outages.c.ended_at < outage.ended - OUTAGES_KEPT_MS)
            )
            same = schema.outages.c.began_at == outage.began
            if connection.execute(schema.outages.update().where(same), {"ended_at": outage.ended}).rowcount == 0:
                connection.execute(schema.outages.insert(), {"began_at": outage.began, "ended_at": outage.ended})

        try:
            await self._write(work)
        except IntegrityError:
            log.debug("another process has recorded the outage")

    # Taking over tables; tables that cannot go on

    async def tables_to_take_over(self, shards: Collection[int] | None = None, count: int = 1) -> list[TableId]:
        """List the ids of the tables that the process with *shards* has to serve, live ones first, newest change first;
        before that, end the quarantine of tables that can go on again.

        These are live tables, and finished ones whose messages may not show the end yet. *count* is the number of all
        shards; with ``None`` for *shards* it lists the tables of all. Quarantined tables that can be read again come
        back, if their channel is free.
        """
        known = await self._write(lambda connection: tables.tables_to_take_over(connection, self._check, shards, count))
        _log_restored(known.back)
        return known.which

    async def take_over_tables(self, table_ids: Collection[TableId], at: int) -> TakenOverTables:
        """Read the tables *table_ids*, to serve them from now on; quarantine and log, at the time *at* (ms since 1970),
        those that cannot be read.

        *at* is the time (ms).
        """
        return _log_and_convert_take_over(
            await self._write(lambda connection: tables.take_over_tables(connection, table_ids, at))
        )

    async def quarantine_table(self, unusable: UnusableTable, at: int) -> None:
        """Put the table of *unusable*, which cannot go on, into quarantine at the time *at* (ms since 1970): free its
        channel, stop its timers, and log that; do nothing if it is there already.
        """
        if await self._write_own(lambda connection: tables.quarantine_table(connection, unusable, at), unusable.table):
            _log_quarantined(unusable)

    async def unannounced_quarantines(self) -> list[QuarantinedTable]:
        """List the quarantined tables whose channel has not been told of it yet."""
        return [it for it in await self._database.read(tables.quarantined_tables) if it.to_tell]

    async def record_quarantine_announced(self, table: TableId, at: int) -> None:
        """Save that the channel of the quarantined *table* was told of it at the time *at* (ms since 1970)."""
        this = schema.set_aside.update().where(schema.set_aside.c.table_id == table)
        await self._write_own(lambda connection: connection.execute(this, {"told_at": at}), table)

    # Results

    async def next_record_not_in_stats(self) -> TableId | None:
        """Return the id of the table with the oldest record that is not in totals and ratings yet; ``None`` if all
        are.
        """
        return await self._database.read(stats.next_record_not_in_stats)

    async def rated_players(self, table: TableId) -> list[RatedPlayer]:
        """List the people with a rating place in the game of *table* who want a rating now, with their current ratings;
        empty if there are none.
        """
        return await self._database.read(lambda connection: stats.rated_players(connection, table))

    async def earlier_meetings(self, user: int, game: str) -> list[EarlierMeeting]:
        """List every opponent of *user* in their latest 400 rated games of *game*, once for each game, with the time
        and who was ahead.
        """
        return await self._database.read(lambda connection: stats.earlier_meetings(connection, user, game))

    async def add_record_to_stats(
        self, table: TableId, facts: CountedRecord | None, changes: RatingChanges, at: int
    ) -> bool:
        """Add the record of *table* to totals and ratings, once, at the time *at* (ms since 1970); return False, with
        nothing written, if ratings have changed since *changes* was computed.

        Then the caller computes *changes* again. If *facts* is ``None``, the record is only marked as counted. The
        rounds and choices of a day's attempt are written as well.
        """

        def work(connection: Connection) -> bool:
            done = stats.add_record_to_stats(connection, table, facts, changes, at)
            if done and facts is not None and facts.attempt is not None:
                daily.write_attempt_rounds_and_choices(connection, table, facts.attempt)
            return done

        return await self._write(work)

    async def load_profiles(self, user: int) -> dict[str, Profile]:
        """Read the totals, favourite partners and ratings of *user*: game name -> profile; empty if they have played
        nothing.
        """
        return await self._database.read(lambda connection: stats.read_profiles(connection, user))

    async def load_leaderboard(self, guild: int, game: str, reader: int) -> Leaderboard:
        """Read the leaderboard of *game* in the server *guild*: the best 20, and the entry of the person *reader*, if
        they have one.
        """
        return await self._database.read(lambda connection: stats.read_leaderboard(connection, guild, game, reader))

    # The deal of the day

    async def get_or_draw_day_secret(self, day: str, game: str, computers: str, at: int) -> DayRow:
        """Read the secret from which *game* is dealt on *day* (as "2026-11-28"); draw and save the secrets of *day* and
        of the day after if there are none yet.

        *computers* is the fingerprint of the computer players now (``engine.fingerprint``), *at* the time (ms). All
        processes get the same secrets.
        """
        return await self._write(
            lambda connection: daily.get_or_draw_day_secret(connection, day, game, computers, at), game
        )

    async def claim_day_attempt(
        self, day: str, game: str, user: int, table: TableId, guild: int, at: int
    ) -> TableId | None:
        """Record *table* as the one where *user* makes their only attempt at *game* on *day*, unless they have one
        already; return the id of their table; ``None``: *table* is closed by now.

        *table* must be in the store, with no cards dealt: deal them only if it is returned. *guild* is the server where
        they asked for it (0: none), *at* the time (ms). A table that is gone, or over without cards, has no attempt any
        more.
        """
        return await self._write(
            lambda connection: daily.claim_day_attempt(connection, day, game, user, table, guild, at), f"person {user}"
        )

    async def load_day_attempt(self, day: str, game: str, user: int) -> Attempt | None:
        """Read the attempt of *user* at *game* on *day*; ``None`` if there is none or its row is damaged."""
        return await self._database.read(lambda connection: daily.read_day_attempt(connection, day, game, user))

    async def day_results(self, day: str, game: str) -> list[DayResult]:
        """Read the results of all attempts at *game* on *day* that are over, in no order; damaged ones are left out."""
        return await self._database.read(lambda connection: daily.day_results(connection, day, game))

    async def day_results_in_server(self, guild: int, day: str, game: str) -> list[ServerResult]:
        """Read the results at *game* on *day* of those who asked for it in *guild*, want a rating and are not hidden,
        in the order in which they ended.
        """
        return await self._database.read(lambda connection: daily.day_results_in_server(connection, guild, day, game))

    async def choices_of_counted_attempts(self, day: str, game: str) -> list[tuple[Choice, ...]]:
        """Read the choices of every counted attempt at the deal of *game* on *day*, without damaged attempts; they are
        decoded in a thread.
        """
        packed = await self._database.read(lambda connection: daily.choices_of_counted_attempts(connection, day, game))
        return await asyncio.to_thread(daily.unpack_choices, packed)

    async def days_played(self, user: int, game: str) -> list[str]:
        """List the days (as "2026-11-28") of which *user* has begun the deal of *game*, oldest first."""
        return await self._database.read(lambda connection: daily.days_played(connection, user, game))

    async def servers_wanting_day_board(self, day: str) -> list[BoardWish]:
        """List the servers that have chosen a channel for the board with a day's results, with how many have finished
        each game's deal of *day* there.
        """
        return await self._database.read(lambda connection: daily.servers_wanting_day_board(connection, day))

    async def save_day_board_message_ids(self, guild: int, day: str, board: Board) -> None:
        """Save which message shows the results of *day* in the server *guild*, in place of an earlier *board*; nothing
        is sent to Discord.
        """
        await self._write(
            lambda connection: daily.write_day_board_message_ids(connection, guild, day, board), f"server {guild}"
        )

    async def load_day_board_message_ids(self, guild: int, day: str) -> Board | None:
        """Read which message shows the results of *day* in the server *guild*; ``None``: there is none, or its row is
        damaged.
        """
        return await self._database.read(lambda connection: daily.read_day_board_message_ids(connection, guild, day))

    # Upkeep

    async def delete_old_days(self, before: str) -> int:
        """Delete the secrets and the attempts of all days before *before* (as "2026-11-28"); return how many rows were
        deleted.
        """
        return await self._write(lambda connection: daily.delete_old_days(connection, before))

    async def delete_old_day_board_message_ids(self, before: str) -> int:
        """Delete the records of the messages that show results of days before *before*; return how many; the messages
        on Discord stay.
        """
        return await self._write(lambda connection: daily.delete_old_day_board_message_ids(connection, before))

    async def tables_with_unfinished_rematch(self) -> set[TableId]:
        """Read the ids of the finished tables whose rematch is in the lobby or running, in any process."""
        found: set[TableId] = set()
        last: TableId | None = TableId("")
        while last is not None:
            known, last = await self._database.read(partial(records.tables_with_unfinished_rematch, after=last))
            found |= known
        return found

    async def delete_old_records(self, before: int, needed: Collection[TableId], guild: int | None = None) -> int:
        """Delete up to 20 counted records of games that ended before *before* (ms since 1970), with their people and
        tables; return how many records; 0 if there are no more.

        With *guild* only those of that server. The tables of the games go as well, unless they are *needed*.
        """
        return await self._write(lambda connection: records.delete_old_records(connection, before, needed, guild))

    async def record_retention_days_by_guild(self) -> dict[int, int]:
        """Read for how many days each server keeps records: server id -> days, only for servers that have chosen a
        number.
        """
        return await self._database.read(servers.record_retention_days_by_guild)

    async def delete_expired_bans(self, before: int) -> int:
        """Delete the bans on all servers that ended before the time *before* (ms since 1970); return how many."""
        return await self._write(lambda connection: servers.delete_expired_bans(connection, before))

    async def delete_tables_without_record(
        self, after: TableId, before: int, needed: Collection[TableId]
    ) -> TableId | None:
        """Look at the next 500 tables after the id *after*, and delete the finished ones without a record that have not
        changed since *before* (ms since 1970); return the last id looked at, ``None`` at the end.

        Tables that are *needed* stay.
        """
        return await self._write(
            lambda connection: records.delete_tables_without_record(connection, after, before, needed)
        )

    async def release_free_pages(self) -> bool:
        """Give up to 64 free pages of the SQLite file back to the disk; return whether there may be more; do nothing on
        PostgreSQL, and return False.
        """
        return await self._write(records.release_free_pages)

    # One person

    async def find_mentions(self, user: int, names: Collection[str] = ()) -> people.PersonMentions:
        """Search all stored tables for *user*, by id and by their names (*names* and those in records); return the
        tables that mention them, and all names.
        """
        return await people.find_mentions(self._database.read, user, names)

    async def rows_about_person(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """Read all rows about *user*, as dicts without the id: name of the SQL table -> rows; also the bans of them and
        by them.
        """
        return await self._database.read(lambda connection: people.rows_about_person(connection, user))

    async def private_messages_of_seats(self, seats: Mapping[TableId, int]) -> list[tuple[TableId, str, int, int]]:
        """List (table, slot, channel id, message id) of the recorded messages that only the given seat at its table
        gets; *seats* is table -> seat.
        """
        return await self._database.read(lambda connection: people.private_messages_of_seats(connection, seats))

    async def load_game_records(self, table_ids: Sequence[TableId]) -> list[StoredRecord]:
        """Read the records of the games of the tables *table_ids*; tables without one are left out."""
        return await self._database.read(lambda connection: people.read_game_records(connection, table_ids))

    async def has_stored_ban_anywhere(self, user: int) -> bool:
        """Whether a ban of *user* is stored on any server, also one that has ended and is not deleted yet."""
        return bool(await self._database.read(lambda connection: servers.bans_of_person(connection, user)))

    async def erase_person(self, user: int, mentions: people.PersonMentions) -> bool:
        """Delete all rows about *user*, and save the card tables in *mentions* without *user* (not those that still run
        and can be read: ``Tables`` does that); return False if one has changed meanwhile.

        Then the caller searches again. The other processes are told if all is done.
        """
        made = await asyncio.to_thread(people.snapshots_without_person, mentions, user)

        def work(connection: Connection) -> bool:
            done = people.erase_person(connection, user, made)
            if done:
                self._announce_change(connection, "erased", str(user))
            return done

        return await self._write(work)

    # Reading

    async def table_version(self, table: TableId) -> int | None:
        """Read the number of the newest version of *table*; ``None``: there is no such table."""
        found = await self._read(sa.select(schema.tables.c.version).where(schema.tables.c.id == table))
        return found[0].version if found else None

    async def load_table(self, table: TableId) -> Table | None:
        """Read the newest version of *table*; ``None`` if there is no such table; raise UnusableTable if it cannot be
        read or is quarantined.
        """
        return await self._database.read(lambda connection: tables.load_table(connection, table))

    async def load_game_record(self, table: TableId) -> StoredRecord | None:
        """Read the record of the game of *table*; ``None``: it is not over, or no cards were dealt there."""
        return await self._database.read(lambda connection: records.read_game_record(connection, table))

    async def latest_games_of_person(self, user: int, guild: int | None, most: int) -> list[StoredRecord]:
        """Read the records of the latest games that *user* has played, newest first, at most *most*, in the server
        *guild* or (``None``) on all servers.
        """
        return await self._database.read(
            lambda connection: records.latest_games_of_person(connection, user, guild, most)
        )

    async def latest_public_games(self, user: int, guild: int, most: int) -> list[StoredRecord]:
        """Read the records of the latest games in *guild* whose known players have all agreed to show them, newest
        first, at most *most*; without the games of *user*.
        """
        return await self._database.read(lambda connection: records.latest_public_games(connection, user, guild, most))

    async def load_actions_and_seat_changes(self, table: Table) -> list[Json]:
        """Read all actions and seat changes at *table* from the deal to this version, oldest first; empty once its
        record is written.
        """
        return await self._database.read(lambda connection: records.read_actions_and_seat_changes(connection, table))

    async def live_solo_tables(self, user: int, channel: int) -> list[Table]:
        """Read the live solo tables that *user* has opened in the direct messages *channel*, whichever process serves
        them; unreadable ones are left out.
        """
        return await self._database.read(lambda connection: tables.live_solo_tables(connection, user, channel))

    async def live_tables_of_guild(self, guild: int) -> list[Table]:
        """Read the live tables of the server *guild*, oldest first, whichever process serves them; unreadable ones are
        left out.
        """
        return await self._database.read(lambda connection: tables.live_tables_of_guild(connection, guild))

    async def quarantined_tables_in_channels(self, channels: Collection[int]) -> list[QuarantinedTable]:
        """List the quarantined tables, which nothing serves because they cannot go on, in *channels*."""
        return [it for it in await self._database.read(tables.quarantined_tables) if it.channel in channels]

    async def guild_of_table(self, table: TableId) -> int | None:
        """Read the id of the server of *table* (0: direct messages); ``None``: there is no such table, or its server is
        not known.
        """
        found = await self._read(sa.select(schema.tables.c.guild_id).where(schema.tables.c.id == table))
        return found[0].guild_id if found else None

    async def count_open_tables(self, guild: int, person: int, at: int) -> OpenTableCounts:
        """Count the live tables that *person* has opened and those in the server *guild*, and list when *person* opened
        tables in the ten minutes before *at* (ms since 1970).

        *at* is the time (ms).
        """
        return await self._database.read(lambda connection: tables.count_open_tables(connection, person, guild, at))

    async def live_table_in_channel(self, channel: int) -> TableId | None:
        """Find the id of the live table in the server's *channel*, whichever process serves it; ``None``: it has
        none.
        """
        found = await self._read(sa.select(schema.tables.c.id).where(schema.tables.c.live_channel_id == channel))
        return TableId(found[0].id) if found else None

    async def load_handles(self, table: TableId, known: KnownSlot = lambda slot: True) -> list[Handle]:
        """Read slot, channel, message id and token of every recorded message of *table*; delete and log rows that are
        damaged or whose slot is not *known*.

        A row is invalid if it is damaged, or if its slot is not *known*.
        """
        found = await self._database.read(lambda connection: messages.read_valid_message_rows(connection, table, known))
        if found.bad:
            await self._write_own(
                lambda connection: messages.delete_message_rows_except(connection, table, found.good), table
            )
            log.warning("messages forgotten: their rows are damaged", extra=fields(table=table, rows=found.bad))
        return [
            Handle(intern(row.slot), row.channel_id, row.message_id, row.token, row.token_at, row.told)
            for row in found.good
        ]

    async def _read(self, query: sa.Select[Any]) -> list[Any]:
        """Run *query* in a transaction of its own that only reads, and return its rows."""
        return await self._database.read(lambda connection: list(connection.execute(query).all()))


def _load_and_repair_outages(connection: Connection, at: int) -> list[Outage]:
    """Read all outages, oldest first; shorten, or delete, and log those that end after the time *at* (ms since 1970) or
    cannot be.

    Such an outage would stop the clock of every turn.
    """
    known = [Outage(*row) for row in connection.execute(sa.select(schema.outages).order_by(schema.outages.c.began_at))]
    right = []
    for outage in known:
        past = clipped_outage(outage, at)
        this = schema.outages.c.began_at == outage.began
        if past is None:
            connection.execute(schema.outages.delete().where(this))
        elif past != outage:
            connection.execute(schema.outages.update().where(this), {"ended_at": past.ended})
        right += [past] if past is not None else []
    if wrong := len(set(known) - set(right)):
        log.warning("outages that cannot be were cut or deleted", extra=fields(outages=wrong))
    return right


def _log_and_convert_take_over(result: tables.TakeOverResult) -> TakenOverTables:
    """Log which tables in *result* were quarantined or corrected, and return *result* in the form for the caller."""
    for error in result.unusable:
        _log_quarantined(error)
    for table in result.settled:
        log.warning("a table was recorded as live where it is not: mended", extra=fields(table=table))
    return TakenOverTables(result.live, result.undelivered, [error.table for error in result.unusable])


def _log_restored(restored: Collection[TableId]) -> None:
    """Log for each table in *restored* that it was in quarantine and can go on again."""
    for table in restored:
        log.info("table can go on again", extra=fields(table=table))


def _log_quarantined(unusable: UnusableTable) -> None:
    """Log that a table was quarantined: which one and why, but nothing of its content."""
    log.error("table set aside", extra=fields(table=unusable.table, error=unusable.error, where=unusable.where))
