"""What is left of games of version 0.1.0: the table for their history, of which version 0.3.0 has made records, goes;
their snapshots get the names of fields and the secret that they have today."""

import json
import zlib
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_SLICE: Final = 200
_RENAMED: Final = {"hand": "hand_number", "shouted": "calls_decided", "shouts": "calls"}
_tables: Final = sa.table("tables", sa.column("id"), sa.column("snapshot"))


def upgrade() -> None:
    """Drop the table, and look through all snapshots."""
    op.drop_table("old_events")
    connection, after = op.get_bind(), ""
    query = sa.select(_tables).order_by(_tables.c.id).limit(_SLICE)
    while rows := connection.execute(query.where(_tables.c.id > after)).all():
        for row in rows:
            if (snapshot := _today(row.snapshot)) is not None:
                connection.execute(_tables.update().where(_tables.c.id == row.id), {"snapshot": snapshot})
        after = rows[-1].id


def _today(snapshot: Any) -> bytes | None:
    """What takes the place of *snapshot*; ``None``: it is none of that version, or cannot be read."""
    try:
        text = zlib.decompress(snapshot)
        if b'"secret":' in text:
            return None
        table = json.loads(text)
        said = {**_renamed(table), "secret": table["seed"]}  # the seed of a game was its secret
    except (zlib.error, TypeError, ValueError, LookupError):
        return None
    return zlib.compress(json.dumps(said, separators=(",", ":")).encode(), 9)


def _renamed(data: Any) -> Any:
    """*data* with today's names for its fields."""
    if isinstance(data, dict):
        return {_RENAMED.get(key, key): _renamed(value) for key, value in data.items()}
    return [_renamed(value) for value in data] if isinstance(data, list) else data
