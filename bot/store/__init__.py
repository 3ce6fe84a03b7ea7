"""Tables, their history and their messages in a database.

In reading order:

- ``counting``    adds every record to totals and ratings, once, beside the games
- ``schema``      the tables of the database
- ``files``       the files of a SQLite database: nobody else's, and still there; one process for each SQLite database
- ``database``    what runs transactions, and how it fails; the address of a database, as hosters write it
- ``sqlite``      a SQLite file: transactions run on one thread
- ``postgresql``  a PostgreSQL server: transactions run on several connections; what errors of a PostgreSQL server are
  for us; what one transaction at a time holds, of all processes
- ``writer``      writes; those that wait at the same time share a transaction; opens the database that an address
  names
- ``tables``      what is written of a table, and read of it; tables that cannot be read are set aside; a table as
  JSON, and as bytes; which interactions have changed a table: each counts once
- ``records``     rows of moves and records; which games somebody may look for; how long what is over is kept; free
  space is given back
- ``stats``       rows of totals and ratings
- ``servers``     rows of servers: what was chosen for them, who is banned from their tables
- ``messages``    rows of messages and people; those that are damaged count as none
- ``changes``     announcements of PostgreSQL: which rows other processes have changed
- ``people``      what there is of one person, and erasing it
- ``store``       what is read and written
- ``maintenance`` what is done beside the games, in slices
- ``transfer``    from one database to another: ``python -m bot move FROM TO``; all rows of one database into another
- ``backup``      a copy while the bot runs: ``python -m bot backup FILE``; a copy in place of the database: ``python
  -m bot restore FILE``; copies that the running bot makes by itself; the oldest go
- ``migrations``  the schema's history (Alembic), applied at start
"""
