"""The rules of each game, one folder per game; ``engine.registry`` finds them by itself.

The modules have the same names in every game. In reading order:

- ``cards``       the deck
- ``actions``     the actions that a seat can take
- ``state``       the state of a running game, hidden cards included
- ``events``      the events: what happened
- ``errors``      the reasons for illegal actions of this game
- ``rules``       dealing, and the results of actions
- ``view``        what one seat may know, and its legal actions
- ``calls``       who may call, in a game with calls
- ``memory``      what a computer player remembers of what its seat witnessed
- ``odds``        the chances of the hidden cards
- ``choices``     the choices of a seat, numbered for the networks
- ``features``    a view and a memory as numbers for the networks
- ``foresight``   the certain results of an action, as its player knows them
- ``computers``   the computer players, which see only their view
- ``styles``      the differences between the levels of the computer players
- ``ladder``      the measured strength of these levels
- ``transcript``  the audit format, if it is not just the fields of the state
- ``highlights``  the memorable moments that the end of a game shows
- ``coach``       the coach's judgement of a decision and of a game
- ``history``     what players may read again of the current round
- ``tallies``     the counts for people over all their games
- ``daily``       the deal of the day, in a game that has one
- ``game``        the game, made of these parts
"""
