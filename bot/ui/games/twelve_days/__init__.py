"""12 Days of Christmas on Discord.

In reading order:

- ``drawings``  what cards and tokens look like
- ``cards``     cards and tokens in words and symbols
- ``trick``     the trick that is being played, and the last one, in lines; what a trick or a hand meant to one player
- ``coach``     what was done, for a review; why something would have been better
- ``board``     the game's part of the table message; a picture of a whole game: everybody's gifts, hand by hand
- ``hand``      the game's part of the hand message
- ``rules``     the pages of the rules
- ``presenter`` all of it put together
"""
