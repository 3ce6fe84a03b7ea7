"""A PostgreSQL server as a database.

Transactions that write are READ COMMITTED: each changes rows that it names, on the condition that they are as it knows
them (a version), and PostgreSQL looks at that condition again after it has waited for somebody else's commit.
Nothing depends on two statements seeing the same moment, so no transaction fails because others write as well. Those
that only read are REPEATABLE READ, READ ONLY: all their statements see one moment, and they cannot fail by that.

A connection that turns out to be dead before COMMIT was sent is replaced, and the transaction is run again at once: the
server was started anew, say. That takes the place of a ping before every transaction.
"""

import asyncio
import logging
import ssl
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, InternalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.database import (
    CommitUncertain,
    Locked,
    Refused,
    Unavailable,
    has_unescaped_password,
    split_asyncpg_arguments,
)

# What errors of a PostgreSQL server, or of its driver, are for us.


# https://www.postgresql.org/docs/current/errcodes-appendix.html
_RETRY_STATES: Final = {
    "40001": "another transaction was first",
    "40P01": "two transactions waited for each other",
    "55P03": "another program has locked what is needed",
    "57014": "a statement took too long",
}
_UNAVAILABLE_STATES: Final = {
    "08": "the connection ended",
    "53": "the server has no room for more",
    "57P": "the server is being stopped or started",
    "25006": "the server takes no changes just now",
    "25P03": "the transaction took too long",
    "25P04": "the transaction took too long",
    "58": "the server has trouble with its machine",
}
_REFUSED_STATES: Final = {
    "08P01": "what answers there refuses our settings; give the address of the server itself, not of a pooler",
    "28": "user or password are wrong; check them, and the server's pg_hba.conf",
    "3D000": "there is no such database; create it first",
    "42501": "this user may not do that; GRANT it CREATE and USAGE on the schema",
    "42704": "the server does not know one of its settings in this address",
    "22023": "the server does not know one of its settings in this address",
}


def exception_for_database_error(error: Exception) -> Unavailable | Refused | None:
    """Convert *error* to the exception that we raise for it: ``Unavailable`` or its kind ``Locked`` (try again), or
    ``Refused``; ``None`` if it is another kind of error.
    """
    if isinstance(error, (Unavailable, Refused)):
        return error
    if isinstance(error, PoolTimeout):
        return Locked("all connections are in use")
    cause: Any = error
    if isinstance(error, DBAPIError):
        cause = error.orig.__cause__ or error.orig if error.orig is not None else error
    state = str(getattr(cause, "sqlstate", None) or "")
    if state:
        return _exception_for_sqlstate(state)
    if isinstance(cause, ssl.SSLError):
        return Refused("it cannot be spoken to by TLS; check sslmode and its certificate")
    if isinstance(cause, ConnectionError) and cause.errno is None:  # of the driver
        return Refused("what answers there is no PostgreSQL, or has no TLS; check host, port and sslmode")
    if isinstance(cause, TimeoutError):
        return Unavailable("it does not answer in time")
    if isinstance(cause, OSError):
        return Unavailable(_system_error_text(cause))
    if isinstance(error, InterfaceError) and "closed" in str(cause):
        return Unavailable("the connection ended")
    if isinstance(error, InternalError) and "another operation" in str(cause):  # the driver's, as it ends
        return Unavailable("the connection ended")
    return None


def _exception_for_sqlstate(state: str) -> Unavailable | Refused | None:
    """Convert PostgreSQL's error code *state* to ``Unavailable``, ``Locked`` or ``Refused``; ``None`` for any other
    code.
    """
    if state in _RETRY_STATES:
        return Locked(_RETRY_STATES[state])
    for known, text in _REFUSED_STATES.items():
        if state.startswith(known):
            return Refused(text)
    for known, text in _UNAVAILABLE_STATES.items():
        if state.startswith(known):
            return Unavailable(text)
    return None


def _system_error_text(error: OSError) -> str:
    """Return the operating system's text for *error* without an address; "it cannot be reached" if there is none."""
    if isinstance(error, ConnectionRefusedError):
        return "nobody listens there"
    return error.strerror.lower() if error.strerror and "(" not in error.strerror else "it cannot be reached"


log = logging.getLogger(__name__)

T = TypeVar("T")

OLDEST_VERSION: Final = 140_000
"""The oldest server that is tried: the oldest one that still gets security fixes.
https://www.postgresql.org/support/versioning/"""
LANES: Final = 4
"""How many transactions that write run at the same time; writes that wait meanwhile share the next ones."""
CONNECTIONS: Final = LANES + 4
"""How many connections a process has at most: some are left for reading."""
CONNECT_SECONDS: Final = 5.0
STATEMENT_SECONDS: Final = 6.0
"""How long a statement may take before the connection counts as dead. The server itself gives it up a second earlier,
if it can be reached.
"""
IDLE_IN_TRANSACTION_SECONDS: Final = 4.0
"""How long a transaction may wait for our next statement before the server ends it.

Its process may have stopped, and its locks block the processes that take over, who must be done within ten seconds.
"""
CLOSE_SECONDS: Final = 2.0
"""How long closing all connections may take."""
READ_RETRY_SECONDS: Final = 2.0
"""How long a read is retried while the server does not answer."""
RETRY_PAUSE_SECONDS: Final = 0.05
"""The pause between two attempts of a read."""


