"""12 Days of Christmas: a shedding game of sets and straights, in which low cards win.

In reading order:

- ``cards``         the deck
- ``combinations``  singletons, sets, straights, and what may be played on a lead
- ``actions``       what a seat can ask for
- ``state``         everything there is to know about a running game
- ``events``        what happened
- ``errors``        what only these rules refuse
- ``rules``         dealing, and what plays and passes lead to
- ``view``          what one seat may know, and what it may play
- ``odds``          how likely a play is to win its trick
- ``plan``          how best to split a hand into plays
- ``computer``      a player that sees only its view
- ``transcript``    the audit format
- ``highlights``    what is worth telling at the end
- ``turning_point``  the decision that mattered most
- ``past``          what may be told again while it runs
- ``tallies``       what is counted over all games
- ``game``          all of it put together
"""
