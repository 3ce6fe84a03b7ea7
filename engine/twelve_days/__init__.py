"""12 Days of Christmas: a shedding game of sets and straights, in which low cards win.

In reading order:

- ``cards``         the deck
- ``combinations``  singletons, sets, straights, and what may be played on a lead
- ``actions``       what a seat can ask for
- ``state``         everything there is to know about a running game
- ``events``        what happened
- ``errors``        what only these rules refuse
- ``rules``         dealing, playing, passing: the only door to a new state
- ``view``          what one seat may know
- ``odds``          how likely a play is to win its trick
- ``plan``          how best to split a hand into plays
- ``computer``      a player that sees only its view
- ``transcript``    the audit format
- ``game``          all of it behind the face that tables know
"""
