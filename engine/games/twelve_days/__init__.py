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
- ``memory``        what a seat keeps in mind of a hand
- ``choices``       every combination there is, numbered
- ``features``      a situation and its choices as numbers
- ``network``       what a network expects of them
- ``knowledge``     what was learnt: the networks, and a store of hands that were played
- ``prospects``     the chance to win the game, from the gifts and the hands to go; who gives a gift: often several
- ``styles``        what a player keeps in mind, and what it is fond of; the six levels
- ``judgement``     what a player makes of its view
- ``computers``     players that see only their view
- ``ladder``        how strong its levels are, as it was measured
- ``watching``      a situation with all cards open as numbers
- ``certain``       what is bound to happen in a hand, all cards open
- ``forced``        who wins a hand whatever the others do, all cards open
- ``closing``       who gives a gift, where only that is open
- ``foresight``     what a seat can be certain of, and what that brings it
- ``endgame``       how the last hand ends, played out
- ``coach``         how a game stands, and what each choice is worth
- ``transcript``    the audit format
- ``highlights``    what is worth telling at the end
- ``history``       what may be told again while it runs
- ``tallies``       what is counted over all games
- ``game``          all of it put together
"""
