"""Several processes on one PostgreSQL database: each holds some of Discord's shards, and serves their servers.

In reading order:

- ``session`` a session of PostgreSQL: its advisory locks, those of the other processes, and announcements
- ``shards``  which shards a process should take (pure), and how it takes them, hands them over and loses them
"""
