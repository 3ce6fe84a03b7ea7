"""17 (Diciassette): a bluffing game with hidden cards.

In reading order:

- ``cards``       the deck
- ``state``       everything there is to know about a running game
- ``actions``     what a seat can ask for
- ``events``      what happened
- ``errors``      what only these rules refuse
- ``rules``       dealing, playing, calling: the only door to a new state
- ``view``        what one seat may know
- ``odds``        the exact distribution of the hidden cards
- ``computer``    a player that sees only its view
- ``transcript``  the audit format
- ``game``        all of it behind the face that tables know
"""
