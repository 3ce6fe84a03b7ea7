"""One snapshot a table instead of one a version; moves, and records of games that are over.

What was the history of every table stays in ``old_events`` until records are made of it.
"""

import zlib

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_BATCH = 200


def upgrade() -> None:
    """Create the tables of this version, and move the newest snapshots to where they stand now."""
    op.add_column("tables", sa.Column("due_at", sa.BigInteger))
    op.add_column("tables", sa.Column("timer", sa.String(16)))
    op.add_column("tables", sa.Column("last", sa.Text, nullable=False, server_default="{}"))
    op.add_column("tables", sa.Column("snapshot", sa.LargeBinary, nullable=False, server_default=sa.text("''")))
    op.add_column("tables", sa.Column("shown", sa.Text))
    op.execute(
        "UPDATE tables SET due_at = (SELECT due_at FROM timers WHERE table_id = id), "
        "timer = (SELECT timer FROM timers WHERE table_id = id)"
    )
    _move_snapshots(op.get_bind())
    op.create_index(
        "ix_tables_due_at",
        "tables",
        ["due_at"],
        sqlite_where=sa.text("due_at IS NOT NULL"),
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.drop_table("timers")
    op.rename_table("events", "old_events")
    op.create_table(
        "moves",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("entries", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "records",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False, index=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "record_people",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("records.table_id"), primary_key=True),
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("user_id", sa.BigInteger, nullable=False, index=True),
        sa.Column("name", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )


def _move_snapshots(connection: sa.Connection) -> None:
    """Copy every table's newest snapshot into its row, compressed, as bytes: it may be damaged, and is not looked at.

    Where a row is newer than the newest version, nothing is copied: nobody knows which is right.
    """
    text = "CAST(e.snapshot AS BLOB)" if connection.dialect.name == "sqlite" else "e.snapshot"
    ids = [row[0] for row in connection.execute(sa.text("SELECT id FROM tables")).all()]
    newest = sa.text(
        f"SELECT t.id AS which, {text} AS snapshot, e.event AS last FROM tables t "
        "JOIN events e ON e.table_id = t.id AND e.version = t.version "
        "WHERE t.id = :id AND NOT EXISTS (SELECT 1 FROM events n WHERE n.table_id = t.id AND n.version > t.version)"
    )
    put = sa.text("UPDATE tables SET snapshot = :snapshot, last = :last WHERE id = :which")
    for start in range(0, len(ids), _BATCH):
        rows = [row for it in ids[start : start + _BATCH] for row in connection.execute(newest, {"id": it}).all()]
        for row in rows:
            raw = row.snapshot if isinstance(row.snapshot, bytes) else row.snapshot.encode()
            connection.execute(put, {"which": row.which, "snapshot": zlib.compress(raw, 1), "last": row.last})


def downgrade() -> None:
    """There is no way back: the versions before are not kept. Use a backup."""
    raise NotImplementedError("a database of this version has no history to go back to; use a backup")
