"""The Discord user names of those who have played, by which people of one name are told apart."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the column of this version. Of games that are over it stays empty."""
    op.add_column("record_people", sa.Column("username", sa.Text))
