"""The deal of the day: the same cards and computer players for everybody, once a day. Pure.

In reading order:

- ``days``     days and what is dealt on them; days in a row
- ``results``  how an attempt at a day's deal has gone, and how that compares with all others
- ``choices``  what people chose at the same moments of a day's deal
"""
