"""Views of games as Discord components. Everything here gets a ``Scene`` - never a table's state.

In reading order:

- ``sheet``          a message's components, the pieces they are made of, and what fits
- ``alike``          what everybody at a table reads alike, written once
- ``pickers``        lists of what a server has: channels, roles, people
- ``topics``         the pages of the rules, and those that every game shares
- ``lessons``        guided rounds
- ``offers``         the controls with which a move is made, and what a click on them means
- ``former``         words in place of the names of people who were erased
- ``players``        lines about the players: who they are, whose seat has changed hands
- ``commentary``     what a game with a coach adds to what is said of decisions
- ``presenter``      what a game's folder adds to the messages that all games share
- ``games``          one folder per game
- ``registry``       all presenters, by game
- ``news``           what has just happened, for both messages
- ``dealing``        what people can note of a deal
- ``records``        what there is to say of the record of a game
- ``ending``         the table message at the end
- ``advice``         what the coach says of single decisions in a game that is over
- ``deciding``       the moments that decided such a game
- ``coach``          what it says of such a game as a whole
- ``table_options``  how a table is played: a line in the lobby, and the form in which that is chosen
- ``hints``          what the coach says during a game
- ``lobby``          the table message in the lobby
- ``table_message``  the table message, in the lobby and while the game runs
- ``review``         a game that is over, gone through again
- ``hand_message``   the hand message
- ``menu``           what the menu button opens
- ``history``        what has happened in the round or trick that is being played
- ``preferences``    what a person chooses for themselves
- ``profile``        what somebody has done in their games, and their rating
- ``leaderboard``    who is best in a server
- ``privacy``        what is kept of a person
- ``server``         what is chosen for a server
- ``moderation``     the live tables of a server, and who is banned from them
- ``checkup``        what works here, and what does not
- ``answers``        short private sentences: refusals, apologies, help
- ``rules``          the rules, a page at a time
"""
