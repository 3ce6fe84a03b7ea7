"""Zebra on Discord.

In reading order:

- ``drawings``   what cards and tokens look like
- ``cards``      cards and tokens as symbols
- ``board``      the game's part of the table message
- ``hand``       the game's part of the hand message
- ``rules``      the pages of the rules
- ``presenter``  all of it put together
"""
