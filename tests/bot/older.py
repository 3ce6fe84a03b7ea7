"""Databases as versions before the newest one left them."""

import json
from collections.abc import Sequence
from pathlib import Path

import sqlalchemy as sa
from alembic import command

from bot.store import migrations
from bot.tables.encoding import encode
from bot.tables.model import Table
from bot.tables.timers import next_due

HISTORY = "0006"
"""The last schema in which every version of a table was a row."""


def database(path: Path, revision: str, histories: Sequence[Sequence[Table]]) -> None:
    """Make a database at *path* with the schema *revision*, at most ``HISTORY``, that holds these *histories*: every
    version of each table, oldest first."""
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config = migrations.configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        for versions in histories:
            table, due = versions[-1], next_due(versions[-1])
            live = table.channel if table.live else None
            row = (table.id, table.version, table.channel, live, table.changed_at)
            connection.exec_driver_sql("INSERT INTO tables VALUES (?, ?, ?, ?, ?)", row)
            for it in versions:
                event = (it.id, it.version, it.changed_at, json.dumps({"what": "test", "by": None}))
                snapshot = json.dumps(encode(it))
                connection.exec_driver_sql("INSERT INTO events VALUES (?, ?, ?, ?, ?)", (*event, snapshot))
            timer = (table.id, due and due.at, due and due.timer.value)
            connection.exec_driver_sql("INSERT INTO timers VALUES (?, ?, ?)", timer)
    engine.dispose()
