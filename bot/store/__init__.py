"""Tables, their history and their messages in a database.

In reading order:

- ``schema``      the tables of the database
- ``database``    where transactions run: one hop to the database's thread each
- ``writer``      writes, waiting ones grouped
- ``store``       the transactions
- ``backup``      a copy while the bot runs: ``python -m bot.store.backup FILE``
- ``migrations``  the schema's history (Alembic), applied at start
"""