class PostgreSQL:
    """A PostgreSQL database behind a pool of eight connections: runs functions in transactions."""

    lanes = LANES

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._away = False
        """Whether the server did not answer the last time; that was logged."""
        self._over = 0
        """How many such outages are over."""

    @classmethod
    async def connect(cls, url: sa.URL) -> "PostgreSQL":
        """Connect to the PostgreSQL database at *url*, check its version, and return it; raise Unavailable (try again)
        or Refused.

        Raises:
            Unavailable: it does not answer just now.
            Refused: it does not let us in, is too old, or is no PostgreSQL.
            ImportError: there is no driver.
        """
        it = cls(_create_engine(url, limited=True))
        try:
            async with it._engine.connect() as connection:
                version = int((await connection.exec_driver_sql("SHOW server_version_num")).scalar_one())
            if version < OLDEST_VERSION:
                raise Refused(
                    f"this server is PostgreSQL {version // 10_000}; update it to {OLDEST_VERSION // 10_000} or newer"
                )
        except BaseException as error:
            await it.close()
            if isinstance(error, Exception) and (known := exception_for_database_error(error)) is not None:
                raise known from error
            raise
        return it

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath, for event listeners."""
        return self._engine.sync_engine

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run *work*, which only reads, in a transaction that sees one moment of the database, and return its result;
        retry for two seconds while the server does not answer.

        Raises:
            Unavailable: try again.
            SQLAlchemyError: the database refuses.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + READ_RETRY_SECONDS
        while True:
            try:
                return await self._run_logging_outages(self._reading, work)
            except Unavailable:
                if loop.time() >= until:
                    raise
            await asyncio.sleep(RETRY_PAUSE_SECONDS)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in a transaction and return its result once it is committed; run it once more if the connection
        was stale or another process has inserted the same row.

        It is rolled back if *work* raises.

        Raises:
            CommitUncertain: nobody knows whether it was committed.
            Unavailable: nothing was done; try again.
            SQLAlchemyError: the database refuses.
        """
        try:
            return await self._run_logging_outages(self._engine, work)
        except IntegrityError:  # another process has just inserted the same row: now *work* finds it
            return await self._run_logging_outages(self._engine, work)

    async def _run_logging_outages(self, engine: AsyncEngine, work: Callable[[Connection], T]) -> T:
        """Run *work* in a transaction and return its result; log once when the server stops to answer, and once when it
        answers again.

        A transaction on a stale connection of the pool is run again.
        """
        over = self._over
        try:
            try:
                done = await _run_transaction(engine, work)
            except StaleConnection:  # a connection of the pool: the server was started anew
                done = await _run_transaction(engine, work)
        except Locked:
            raise
        except Unavailable as error:
            if not self._away and self._over == over:  # else it began to wait in an outage that is over
                log.error("the database does not answer: %s", error)
                self._away = True
            error.logged = True
            raise
        if self._away:
            self._away = False
            self._over += 1
            log.info("the database answers again")
        return done

    async def close(self) -> None:
        """Close all connections; give up after two seconds if the server does not answer."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._engine.dispose()
        except TimeoutError:
            log.log(
                logging.DEBUG if self._away else logging.WARNING,
                "the database does not answer: its connections are dropped",
            )


class StaleConnection(Unavailable):
    """An open connection of the pool has ended before anything was committed."""


def engine_without_timeouts(url: sa.URL) -> AsyncEngine:
    """Create SQLAlchemy's engine for *url* without timeouts for statements, for commands that may take long; raise
    Refused for a malformed password.
    """
    return _create_engine(url, limited=False)


async def connect_without_pool(url: sa.URL, idle_seconds: float) -> Any:
    """Open and return one asyncpg connection to *url* outside the pool; the server ends it after *idle_seconds* without
    a query.

    Raises:
        Refused: the address has a password that is not written as it must be.
        OSError, asyncpg.PostgresError: there is no connection.
    """
    import asyncpg  # type: ignore[import-untyped]

    address, arguments = _connect_arguments(url, limited=True, idle_session_timeout=str(round(idle_seconds * 1000)))
    named = {"host": address.host, "port": address.port, "user": address.username, "database": address.database}
    return await asyncpg.connect(
        **{key: value for key, value in named.items() if value}, password=address.password, **arguments
    )


def _create_engine(url: sa.URL, *, limited: bool) -> AsyncEngine:
    """Create SQLAlchemy's engine with its pool for *url*; *limited*: with timeouts for statements. Raise Refused for a
    malformed password.
    """
    address, arguments = _connect_arguments(url, limited=limited)
    return create_async_engine(
        address,
        hide_parameters=True,  # an error's text goes to the log: no token, no hidden card
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_timeout=STATEMENT_SECONDS,
        connect_args=arguments,
    )


def _connect_arguments(url: sa.URL, *, limited: bool, **settings: str) -> tuple[sa.URL, dict[str, Any]]:
    """Return (*url* without query parameters, asyncpg's arguments to connect); *settings* are set on the server, and
    with *limited* timeouts too; raise Refused for a malformed password.

    *limited* adds timeouts.

    Raises:
        Refused: it has a password that is not written as it must be.
    """
    if has_unescaped_password(url):
        raise Refused("user or password seem to hold an @ or a /; write %40 for an @, %2F for a /, %3A for a :")
    address, arguments = split_asyncpg_arguments(url)
    server = {"application_name": "diciassette", "jit": "off"}  # with it the driver's own questions take 100 ms
    if limited:
        milliseconds = str(int((STATEMENT_SECONDS - 1) * 1000))
        server |= {"statement_timeout": milliseconds, "lock_timeout": milliseconds}
        server |= {"idle_in_transaction_session_timeout": str(int(IDLE_IN_TRANSACTION_SECONDS * 1000))}
    return address, {
        **arguments,
        "server_settings": server | settings,
        "timeout": CONNECT_SECONDS,
        "command_timeout": STATEMENT_SECONDS if limited else None,
    }


async def _run_transaction(engine: AsyncEngine, work: Callable[[Connection], T]) -> T:
    """Run *work* in one transaction of *engine*, commit, and return its result; convert the errors of a lost
    connection.

    Raises:
        StaleConnection: the connection has ended; nothing was done.
        CommitUncertain: the connection has ended during COMMIT.
        Unavailable: try again; nothing was done.
        Exception: from *work*, or another error of the database.
    """
    try:
        connection = await engine.connect()
    except Exception as error:
        known = exception_for_database_error(error)
        if isinstance(known, Refused):  # it let us in before: a password has changed, say
            raise Unavailable(str(known)) from error
        raise known or error from error
    committing = False
    try:
        transaction = await connection.begin()
        done = await connection.run_sync(work)
        committing = True
        await transaction.commit()
    except Exception as error:
        known = exception_for_database_error(error)
        if isinstance(known, Locked):
            raise known from error
        if known is None or isinstance(known, Refused):
            raise
        await connection.invalidate()  # nobody knows what state it is in
        if committing:
            raise CommitUncertain(str(known)) from error
        raise (known if isinstance(error, TimeoutError) else StaleConnection(str(known))) from error
    else:
        return done
    finally:
        await connection.close()


# Advisory locks of PostgreSQL: one transaction at a time holds each, over all processes, until it ends. And the
# list of processes.
#
# On SQLite only one transaction writes anyway, and one process runs.


UPGRADE_LOCK: Final = 0x17_0001
"""The lock of whoever migrates the schema."""
_HOLD: Final = sa.text("SELECT pg_advisory_xact_lock(:lock)")


def acquire_locks(connection: Connection, locks: Iterable[int]) -> None:
    """Wait for the PostgreSQL advisory *locks* and hold them until the transaction ends; nothing on SQLite.

    A lock is one of the above, or the id of a person or server (these are larger) whose rows are counted.
    """
    if connection.dialect.name == "postgresql":
        for lock in sorted(locks):  # always in the same order, so that no two wait for each other
            connection.execute(_HOLD, {"lock": lock})


_SESSIONS: Final = sa.text(
    "SELECT a.application_name, l.objid::bigint FROM pg_stat_activity a LEFT JOIN pg_locks l ON l.pid = a.pid"
    " AND l.locktype = 'advisory' AND l.classid = :kind AND l.objsubid = 2 AND l.granted"
    " WHERE a.datname = current_database() AND a.application_name LIKE 'diciassette:%' ORDER BY 1, 2"
)
SHARD_LOCK_KIND: Final = 1701
"""The kind of lock by which a process holds a shard (``bot.cluster.session.LockKind``)."""


def shards_by_process(connection: Connection) -> dict[str, list[int]]:
    """Read which bot process holds which shards: session name -> shard numbers, empty for a process without any; empty
    on SQLite.
    """
    found: dict[str, list[int]] = {}
    for name, shard in (
        connection.execute(_SESSIONS, {"kind": SHARD_LOCK_KIND}) if connection.dialect.name == "postgresql" else ()
    ):
        found.setdefault(name, []).extend([] if shard is None else [shard])
    return found


def count_processes(connection: Connection) -> int:
    """Count the bot processes that run on the PostgreSQL database now; 0 on SQLite."""
    return len(shards_by_process(connection))
