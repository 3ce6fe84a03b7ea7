"""The interface of a database that runs transactions, its errors, and its address as hosters write it.

A transaction is one function of a synchronous SQLAlchemy connection. It may be run again, on another connection, if
nothing is known to be committed.
"""

import errno
import os
import sqlite3
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar
from urllib.parse import urlencode

import sqlalchemy as sa
from sqlalchemy import Connection

T = TypeVar("T")

_DISK_FULL_ERRNOS: Final = {errno.ENOSPC, errno.EDQUOT}
_ACCESS_ERROR_CODES: Final = {sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
_PATH_ERRNOS: Final = {
    errno.EACCES, errno.EPERM, errno.EEXIST, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG,
    errno.ELOOP,
}  # fmt: skip


class Unavailable(OSError):
    """The database cannot be used just now: it is locked, does not answer, or has no room. The same may be tried again.

    Unless it is ``CommitUncertain``, nothing was done. The text says why, without an address.
    """

    logged = False
    """Whether the database has logged that it does not answer: later failures are then no news
    (``log.LoggedErrorFilter``).
    """


class Locked(Unavailable, TimeoutError):
    """Another program has locked what is needed. Nothing was done; the same may be tried again."""


class CommitUncertain(Unavailable):
    """The connection ended during COMMIT: nobody knows whether the transaction was committed."""


class Refused(Exception):
    """The server does not let us in, or is none that we can use; the text says why, and what to do."""


class Damaged(Exception):
    """The database is damaged in a way that it does not notice itself."""


class Database(Protocol):
    """The interface of ``SQLite`` and ``PostgreSQL``: runs functions of a connection in transactions."""

    @property
    def lanes(self) -> int:
        """How many transactions that write can run at the same time."""
        ...

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath, for event listeners."""
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run *work*, which only reads, in a transaction that sees one moment of the database, and return its result.

        Raises:
            Unavailable: try again.
            SQLAlchemyError, OSError, Damaged: the database refuses.
        """
        ...

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in a transaction and return its result once that is committed; roll back if *work* raises.

        Raises:
            Unavailable: try again.
            SQLAlchemyError, OSError, Damaged: the database refuses.
        """
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


def is_damage_error(error: BaseException | None) -> bool:
    """Whether *error* says that the database is damaged, or that its file is no database.

    https://www.sqlite.org/rescode.html#corrupt
    """
    if isinstance(error, Damaged):
        return True
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def error_remedy(error: BaseException) -> str:
    """Return what the host can do about the database error *error*, in a few words; empty if nothing is known.

    https://www.sqlite.org/rescode.html
    """
    it = getattr(error, "orig", None) or error
    code = (getattr(it, "sqlite_errorcode", None) or 0) & 0xFF
    number = it.errno if isinstance(it, OSError) else None
    if is_damage_error(error):
        return "restore a backup"
    if code == sqlite3.SQLITE_FULL or number in _DISK_FULL_ERRNOS:
        return "make room on its disk"
    if code == sqlite3.SQLITE_IOERR:
        return "look whether its disk is full"
    if code in _ACCESS_ERROR_CODES or number in _PATH_ERRNOS:
        return "check path and rights"
    return ""


def error_reason(error: Exception) -> str:
    """Return the first line of the database's own text in *error*, without what SQLAlchemy adds; the name of its class
    if it has no text.
    """
    said = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
    return (str(said).splitlines() or [type(error).__name__])[0]


# The address of a database: what hosters write, and what SQLAlchemy and the driver take.


DRIVER: Final = "postgresql+asyncpg"
PORT: Final = 5432
_POSTGRESQL_SCHEMES: Final = ("postgres", "postgresql")
"""The schemes with which hosters write the address of a PostgreSQL database."""
_IGNORED_PARAMETERS: Final = frozenset(
    {
        "channel_binding", "connect_timeout", "gssencmode", "keepalives", "keepalives_count", "keepalives_idle",
        "keepalives_interval", "sslcompression", "sslsni", "tcp_user_timeout", "pgbouncer", "connection_limit",
        "pool_timeout",
    }
)  # fmt: skip
"""Query parameters for other drivers that hosters put in addresses.
https://www.postgresql.org/docs/current/libpq-connect.html
"""


def with_asyncpg_driver(url: sa.URL) -> sa.URL:
    """Return *url* with the driver asyncpg if it names PostgreSQL without a driver; otherwise return it unchanged."""
    return url.set(drivername=DRIVER) if url.drivername in _POSTGRESQL_SCHEMES else url


def url_with_password(url: sa.URL) -> str:
    """Return *url* as text, with its password readable."""
    return url.render_as_string(hide_password=False)


def postgresql_server_address(url: sa.URL) -> str:
    """Return HOST:PORT of the PostgreSQL server in *url*, else from PGHOST and PGPORT, else this machine and 5432;
    without user and password.

    >>> postgresql_server_address(sa.make_url("postgresql://me:secret@db.example/cards"))
    'db.example:5432'
    >>> postgresql_server_address(sa.make_url("postgresql://me:se@cret@db.example/cards"))
    'db.example:5432'
    """
    host = (
        (url.host or "").rpartition("@")[2] or _query_value(url, "host") or os.environ.get("PGHOST") or "this machine"
    )
    port = url.port or _query_value(url, "port") or os.environ.get("PGPORT") or PORT
    return f"[{host}]:{port}" if url.host is not None and ":" in url.host else f"{host}:{port}"


def database_label(url: str) -> str:
    """Return what error messages call the database at *url*: "the database", for a server with HOST:PORT.

    >>> database_label("sqlite:///cards.sqlite3"), database_label("postgresql://me:secret@db.example/cards")
    ('the database', 'the database at db.example:5432')
    """
    parsed = sa.make_url(url)
    return (
        "the database"
        if parsed.get_backend_name() == "sqlite"
        else f"the database at {postgresql_server_address(parsed)}"
    )


def _query_value(url: sa.URL, name: str) -> str:
    """Return the value of the query parameter *name* in *url*, several joined by commas; empty if it is missing."""
    found = url.query.get(name, "")
    return found if isinstance(found, str) else ",".join(found)


def has_unescaped_password(url: sa.URL) -> bool:
    """Whether the user or password in *url* seems to hold an @ or a / that is not escaped, so that *url* was split at
    the wrong place.
    """
    return "@" in (url.host or "") or "@" in (url.database or "")


def split_asyncpg_arguments(url: sa.URL) -> tuple[sa.URL, dict[str, Any]]:
    """Split *url* into (*url* without query parameters, the arguments for asyncpg made of these parameters, such as
    ``sslmode``); those for other drivers are dropped.

    The driver reads them as PostgreSQL's own programs do; missing ones it takes from PGPASSWORD, PGHOST ...
    """
    asked = {name: value for name, value in url.query.items() if name not in _IGNORED_PARAMETERS}
    if "ssl" in asked:  # as SQLAlchemy has it
        asked.setdefault("sslmode", asked.pop("ssl"))
    bare = with_asyncpg_driver(url).set(query={})
    return bare, {"dsn": f"postgresql://?{urlencode(asked, doseq=True)}"} if asked else {}
