"""What those who manage a server have chosen for it, and who is banned from its tables."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the column and the table of this version."""
    op.add_column("guilds", sa.Column("settings", sa.Text))
    op.create_table(
        "bans",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
        sa.Column("user_id", sa.BigInteger, index=True),
        sa.Column("mark", sa.String(128), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("by_id", sa.BigInteger),
        sa.Column("reason", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Back to the schema before: servers have the defaults, and nobody is banned."""
    op.drop_table("bans")
    op.execute("DELETE FROM guilds WHERE locale IS NULL AND boards IS NULL")
    with op.batch_alter_table("guilds") as guilds:
        guilds.drop_column("settings")
