"""Until when no conversation is opened, since Discord has said that there were too many."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the table of this version."""
    op.create_table(
        "dms_pause",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("code", sa.Integer, nullable=False),
    )
