"""Tables, their history and their messages in a database.

In reading order:

- ``schema``      the tables of the database
- ``store``       transactions: one hop to the database's thread each, waiting ones grouped
- ``migrations``  the schema's history (Alembic), applied at start
"""
