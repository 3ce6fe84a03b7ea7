"""Tables, their history and their messages in a database.

In reading order:

- ``schema``      the tables of the database
- ``files``       the files of a SQLite database: nobody else's, and still there
- ``lock``        one process for each SQLite database
- ``database``    runs transactions, each in one step on the database's thread
- ``writer``      writes; those that wait at the same time share a transaction
- ``packing``     a table as bytes
- ``rows``        what is written of a table, and read of it; tables that cannot be read are set aside
- ``archive``     rows of moves and records
- ``replays``     which games that are over somebody may look for
- ``old_games``   records of games from before there were any
- ``retention``   how long what is over is kept
- ``space``       what is deleted is given back to the disk
- ``results``     rows of totals and ratings
- ``places``      rows of messages, people and servers; those that are damaged count as none
- ``personal``    what there is of one person, and erasing it
- ``store``       what is read and written
- ``upkeep``      what is done beside the games, in slices
- ``backup``      a copy while the bot runs: ``python -m bot backup FILE``
- ``migrations``  the schema's history (Alembic), applied at start
"""
