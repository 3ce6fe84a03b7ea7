"""Where transactions run: what ``sqlite`` and ``postgresql`` have in common.

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

_NO_ROOM: Final = {errno.ENOSPC, errno.EDQUOT}
_NO_RIGHT: Final = {sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
_NO_WAY: Final = {
    errno.EACCES, errno.EPERM, errno.EEXIST, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG,
    errno.ELOOP,
}  # fmt: skip


class Unavailable(OSError):
    """The database cannot be used just now: it is locked, it does not answer, or it has no room. The same may be tried
    again. Unless it is ``Lost``, nothing was done. The text says why, without an address."""

    logged = False
    """Whether the database has logged itself that it does not answer: then all that fails by that is no news
    (``log.LoggedErrorFilter``)."""


class Locked(Unavailable, TimeoutError):
    """Another program has locked what is needed. Nothing was done; the same may be tried again."""


class Lost(Unavailable):
    """The connection ended while a transaction was being committed: whether it was, nobody knows."""


class Refused(Exception):
    """The server does not let us in, or is none that we can use; the text says why, and what to do."""


class Damaged(Exception):
    """The database is damaged in a way that it does not notice itself."""


class Database(Protocol):
    """A database that runs transactions."""

    @property
    def lanes(self) -> int:
        """How many transactions that write can run at the same time."""
        ...

    @property
    def sync_engine(self) -> sa.Engine:
        """SQLAlchemy's engine underneath, for event listeners."""
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run *work*, which only reads, in a transaction that sees the database as it is at one moment, and return its
        result.

        Raises:
            Unavailable: try again.
            SQLAlchemyError, OSError, Damaged: the database refuses.
        """
        ...

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in a transaction and return its result once that is committed; if *work* raises, it is rolled
        back.

        Raises:
            Unavailable: try again.
            SQLAlchemyError, OSError, Damaged: the database refuses.
        """
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


def is_damaged(error: BaseException | None) -> bool:
    """Whether *error* says that the database is damaged, or that its file is none.
    https://www.sqlite.org/rescode.html#corrupt"""
    if isinstance(error, Damaged):
        return True
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def remedy(error: BaseException) -> str:
    """What to do about *error*, in a few words; empty: it does not say. https://www.sqlite.org/rescode.html"""
    it = getattr(error, "orig", None) or error
    code = (getattr(it, "sqlite_errorcode", None) or 0) & 0xFF
    number = it.errno if isinstance(it, OSError) else None
    if is_damaged(error):
        return "restore a backup"
    if code == sqlite3.SQLITE_FULL or number in _NO_ROOM:
        return "make room on its disk"
    if code == sqlite3.SQLITE_IOERR:
        return "look whether its disk is full"
    if code in _NO_RIGHT or number in _NO_WAY:
        return "check path and rights"
    return ""


def reason(error: Exception) -> str:
    """The first line of what the database says in *error*, without the text and address that SQLAlchemy adds."""
    said = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
    return (str(said).splitlines() or [type(error).__name__])[0]


# The address of a database: what hosters write, and what SQLAlchemy and the driver take.


DRIVER: Final = "postgresql+asyncpg"
PORT: Final = 5432
_ALIKE: Final = ("postgres", "postgresql")
"""How hosters begin the address of a PostgreSQL database."""
_NOT_OURS: Final = frozenset(
    {
        "channel_binding", "connect_timeout", "gssencmode", "keepalives", "keepalives_count", "keepalives_idle",
        "keepalives_interval", "sslcompression", "sslsni", "tcp_user_timeout", "pgbouncer", "connection_limit",
        "pool_timeout",
    }
)  # fmt: skip
"""What hosters put in addresses for other drivers. https://www.postgresql.org/docs/current/libpq-connect.html"""


def normal(url: sa.URL) -> sa.URL:
    """*url* with the driver that we use, if it names PostgreSQL alone."""
    return url.set(drivername=DRIVER) if url.drivername in _ALIKE else url


def written(url: sa.URL) -> str:
    """*url* as text, with its password."""
    return url.render_as_string(hide_password=False)


def place(url: sa.URL) -> str:
    """HOST:PORT of the PostgreSQL server that *url* names, as the driver finds it: nothing secret.

    >>> place(sa.make_url("postgresql://me:secret@db.example/cards"))
    'db.example:5432'
    >>> place(sa.make_url("postgresql://me:se@cret@db.example/cards"))
    'db.example:5432'
    """
    host = (url.host or "").rpartition("@")[2] or _asked(url, "host") or os.environ.get("PGHOST") or "this machine"
    port = url.port or _asked(url, "port") or os.environ.get("PGPORT") or PORT
    return f"[{host}]:{port}" if url.host is not None and ":" in url.host else f"{host}:{port}"


def called(url: str) -> str:
    """What to call the database at *url* where it cannot be used: of a server, where it is.

    >>> called("sqlite:///cards.sqlite3"), called("postgresql://me:secret@db.example/cards")
    ('the database', 'the database at db.example:5432')
    """
    parsed = sa.make_url(url)
    return "the database" if parsed.get_backend_name() == "sqlite" else f"the database at {place(parsed)}"


def _asked(url: sa.URL, name: str) -> str:
    """What *url* says of *name* after its question mark."""
    found = url.query.get(name, "")
    return found if isinstance(found, str) else ",".join(found)


def is_torn(url: sa.URL) -> bool:
    """Whether *url* was taken apart in the middle of its password, as an @ or a / in it makes that."""
    return "@" in (url.host or "") or "@" in (url.database or "")


def driver_arguments(url: sa.URL) -> tuple[sa.URL, dict[str, Any]]:
    """(*url* without what follows the question mark, what the driver makes of that): ``sslmode`` and the like.

    The driver reads it as PostgreSQL's own programs do; what is missing it takes from PGPASSWORD, PGHOST ...
    """
    asked = {name: value for name, value in url.query.items() if name not in _NOT_OURS}
    if "ssl" in asked:  # as SQLAlchemy has it
        asked.setdefault("sslmode", asked.pop("ssl"))
    bare = normal(url).set(query={})
    return bare, {"dsn": f"postgresql://?{urlencode(asked, doseq=True)}"} if asked else {}
