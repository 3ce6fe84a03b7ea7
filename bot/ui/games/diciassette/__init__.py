"""17 on Discord.

In reading order:

- ``drawings``  the drawings of cards and tokens
- ``cards``     cards and tokens in words and symbols
- ``pictures``  pictures for the rules and of a queue
- ``reveal``    how a round ended, for the table message and the hand message
- ``board``     the game's part of the table message; the picture of a whole game
- ``coach``     what the coach says, also about bluffs and sprung Traps
- ``hand``      the game's part of the hand message
- ``rules``     the pages of the rules
- ``lesson``    a guided round
- ``presenter`` the presenter, which combines them
"""
