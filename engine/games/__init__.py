"""The rules of each game, one folder per game; ``engine.registry`` finds them by itself.

The modules have the same names in every game. In reading order:

- ``cards``       what is dealt
- ``actions``     what a seat can ask for
- ``state``       everything there is to know about a running game
- ``events``      what happened
- ``errors``      what only these rules refuse
- ``rules``       dealing, and what actions lead to
- ``view``        what one seat may know, and what it may do
- ``computer``    a player that sees only its view
- ``ladder``      how strong its levels are, where that was measured
- ``transcript``  the audit format, where it is not just the fields of the state
- ``highlights``  what is worth telling at the end, where a game has that
- ``tallies``     what is counted of people over all their games, where a game has that
- ``game``        all of it put together
"""
