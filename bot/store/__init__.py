"""Tables, their history and their messages in a database.

In reading order:

- ``counting``    adds every record to totals and ratings, once, beside the games
- ``schema``      the tables of the database
- ``files``       the files of a SQLite database: their rights, whether they are still there, one process for each
- ``database``    the interface of a database, its errors, and its address as hosters write it
- ``sqlite``      a SQLite file: transactions run on one thread
- ``postgresql``  a PostgreSQL server: transactions on several connections, its errors and its locks
- ``writer``      queues writes, so that those that wait share a transaction; opens the database at an address
- ``tables``      rows of tables: as JSON and bytes, taking over, quarantine; which interactions were processed
- ``records``     rows of moves and records; which games somebody may look for; deleting what is too old
- ``stats``       rows of totals and ratings
- ``daily``       rows of the deal of the day: secrets, attempts, where the results are shown
- ``servers``     rows of servers: their settings, and who is banned from their tables
- ``messages``    rows of messages and people; damaged rows count as none
- ``changes``     announcements of PostgreSQL: which rows other processes have changed
- ``people``      finds and erases the data of one person
- ``store``       every read and write of the bot
- ``maintenance`` daily work beside the games, in slices: counting, deleting, giving back space
- ``transfer``    copies all rows of one database into another: ``python -m bot move FROM TO``
- ``backup``      makes, checks and restores backups: ``python -m bot backup FILE``, ``restore FILE``, and by schedule
- ``migrations``  the schema's history (Alembic), applied at start
"""
