"""Create guilds: what moderators have chosen for their server."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables of this version."""
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger, primary_key=True),
        sa.Column("locale", sa.String(8), nullable=False),
    )


def downgrade() -> None:
    """Drop the tables of this version."""
    op.drop_table("guilds")
