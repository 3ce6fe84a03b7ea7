"""What moderators have decided for their server."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger, primary_key=True),
        sa.Column("locale", sa.String(8), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("guilds")
