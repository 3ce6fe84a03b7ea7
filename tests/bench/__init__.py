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
- ``lean_discord`` a Discord for one bot process of several, which takes less CPU than the bot
- ``load_process`` that Discord and its people, in a process of their own
- ``processes`` several bot processes on one PostgreSQL: what a move costs, and how many they make
- ``luck``      how much luck there is in a game between computer players
- ``counting``  what it takes to count a record, and what a move waits for it
"""
