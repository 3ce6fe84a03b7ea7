"""A session of PostgreSQL beside the pool: the locks of this process, those of the others, and announcements.

An advisory lock that belongs to a session is free as soon as the session ends: at once if its process dies, after
``IDLE_SECONDS`` if its process stands still, or the network is cut.
https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS

A host can read all locks: ``SELECT * FROM pg_locks WHERE locktype = 'advisory'`` has the kind of each lock in
``classid``, its number in ``objid``, and the process that holds it in ``pid``.
"""

import asyncio
import os
import re
import socket
from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from bot.store import postgresql
from bot.store.changes import CHANNEL
from bot.store.database import Unavailable
from bot.store.postgresql import connect_without_pool, exception_for_database_error

IDLE_SECONDS: Final = 5.0
"""After so many seconds without a query PostgreSQL ends the session and frees its locks (``idle_session_timeout``)."""
ANSWER_SECONDS: Final = 5.0
"""How long a query may wait for its answer."""
LONGEST_NAME: Final = 63
"""PostgreSQL cuts an ``application_name`` that has more bytes."""


class LockKind(IntEnum):
    """The kinds of advisory locks by which the bot's processes share shards and work (``pg_locks.classid``)."""

    SHARD = postgresql.SHARD_LOCK_KIND
    """The shard of that number is held."""
    WANTED = 1702
    """A session with Discord is being opened for the shard, to take it over from whoever holds it."""
    READY = 1703
    """That session is READY: whoever holds the shard may let go of it."""
    CHORES = 1704
    """What one process does for all: counting records, backups, publishing emojis, registering commands."""
    IDENTIFY = 1705
    """A shard of that ``max_concurrency`` bucket identifies. https://discord.com/developers/docs/events/gateway#rate-limiting"""
    JOINING = 1706
    """A process joins the others."""


class Lock(NamedTuple):
    """An advisory lock with two keys."""

    kind: int
    number: int


class Process(NamedTuple):
    """A bot process on the database: its session, bot, number of shards, and whether it is leaving."""

    id: int
    """The number of its session's backend, ``pg_stat_activity.pid``."""
    application: int
    """The bot that it is."""
    shards: int
    """The number of all shards."""
    leaving: bool
    """Whether it hands its shards over, and then ends."""
    called: str
    """Its machine and process number, for people."""

    @property
    def name(self) -> str:
        """The ``application_name`` of its session in PostgreSQL: bot, number of shards, serves or leaves, and machine,
        which others read."""
        state = "leaves" if self.leaving else "serves"
        return f"diciassette:{self.application}:{self.shards}:{state}:{self.called}"[:LONGEST_NAME]


SESSION_NAME: Final = re.compile(r"diciassette:(\d+):(\d+):(serves|leaves):(.*)")
"""Matches ``Process.name``."""
SESSIONS_QUERY: Final = """
    SELECT a.pid, a.application_name, l.classid::bigint, l.objid::bigint FROM pg_stat_activity a
    LEFT JOIN pg_locks l ON l.pid = a.pid AND l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted
    WHERE a.datname = current_database() AND a.application_name LIKE 'diciassette:%'
"""


class ClusterState(NamedTuple):
    """All bot processes that are alive, and which process holds which advisory lock, at one moment."""

    processes: tuple[Process, ...]
    """All that are alive, by id."""
    locks: dict[Lock, int]
    """Every lock, and the process that holds it."""

    def locks_of_kind(self, kind: LockKind) -> dict[int, int]:
        """Return the held locks of *kind*: lock number (the shard, for SHARD) -> id of the process that holds it."""
        return {lock.number: holder for lock, holder in self.locks.items() if lock.kind == kind}


def process_label() -> str:
    """Return "host/process id" of this process, for people."""
    return f"{socket.gethostname().split('.')[0][:20]}/{os.getpid()}"


class Session:
    """A connection to PostgreSQL outside the pool, for advisory locks and announcements. ``id`` is its ``Process.id``.

    Its methods raise ``Unavailable`` once it has ended, or if there is no answer in time: then it ends.
    """

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._turn = asyncio.Lock()
        self.id = connection.get_server_pid()

    @classmethod
    async def connect(cls, url: sa.URL, heard: Callable[[str], None], ended: Callable[[], None]) -> "Session":
        """Open a session with the PostgreSQL database at *url* that listens to announcements, or raise Unavailable.

        *heard* is called with the text of every announcement, *ended* when the session ends.
        """
        connection: Any = None
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                connection = await connect_without_pool(url, IDLE_SECONDS)
                connection.add_termination_listener(lambda _: ended())
                await connection.add_listener(CHANNEL, lambda _, pid, channel, text: heard(text))
        except Exception as error:  # the driver has no common class for what it raises where a server does not answer
            if connection is not None:
                connection.terminate()
            raise _convert_to_unavailable_error(error) from error
        return cls(connection)

    async def _query(self, method: str, *words: Any) -> Any:
        """Call the driver's *method* with *words* and return its answer; if it fails or takes 5 s, end the session and
        raise Unavailable."""
        async with self._turn:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    return await getattr(self._connection, method)(*words)
            except Exception as error:  # as above; nobody knows what state the session is in
                self._connection.terminate()
                raise _convert_to_unavailable_error(error) from error

    async def read_cluster_state(self) -> ClusterState:
        """Read from the database which bot processes are alive, and which of them holds which lock; or raise
        Unavailable."""
        processes: dict[int, Process] = {}
        locks: dict[Lock, int] = {}
        for row in await self._query("fetch", SESSIONS_QUERY):
            if (named := SESSION_NAME.fullmatch(row["application_name"])) is None:
                continue
            application, shards, state, whose = named.groups()
            processes[row["pid"]] = Process(row["pid"], int(application), int(shards), state == "leaves", whose)
            if row["classid"] is not None:
                locks[Lock(row["classid"], row["objid"])] = row["pid"]
        return ClusterState(tuple(processes[pid] for pid in sorted(processes)), locks)

    async def try_lock(self, lock: Lock) -> bool:
        """Take the advisory *lock* if it is free, without waiting; return whether this session has it now."""
        return bool(await self._query("fetchval", "SELECT pg_try_advisory_lock($1, $2)", int(lock.kind), lock.number))

    async def unlock(self, lock: Lock) -> None:
        """Release the advisory *lock*, which this session holds."""
        await self._query("fetchval", "SELECT pg_advisory_unlock($1, $2)", int(lock.kind), lock.number)

    async def set_name(self, name: str) -> None:
        """Set the ``application_name`` of the session to *name*, by which other processes recognise this one."""
        await self._query("fetchval", "SELECT set_config('application_name', $1, false)", name)

    async def announce(self, text: str) -> None:
        """Send *text* to all bot processes that listen, this one included (NOTIFY)."""
        await self._query("execute", f"SELECT pg_notify('{CHANNEL}', $1)", text)

    async def close(self) -> None:
        """End the session, which frees its locks."""
        self._connection.terminate()


def _convert_to_unavailable_error(error: Exception) -> Unavailable:
    """Convert the driver's *error* to ``Unavailable``."""
    known = exception_for_database_error(error)
    return known if isinstance(known, Unavailable) else Unavailable(str(known or error) or type(error).__name__)
