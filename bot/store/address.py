"""The address of a database: what hosters write, and what SQLAlchemy and the driver take."""

import os
from typing import Any, Final
from urllib.parse import urlencode

import sqlalchemy as sa

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
