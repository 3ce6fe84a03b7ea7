"""17 (Diciassette): a bluffing game with hidden cards.

In reading order:

- ``cards``       the deck
- ``actions``     the actions that a seat can take
- ``state``       the state of a running game
- ``events``      the events: what happened
- ``errors``      the reasons for illegal actions of this game
- ``laying``      a table of all plays and their results
- ``rules``       dealing, the results of plays and calls, and the tokens
- ``calls``       who may call, and who must
- ``view``        what one seat may know, and its legal plays
- ``odds``        the exact distribution of the hidden cards
- ``memory``      what a computer player remembers
- ``choices``     the choices of a seat, numbered
- ``features``    what a seat knows, as numbers for the networks
- ``open_features``  a whole state as numbers for the networks
- ``tables``      the simulation of many tables at once, as arrays
- ``learnt``      the networks trained by self-play
- ``styles``      the six levels of the computer player
- ``remembered``  the current round of a two-player game, as one seat remembers it
- ``worlds``      possible hidden cards of a two-player table (a particle filter)
- ``search``      the search of a computer player in a two-player game
- ``computers``   the computer players, which see only their view
- ``ladder``      the measured strength of these levels
- ``foresight``   the certain results of a play, as its player knows them
- ``calling``     the value of a call
- ``outlook``     the chances to win, with all cards open
- ``coach``       the coach's judgement of a game
- ``transcript``  the audit format
- ``highlights``  the memorable moments of a game
- ``history``     what players may read again of the current round
- ``tallies``     the counts for people over all their games
- ``daily``       the deal of the day
- ``game``        the game, made of these parts
"""
