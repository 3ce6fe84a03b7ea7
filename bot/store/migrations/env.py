"""Alembic runs this for every upgrade; the connection comes from ``migrations.upgrade_schema``."""

from alembic import context

from bot.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
