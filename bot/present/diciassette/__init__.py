"""17 on Discord.

In reading order:

- ``cards``     symbols, names and what a card does
- ``board``     the table message's middle: players, queue, what happened, how a round ended
- ``hand``      the hand message's middle: cards and their buttons
- ``rules``     the rules pages
- ``presenter`` all of it behind the face that the shared frame knows
"""
