"""12 Days of Christmas: a shedding game of sets and straights, in which low cards win.

In reading order:

- ``cards``         the deck
- ``combinations``  singletons, sets, straights, and the legal answers to a lead
- ``actions``       the actions that a seat can take
- ``state``         the state of a running game
- ``events``        the events: what happened
- ``errors``        the reasons for illegal actions of this game
- ``rules``         dealing, and the results of plays and passes
- ``view``          what one seat may know, and its legal plays
- ``memory``        what a seat remembers of a hand
- ``choices``       all combinations, numbered
- ``features``      a situation and its choices as numbers for the network
- ``network``       the network of the computer player
- ``knowledge``     the trained networks, and a store of played hands
- ``prospects``     the chance to win the game, from the gifts, the hands to go and the players who give gifts
- ``styles``        the styles of the six levels of computer players
- ``judgement``     a computer player's judgement of its choices
- ``computers``     the computer players, which see only their view
- ``ladder``        the measured strength of these levels
- ``watching``      a situation with all cards open, as numbers for the network
- ``certain``       certain actions and certain winners of a hand, with all cards open
- ``forced``        forced wins of a hand, with all cards open
- ``closing``       the chances to win where the winner of the hand is certain
- ``foresight``     what a seat can be certain of, and its value
- ``endgame``       the chances in the last hand, by complete search
- ``coach``         the coach's judgement of a game and of each choice
- ``transcript``    the audit format
- ``highlights``    the memorable moments of a game
- ``history``       what players may read again of the current trick
- ``tallies``       the counts for people over all their games
- ``daily``         the deal of the day
- ``game``          the game, made of these parts
"""
