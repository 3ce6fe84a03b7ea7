"""17 (Diciassette): a bluffing game with hidden cards.

In reading order:

- ``cards``       the deck
- ``actions``     what a seat can ask for
- ``state``       everything there is to know about a running game
- ``events``      what happened
- ``errors``      what only these rules refuse
- ``laying``      every play, and what becomes of its card
- ``rules``       dealing, what plays and calls lead to, and the tokens
- ``calls``       who may call, and who must
- ``view``        what one seat may know, and what it may play
- ``odds``        the exact distribution of the hidden cards
- ``memory``      what a computer player keeps in mind
- ``choices``     what a seat can choose, numbered
- ``features``    what a seat knows, as numbers
- ``open_features``  everything there is, as numbers
- ``tables``      many tables at once, as arrays
- ``learnt``      the networks that self-play has made
- ``styles``      the six levels of the computer player
- ``remembered``  a round of a game of two as one seat remembers it
- ``worlds``      what a table of two may be, as one seat knows it
- ``search``      thinking ahead in a game of two
- ``computers``   players that see only their view
- ``ladder``      how strong its levels are, as it was measured
- ``foresight``   what a player knows to follow from a play
- ``calling``     what a call is worth
- ``outlook``     who will win, all cards open
- ``coach``       what a strong player thinks of a game
- ``transcript``  the audit format
- ``highlights``  what is worth telling at the end
- ``history``     what may be told again while it runs
- ``tallies``     what is counted over all games
- ``game``        all of it put together
"""
