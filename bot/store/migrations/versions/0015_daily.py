"""The deal of the day: its secrets, everybody's attempts, and the messages with the results."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the three tables."""
    op.create_table(
        "daily_days",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("drawn_at", sa.BigInteger, nullable=False),
        sa.Column("computers", sa.String(64)),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "daily_attempts",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("place", sa.Integer),
        sa.Column("score", sa.Text),
        sa.Column("rounds", sa.Text),
        sa.Column("choices", sa.LargeBinary),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_daily_attempts_user_id", "daily_attempts", ["user_id"])
    op.create_index("ix_daily_attempts_table_id", "daily_attempts", ["table_id"])
    op.create_table(
        "daily_boards",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("message_id", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
