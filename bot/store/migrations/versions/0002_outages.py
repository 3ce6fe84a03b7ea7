"""Create the pulse and outages: when nobody could be served, so that it counts against nobody's turn."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables of this version."""
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


def downgrade() -> None:
    """Drop the tables of this version."""
    op.drop_table("outages")
    op.drop_table("pulse")
