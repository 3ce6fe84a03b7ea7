"""Views of games as Discord components. Everything here gets a ``Scene`` - never a table's state.

In reading order:

- ``custom_ids``      what the custom_id of a button carries
- ``pictures``        what drawings are made with
- ``components``      a message's components, the pieces they are made of, and what fits; what everybody at a table
  reads alike, written once; lists of what a server has: channels, roles, people; words in place of the names of
  people who were erased
- ``presenter``       what a game's folder adds to the messages that all games share; the controls with which a move
  is made, and what a click on them means; what a game with a coach adds to what is said of decisions; the pages of
  the rules, and those that every game shares; guided rounds
- ``players``         lines about the players: who they are, whose seat has changed hands
- ``dealing``         what people can note of a deal
- ``news``            what has just happened, for both messages
- ``games``           one folder per game
- ``registry``        all presenters, by game
- ``review``          a game that is over, gone through again; what there is to say of the record of a game
- ``end_message``     the table message at the end
- ``advice``          what the coach says of single decisions in a game that is over
- ``coach``           what it says of such a game as a whole; the moments that decided such a game
- ``lobby``           the table message in the lobby; how a table is played: a line in the lobby, and the form in
  which that is chosen
- ``hints``           what the coach says during a game
- ``table_message``   the table message, in the lobby and while the game runs
- ``hand_message``    the hand message
- ``menu``            what the menu button opens; what has happened in the round or trick that is being played
- ``preferences``     what a person chooses for themselves
- ``profile``         what somebody has done in their games, and their rating; who is best in a server
- ``privacy``         what is kept of a person
- ``server_settings`` what is chosen for a server
- ``moderation``      the live tables of a server, and who is banned from them
- ``doctor``          what works here, and what does not
- ``replies``         short private sentences: refusals, apologies, help
- ``rules``           the rules, a page at a time
"""
