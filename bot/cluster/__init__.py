"""Several processes on one PostgreSQL database: each holds some of Discord's shards, and serves their servers.

In reading order:

- ``session`` a session of PostgreSQL: its locks, those of the other processes, what they announce
- ``shards``  the shards that this process holds: it takes them, hands them over, loses them; which shards a process
  should take. Pure
"""
