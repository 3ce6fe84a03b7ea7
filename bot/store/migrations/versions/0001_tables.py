"""Create tables, their history, timers and messages."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables of this version."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("live_channel_id", sa.BigInteger, unique=True),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("snapshot", sa.Text, nullable=False),
    )
    op.create_table(
        "timers",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("due_at", sa.BigInteger, index=True),
        sa.Column("timer", sa.String(16)),
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


def downgrade() -> None:
    """Drop the tables of this version."""
    for name in ("messages", "timers", "events", "tables"):
        op.drop_table(name)
