"""``make bench``: speed and cost, as one table of ratios within one run.

In reading order:

- ``__main__``  all of it, as tables
- ``titles``    what the tables call a game
- ``engine``    random games of every kind next to RLCard's UNO
- ``pictures``  what it takes to draw
- ``stage``     bot processes on a local Discord in this one
- ``load``      one with busy tables
- ``bare``      a discord.py bot with one button, to compare with
- ``whole``     a long game between people, request by request
- ``tables``    ten thousand live tables: memory, and a restart
- ``store``     what games take in the database
- ``commits``   a commit on SQLite and on PostgreSQL
- ``processes`` several on one PostgreSQL, and clicks that arrive at the wrong one
- ``luck``      how much luck there is in a game between computer players
- ``counting``  what it takes to count a record, and what a move waits for it
"""
