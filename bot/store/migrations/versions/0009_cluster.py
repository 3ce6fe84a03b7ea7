"""What several processes on one database need: who serves what, which clicks have counted, whose tables are open."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the tables and columns of this version."""
    for column in ("guild_id", "opened_by", "opened_at"):
        op.add_column("tables", sa.Column(column, sa.BigInteger))
    op.create_index(
        "ix_tables_opened_by",
        "tables",
        ["opened_by", "opened_at"],
        sqlite_where=sa.text("opened_by IS NOT NULL"),
        postgresql_where=sa.text("opened_by IS NOT NULL"),
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


def downgrade() -> None:
    """Back to the schema before."""
    for table in ("news", "interactions", "identifies", "leases", "processes", "cluster"):
        op.drop_table(table)
    op.drop_index("ix_tables_opened_by", "tables")
    with op.batch_alter_table("tables") as tables:
        for column in ("guild_id", "opened_by", "opened_at"):
            tables.drop_column(column)
