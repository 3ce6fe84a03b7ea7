"""The schema's history, a file per version. ``upgrade`` brings a database to the newest one.

- ``env``  what Alembic runs for it
"""

import re
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from bot.store.database import Damaged

_REVISION: Final = re.compile("[0-9]{4}")


class NewerDatabase(Exception):
    """The database was written by a newer version of this program."""


def upgrade(connection: Connection) -> None:
    """Bring the database to the newest schema, inside the caller's transaction.

    Raises:
        NewerDatabase: its schema is one that this program does not know.
        Damaged: what stands there is no version of a schema.
    """
    config = _config()
    config.attributes["connection"] = connection
    script = ScriptDirectory.from_config(config)
    current = MigrationContext.configure(connection).get_current_revision()
    if current == script.get_current_head():
        return
    if current is not None and current not in {revision.revision for revision in script.walk_revisions()}:
        if _REVISION.fullmatch(current) is None:
            raise Damaged("the version of its schema is one that no version of this program has written")
        raise NewerDatabase(current)
    command.upgrade(config, "head")


def versions(connection: Connection) -> tuple[str, str]:
    """(the version of the database's schema, empty if it has none; the newest that this program knows)."""
    newest = ScriptDirectory.from_config(_config()).get_current_head()
    return MigrationContext.configure(connection).get_current_revision() or "", newest or ""


def _config() -> Config:
    """Alembic's configuration: where the versions are."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    return config
