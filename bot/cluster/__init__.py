"""Several processes on one PostgreSQL database: who serves what, and how they hand it over.

In reading order:

- ``partitions``  how tables are divided
- ``leases``      who should serve what. Pure
- ``news``        what every process has to know
- ``held``        what this process serves, and for how long nobody else can
- ``joining``     whether a process may join the others
- ``duties``      has the program serve what was taken, and stop to serve what was given or lost
- ``membership``  one process among others: joins, renews, takes, gives, leaves
- ``shards``      shards of discord.py that come and go
- ``peers``       HTTP between the processes
- ``routing``     the way of an interaction to the process that serves its table
- ``serving``     all of it put together with the program
"""
