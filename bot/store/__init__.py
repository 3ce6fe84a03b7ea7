"""Tables, their history and their messages in a database.

In reading order:

- ``counting``      adds every record to totals and ratings, once, beside the games
- ``schema``        the tables of the database
- ``files``         the files of a SQLite database: nobody else's, and still there
- ``lock``          one process for each SQLite database
- ``address``       the address of a database, as hosters write it
- ``database``      what runs transactions, and how it fails
- ``sqlite``        a SQLite file: transactions run on one thread
- ``server_errors`` what errors of a PostgreSQL server are for us
- ``postgresql``    a PostgreSQL server: transactions run on several connections
- ``opening``       opens the database that an address names
- ``writer``        writes; those that wait at the same time share a transaction
- ``packing``       a table as JSON, and as bytes
- ``rows``          what is written of a table, and read of it; tables that cannot be read are set aside
- ``locks``         what one transaction at a time holds, of all processes
- ``counted``       which interactions have changed a table: each counts once
- ``archive``       rows of moves and records; which games somebody may look for
- ``retention``     how long what is over is kept; free space is given back
- ``results``       rows of totals and ratings
- ``servers``       rows of servers: what was chosen for them, who is banned from their tables
- ``places``        rows of messages and people; those that are damaged count as none
- ``changes``       announcements of PostgreSQL: which rows other processes have changed
- ``personal``      what there is of one person, and erasing it
- ``store``         what is read and written
- ``upkeep``        what is done beside the games, in slices
- ``copying``       all rows of one database into another
- ``backup``        a copy while the bot runs: ``python -m bot backup FILE``
- ``rotation``      copies that the running bot makes by itself; the oldest go
- ``access``        whether a bot can write to a SQLite database and its backups
- ``restore``       a copy in place of the database: ``python -m bot restore FILE``
- ``move``          from one database to another: ``python -m bot move FROM TO``
- ``migrations``    the schema's history (Alembic), applied at start
"""
