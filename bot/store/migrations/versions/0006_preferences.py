"""Create preferences: what people have chosen for themselves."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the tables of this version."""
    op.create_table(
        "preferences",
        sa.Column("user_id", sa.BigInteger, primary_key=True),
        sa.Column("locale", sa.String(8)),
        sa.Column("hand", sa.String(8), nullable=False),
        sa.Column("telling", sa.String(8), nullable=False),
        sa.Column("passes", sa.String(8), nullable=False),
    )


def downgrade() -> None:
    """Drop the tables of this version."""
    op.drop_table("preferences")
