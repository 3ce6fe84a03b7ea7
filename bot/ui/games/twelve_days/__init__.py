"""12 Days of Christmas on Discord.

In reading order:

- ``drawings``  the drawings of cards and tokens
- ``cards``     cards and tokens in words and symbols
- ``trick``     the trick that is being played, and the last one, in lines; what they meant to the viewer
- ``coach``     what the coach says: what was done, and why another choice was better
- ``board``     the game's part of the table message; the picture of a whole game
- ``hand``      the game's part of the hand message
- ``rules``     the pages of the rules
- ``presenter`` the presenter, which combines them
"""
