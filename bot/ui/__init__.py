"""Views of games as Discord components. Everything here gets a ``Scene`` - never a table's state.

In reading order:

- ``custom_ids``      builds and parses the custom_ids of buttons and selects
- ``pictures``        drawing tools, symbols, and pictures that go with messages
- ``components``      builders for a message's components; names made safe for messages; limits of Discord
- ``presenter``       the base classes that a game's folder implements: ``Presenter``, ``Board``, ``Hand``; move
  controls, rules pages and lessons
- ``players``         lines about the players: who they are, which seats have changed hands
- ``dealing``         the codes and messages about the deal
- ``news``            what has just happened, for the table message and the hand message
- ``games``           one folder per game
- ``registry``        all presenters, by game
- ``review``          the review of a finished game, and checks of its record
- ``daily``           the deal of the day: its lobby, results, what is shared, the board of a server
- ``solo_message``    the message of a solo table
- ``end_message``     the table message at the end
- ``advice``          what the coach says about single decisions in a finished game
- ``coach``           what the coach says about a finished game as a whole
- ``lobby``           the table message in the lobby, and the form for the options of the table
- ``hints``           hints: what the coach says during a game
- ``table_message``   the table message, in the lobby and while the game runs
- ``hand_message``    the hand message
- ``menu``            the menu, its confirmation questions, and the history of the current round or trick
- ``preferences``     a person's preferences
- ``profile``         a person's numbers and rating, and the leaderboard of a server
- ``privacy``         the data kept of a person: read, export, erase
- ``server_settings`` the settings of a server
- ``moderation``      the live tables of a server, and who is banned from them
- ``doctor``          /doctor: checks of what works in a channel
- ``replies``         short private sentences: refusals, apologies, help
- ``rules``           the rules, a page at a time
"""
