"""17 on Discord.

In reading order:

- ``drawings``  what cards and tokens look like
- ``cards``     cards and tokens in words and symbols
- ``pictures``  pictures for the rules and of a queue
- ``reveal``    how a round ended, for both messages
- ``board``     the game's part of the table message; a picture of a whole game: the queue and what it held, card by
  card
- ``coach``     what the coach says; bluffs that worked and Traps that snapped, for a review
- ``hand``      the game's part of the hand message
- ``rules``     the pages of the rules
- ``lesson``    a guided round
- ``presenter`` all of it put together
"""
