"""Each game on Discord, one folder per game; ``bot.present.registry`` finds them by the names of the games.

The modules have the same names in every game. In reading order:

- ``diciassette`` TODO
- ``twelve_days`` TODO
"""
