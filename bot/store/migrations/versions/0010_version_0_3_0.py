"""The schema of version 0.3.0, from which this history begins: an older database goes through that version first."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = None

_INDEXES: Final = (
    ("ix_tables_due_at", "tables", ["due_at"], "due_at IS NOT NULL"),
    ("ix_tables_opened_by", "tables", ["opened_by", "opened_at"], "opened_by IS NOT NULL"),
    ("ix_records_uncounted", "records", ["ended_at"], "counted_at IS NULL"),
)
"""(name, table, columns, of which rows), of those that hold some rows only."""


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("live_channel_id", sa.BigInteger, unique=True),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("due_at", sa.BigInteger),
        sa.Column("timer", sa.String(16)),
        sa.Column("last", sa.Text, nullable=False, server_default="{}"),
        sa.Column("snapshot", sa.LargeBinary, nullable=False, server_default=sa.text("''")),
        sa.Column("shown", sa.Text),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("opened_by", sa.BigInteger),
        sa.Column("opened_at", sa.BigInteger),
    )
    op.create_table(
        "old_events",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("snapshot", sa.Text, nullable=False),
    )
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
        sa.Column("counted_at", sa.BigInteger),
    )
    op.create_table(
        "record_people",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("records.table_id"), primary_key=True),
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("user_id", sa.BigInteger, nullable=False, index=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("place", sa.Integer),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "totals",
        sa.Column("user_id", sa.BigInteger, primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("what", sa.String(32), primary_key=True),
        sa.Column("n", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ratings",
        sa.Column("user_id", sa.BigInteger, primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rating_steps",
        sa.Column("user_id", sa.BigInteger, primary_key=True),
        sa.Column("table_id", sa.String(16), primary_key=True, index=True),
        sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "messages",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("slot", sa.String(32), primary_key=True),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("message_id", sa.BigInteger, nullable=False),
        sa.Column("token", sa.Text),
        sa.Column("token_at", sa.BigInteger, nullable=False),
        sa.Column("told", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "outages",
        sa.Column("began_at", sa.BigInteger, primary_key=True),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger, primary_key=True),
        sa.Column("locale", sa.String(8)),
        sa.Column("boards", sa.String(8)),
        sa.Column("settings", sa.Text),
    )
    op.create_table(
        "bans",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
        sa.Column("user_id", sa.BigInteger, index=True),
        sa.Column("mark", sa.String(128), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("by_id", sa.BigInteger),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger, primary_key=True),
        sa.Column("dm_channel_id", sa.BigInteger),
        sa.Column("dms_closed_at", sa.BigInteger),
    )
    op.create_table(
        "preferences",
        sa.Column("user_id", sa.BigInteger, primary_key=True),
        sa.Column("locale", sa.String(8)),
        sa.Column("hand", sa.String(8), nullable=False),
        sa.Column("telling", sa.String(8), nullable=False),
        sa.Column("passes", sa.String(8), nullable=False),
        sa.Column("rated", sa.String(8)),
        sa.Column("replays", sa.String(8)),
        sa.Column("hidden", sa.String(8)),
    )
    op.create_table(
        "set_aside",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("error", sa.String(64), nullable=False),
        sa.Column("told_at", sa.BigInteger),
    )
    op.create_table(
        "cluster",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("application_id", sa.BigInteger, nullable=False),
        sa.Column("shards", sa.Integer, nullable=False),
    )
    op.create_table(
        "processes",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("leaving", sa.Boolean, nullable=False),
        sa.Column("cut_off", sa.Boolean, nullable=False),
        sa.Column("heard_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("owner", sa.String(16)),
        sa.Column("fence", sa.BigInteger, nullable=False),
        sa.Column("successor", sa.String(16)),
    )
    op.create_table(
        "identifies",
        sa.Column("bucket", sa.Integer, primary_key=True),
        sa.Column("next_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "interactions",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False, index=True),
    )
    op.create_table(
        "news",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False, index=True),
        sa.Column("sender", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )
    for name, table, columns, where in _INDEXES:
        op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))
