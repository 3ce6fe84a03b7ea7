"""Create set_aside: tables that could not be read and are not served any more."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables of this version."""
    op.create_table(
        "set_aside",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("error", sa.String(64), nullable=False),
        sa.Column("told_at", sa.BigInteger),
    )


def downgrade() -> None:
    """Drop the tables of this version."""
    op.drop_table("set_aside")
