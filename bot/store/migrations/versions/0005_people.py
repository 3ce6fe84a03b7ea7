"""Create people: where they get direct messages."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the tables of this version."""
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger, primary_key=True),
        sa.Column("dm_channel_id", sa.BigInteger),
        sa.Column("dms_closed_at", sa.BigInteger),
    )


def downgrade() -> None:
    """Drop the tables of this version."""
    op.drop_table("people")
