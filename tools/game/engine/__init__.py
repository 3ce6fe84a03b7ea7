"""Zebra: a toy game, made by ``make game``. It runs; now turn it into your own.

What to change, in this order (docs/adding-a-game.md says more about each):

1. ``rulings.md``: the rules in numbered sentences; every number is cited by a test.
2. The modules below, from ``cards`` to ``computers``, and beside them
   ``tests/engine/games/zebra/test_rules.py``: first the test of a sentence, then the rule.
3. ``tests/games/zebra.py``: what the suites over all games need to know of it.
4. ``bot/ui/games/zebra``: what it looks like, and its texts.
5. ``make playthroughs``, and read them: a whole game as text. ``make run``, and play it.
6. The texts in every language (``make texts``); then remove ``draft=True`` from its presenter,
   and run ``make drawings``.

In reading order:

- ``cards``      what is dealt
- ``actions``    what a seat can ask for
- ``state``      everything there is to know about a running game
- ``events``     what happened
- ``errors``     what only these rules refuse
- ``rules``      dealing, and what plays lead to
- ``view``       what one seat may know, and what it may do
- ``computers``  players that see only their view
- ``game``       all of it put together
"""
