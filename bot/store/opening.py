"""Opens the database that an address names, and says why it cannot be opened or used."""

import sqlalchemy as sa

from bot.store.database import Database, reason, remedy
from bot.store.postgresql import PostgreSQL
from bot.store.server_errors import known_as
from bot.store.sqlite import SQLite


async def connect(url: str, *, read_only: bool = False) -> Database:
    """The database at *url*, a SQLAlchemy address with an async driver. With *read_only* a SQLite file is neither
    created nor changed.

    Raises:
        Unavailable: it does not answer just now.
        Refused: the server does not let us in, or is too old.
        SQLAlchemyError, sqlite3.Error, OSError, ImportError: it cannot be opened.
    """
    parsed = sa.make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return await SQLite.connect(parsed, read_only=read_only)
    return await PostgreSQL.connect(parsed)


def why_not(error: Exception) -> str:
    """Why a database cannot be opened or used, in one line without its address, and what to do if that is known."""
    return "; ".join(filter(None, [str(known_as(error) or reason(error)), remedy(error)]))
