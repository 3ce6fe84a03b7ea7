"""Views of games as Discord components. Together with ``delivery`` and ``client`` the only place in ``bot`` that
imports discord. Everything here gets a ``Scene`` - never a table's state.

In reading order:

- ``sheet``       a message's components, and the pieces they are made of
- ``presenter``   what a game's own presenter answers
- ``topics``      rules pages that every game shares
- one package a game, by its name: its cards, table, hand and rules pages
- ``registry``    the presenters there are, by game
- ``table``       the table message: lobby, game, end
- ``hand``        the hand message
- ``menu``        what the menu button opens
- ``answers``     short private sentences: refusals, apologies, help
- ``rules``       the rules pages
"""
