"""``make bench``: speed and cost, as one table of ratios within one run.

- ``engine``   random games of 17 next to RLCard's UNO
- ``load``     a bot process on a local Discord in this one, with busy tables
- ``bare``     a discord.py bot with one button, to compare with
- ``tables``   five thousand live tables: memory, and a restart
"""
