"""Processes hold shards by locks of PostgreSQL: the tables by which they knew each other go."""

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Drop what this version does not need."""
    for name in ("cluster", "processes", "leases", "identifies", "news"):
        op.drop_table(name)
    with op.batch_alter_table("interactions") as interactions:
        interactions.drop_index("ix_interactions_at")
        interactions.drop_column("at")
