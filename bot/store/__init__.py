"""Tables, their history and their messages in a database.

In reading order:

- ``schema``      the tables of the database
- ``database``    runs transactions, each in one step on the database's thread
- ``writer``      writes; those that wait at the same time share a transaction
- ``store``       what is read and written
- ``backup``      a copy while the bot runs: ``python -m bot.store.backup FILE``
- ``migrations``  the schema's history (Alembic), applied at start
"""
