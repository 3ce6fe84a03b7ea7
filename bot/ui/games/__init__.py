"""Each game on Discord, one folder per game; ``bot.ui.registry`` finds them by the names of the games.

The modules have the same names in every game. In reading order:

- ``drawings``   the drawings of cards and tokens
- ``cards``      cards and tokens in words and symbols
- ``pictures``   pictures for the rules
- ``coach``      what the coach says about a game
- ``board``      the game's part of the table message
- ``hand``       the game's part of the hand message
- ``rules``      the pages of the rules
- ``presenter``  the presenter, which combines them
"""
