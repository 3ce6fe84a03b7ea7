"""The rules of each game, one folder per game; ``engine.registry`` finds them by itself.

The modules have the same names in every game. In reading order:

- ``cards``       what is dealt
- ``actions``     what a seat can ask for
- ``state``       everything there is to know about a running game
- ``events``      what happened
- ``errors``      what only these rules refuse
- ``rules``       dealing, and what actions lead to
- ``view``        what one seat may know, and what it may do
- ``calls``       who may call, and whose call counts, where a game has calls
- ``memory``      what a computer player keeps in mind of what its seat witnessed, where it remembers
- ``odds``        how likely it is what lies hidden
- ``choices``     what a seat can choose, numbered for the networks
- ``features``    what the networks are told of a view and a memory
- ``foresight``   what a player knows to follow from what they do, where the coach goes by that
- ``computers``   players that see only their view
- ``styles``      how the levels of the computer players differ
- ``ladder``      how strong its levels are, where that was measured
- ``transcript``  the audit format, where it is not just the fields of the state
- ``highlights``  what is worth telling at the end, where a game has that
- ``coach``       what a coach says of a decision and of a game, where a game has one
- ``history``     what may be told again of this round while it runs, where a game shows that
- ``tallies``     what is counted of people over all their games, where a game has that
- ``game``        all of it put together
"""
