"""Every version of every table, and every writing of a result of a day's deal, kept by the database itself: the program
stores only the newest one."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from bot.store import migrations
from bot.store.tables import unpack_table
from bot.tables.model import Table

_KEEP = """
CREATE TABLE IF NOT EXISTS versions (table_id TEXT, version INTEGER, last TEXT, snapshot BLOB);
CREATE TRIGGER IF NOT EXISTS keep_new AFTER INSERT ON tables
    BEGIN INSERT INTO versions VALUES (NEW.id, NEW.version, NEW.last, NEW.snapshot); END;
CREATE TRIGGER IF NOT EXISTS keep_changed AFTER UPDATE OF version ON tables
    BEGIN INSERT INTO versions VALUES (NEW.id, NEW.version, NEW.last, NEW.snapshot); END;
CREATE TABLE IF NOT EXISTS results (table_id TEXT);
CREATE TRIGGER IF NOT EXISTS keep_results AFTER UPDATE OF ended_at, place, score ON daily_attempts
    BEGIN INSERT INTO results VALUES (NEW.table_id); END;
"""


def keep(path: Path) -> None:
    """Make a database at *path* that keeps every version; one that is there already stays as it is."""
    if path.exists():
        return
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        migrations.upgrade_schema(connection)
    engine.dispose()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(_KEEP)


def history(path: Path) -> dict[str, list[tuple[dict[str, Any], Table]]]:
    """(what was done, table after it) of every table, oldest first; versions without a gap."""
    found: dict[str, list[tuple[dict[str, Any], Table]]] = {}
    with closing(sqlite3.connect(path)) as database:
        for table, version, last, snapshot in database.execute("SELECT * FROM versions ORDER BY table_id, version"):
            steps = found.setdefault(table, [])
            steps.append((json.loads(last), unpack_table(snapshot)))
            assert version == len(steps), "every version is there"
    return found
