"""Totals and ratings of people, what they and servers have chosen about them, and which records are counted."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the tables and columns of this version. Every record there is will be counted."""
    op.add_column("records", sa.Column("counted_at", sa.BigInteger))
    op.create_index(
        "ix_records_uncounted",
        "records",
        ["ended_at"],
        sqlite_where=sa.text("counted_at IS NULL"),
        postgresql_where=sa.text("counted_at IS NULL"),
    )
    op.add_column("record_people", sa.Column("place", sa.Integer))
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
    with op.batch_alter_table("guilds") as guilds:
        guilds.alter_column("locale", existing_type=sa.String(8), nullable=True)
        guilds.add_column(sa.Column("boards", sa.String(8)))
    for column in ("rated", "replays", "hidden"):
        op.add_column("preferences", sa.Column(column, sa.String(8)))


def downgrade() -> None:
    """Back to the schema before. Totals and ratings are lost."""
    with op.batch_alter_table("preferences") as preferences:
        for column in ("rated", "replays", "hidden"):
            preferences.drop_column(column)
    op.execute("DELETE FROM guilds WHERE locale IS NULL")
    with op.batch_alter_table("guilds") as guilds:
        guilds.drop_column("boards")
        guilds.alter_column("locale", existing_type=sa.String(8), nullable=False)
    for table in ("rating_steps", "ratings", "totals"):
        op.drop_table(table)
    op.drop_index("ix_records_uncounted", "records")
    with op.batch_alter_table("record_people") as record_people:
        record_people.drop_column("place")
    with op.batch_alter_table("records") as records:
        records.drop_column("counted_at")
