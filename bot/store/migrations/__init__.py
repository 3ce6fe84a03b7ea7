"""The schema's history, a file per version. ``upgrade_schema`` brings a database to the newest one.

- ``env``  what Alembic runs for it
"""

import logging
import re
import zlib
from functools import cache
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.log import fields
from bot.store import postgresql
from bot.store.database import Damaged, error_reason
from bot.store.schema import metadata

log = logging.getLogger(__name__)

_REVISION: Final = re.compile("[0-9]{4}")
_ALIVE: Final = sa.text(
    "SELECT count(*) FROM processes WHERE expires_at > extract(epoch FROM clock_timestamp()) * 1000"
)
_OLD_EVENTS: Final = sa.table("old_events")
"""The history of games of version 0.1.0, in version 0.3.0: a row for whatever it has not made a record of."""


class OtherVersion(Exception):
    """Another version of this program has written the database, has to finish with it first, or uses it just now. The
    text is one line that says which, and what to do."""


def upgrade_schema(connection: Connection) -> None:
    """Create the newest schema, or migrate the database to it, in the caller's transaction; raise OtherVersion or
    Damaged if this program cannot.

    If another process does the same at the moment, wait for it.

    Raises:
        OtherVersion: this program cannot use it (``why_other_version``), or other processes use its older schema.
        Damaged: what stands there is no version of a schema, or not all of it is there.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
        connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
    postgresql.acquire_locks(connection, [postgresql.UPGRADE_LOCK])
    script = schema_history()
    current = _schema_version(connection)
    if current == script.get_current_head():
        check_schema_complete(connection)
        return
    if why := why_other_version(connection):
        raise OtherVersion(why)
    if current is None and connection.dialect.name == "sqlite" and sa.inspect(connection).get_table_names():
        raise Damaged("it is no database of this program")
    if current is not None:
        _check_no_process_runs(connection)
        log.info("the database is brought up to date", extra=fields(schema=current, to=script.get_current_head()))
    config = alembic_configuration()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    check_schema_complete(connection)


def _check_no_process_runs(connection: Connection) -> None:
    """Raise OtherVersion if a bot process uses the PostgreSQL database; nothing on SQLite."""
    if connection.dialect.name == "sqlite":
        return
    alive = postgresql.count_processes(connection)
    if sa.inspect(connection).has_table("processes"):  # how those of version 0.3.0 know each other
        alive += connection.execute(_ALIVE).scalar_one()
    if alive:
        raise OtherVersion("processes of an older version use it: stop them all, then start this version")


def why_upgrade_fails(connection: Connection) -> str:
    """Return why ``upgrade_schema`` would fail on the SQLite database, in words; empty if it would not.

    It is tried on a copy of the schema in memory.
    """
    schema = sa.text("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
    statements = connection.execute(schema).scalars().all()
    current = _schema_version(connection)
    engine = sa.create_engine("sqlite://")
    try:
        with engine.begin() as copy:
            for statement in statements:
                copy.exec_driver_sql(statement)
            if current is not None:
                copy.execute(sa.text("DELETE FROM alembic_version"))
                copy.execute(sa.text("INSERT INTO alembic_version VALUES (:it)"), {"it": current})
            upgrade_schema(copy)
    except (SQLAlchemyError, CommandError, Damaged, OtherVersion) as error:
        return error_reason(error)
    finally:
        engine.dispose()
    return ""


def _schema_version(connection: Connection) -> str | None:
    """Read the version of the database's schema; ``None`` if it has no schema; raise Damaged if what stands there is no
    text.
    """
    current: object = MigrationContext.configure(connection).get_current_revision()
    if current is not None and not isinstance(current, str):
        raise Damaged("the version of its schema is no text")
    return current


def check_schema_complete(connection: Connection) -> None:
    """Raise Damaged if an SQL table or a column of the newest schema is missing."""
    found = sa.inspect(connection).get_multi_columns(filter_names=list(metadata.tables))
    for table in metadata.sorted_tables:
        there = found.get((None, table.name))
        if there is None:
            raise Damaged(f"it has no table {table.name}")
        names = {column["name"] for column in there}
        for column in table.columns:
            if column.name not in names:
                raise Damaged(f"its table {table.name} has no column {column.name}")


def schema_versions(connection: Connection) -> tuple[str, str]:
    """Return (the version of the database's schema, empty if it has none; the newest version that this program
    knows).
    """
    return _schema_version(connection) or "", schema_history().get_current_head() or ""


def why_other_version(connection: Connection) -> str:
    """Return why another version of this program must be used with the database, and what to do, in a line; empty if
    this one can use or migrate it.

    Raises:
        Damaged: no version has written that schema.
    """
    current, script = _schema_version(connection), schema_history()
    if current is None or current == script.get_current_head():
        return ""
    if current not in {revision.revision for revision in script.walk_revisions()}:
        if _REVISION.fullmatch(current) is None:
            raise Damaged("the version of its schema is one that no version of this program has written")
        if current > (script.get_base() or ""):
            return f"a newer version wrote it (schema {current}); update this program"
        return f"a version before 0.3.0 wrote it (schema {current}); start version 0.3.0 on it once, then this one"
    if _is_unfinished(connection):
        return (
            "games of a version before 0.3.0 are not over in it, or not all counted; "
            "let version 0.3.0 run on it until they are, then start this one"
        )
    return ""


def why_unreadable(connection: Connection) -> str:
    """Return why this program cannot read the rows without migrating the schema, and what to do; empty if it can."""
    schema, newest = schema_versions(connection)
    if schema == newest:
        return ""
    return why_other_version(connection) or f"its schema is {schema or 'none'}, not {newest}: start this version once"


def _is_unfinished(connection: Connection) -> bool:
    """Whether version 0.3.0 still has games of older versions in the database: running, without a record, or not
    counted.
    """
    if not sa.inspect(connection).has_table(_OLD_EVENTS.name):
        return False
    if connection.execute(sa.select(sa.text("1")).select_from(_OLD_EVENTS).limit(1)).first() is not None:
        return True
    # As they stand there: damage is met later, in one row.
    uncounted = connection.execute(sa.text("SELECT data FROM records WHERE counted_at IS NULL")).scalars()
    if any(_decompress_or_empty(it).endswith(b'"v":0}') for it in uncounted):
        return True
    live = connection.execute(sa.text("SELECT snapshot FROM tables WHERE live_channel_id IS NOT NULL")).scalars()
    return any(text and b'"secret":' not in text for text in map(_decompress_or_empty, live))


def _decompress_or_empty(packed: Any) -> bytes:
    """Decompress *packed*; empty if it cannot be read."""
    try:
        return zlib.decompress(packed)
    except (zlib.error, TypeError):
        return b""


@cache
def schema_history() -> ScriptDirectory:
    """Return all versions of the schema, as Alembic's ``ScriptDirectory``. Cached."""
    return ScriptDirectory.from_config(alembic_configuration())


def alembic_configuration() -> Config:
    """Return Alembic's configuration, which says where the versions of the schema are."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    return config
