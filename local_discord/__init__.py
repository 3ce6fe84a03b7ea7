"""An embedded Discord: REST, gateway and a live web page on loopback. It knows nothing of the bot that uses it.

It does only what a bot for card games needs, and does it as Discord documents it. It refuses everything else in
Discord's error shape, with a line in the log. Interactions are commands (2), components (3) and modals (5).

In reading order:

- ``snowflake``     ids that hold the time they were made
- ``errors``        what Discord answers when it refuses something
- ``forms``         JSON from requests, read value by value
- ``images``        what kind of picture some bytes are
- ``model``         people, channels, messages, interactions
- ``initial``       who and what is there at every start
- ``components``    what Discord refuses in a message's components
- ``embeds``        what Discord refuses in a message's embeds
- ``checks``        what Discord refuses in a message otherwise
- ``attachments``   files sent with a message
- ``modals``        what Discord refuses in a modal, and in what is answered in it
- ``commands``      what Discord refuses in a command, and who is offered it where
- ``serialize``     people, channels, messages and answers as API objects
- ``notifications`` whom a message notifies, and what their phone shows
- ``limits``        rate limits
- ``faults``        faults that tests set
- ``world``         everything there is, threads too: who may do what and sees what, and what changes
- ``uses``          what a person uses, and how the bot is told of it
- ``interactions``  one use of a command or component: 3 seconds to answer, one response, 15 minutes for its token
- ``starts``        how often a bot may begin a session
- ``sessions``      a client's session at the gateway, and its socket
- ``gateway``       connections (identify, heartbeat, resume), sessions, and which events go to whom
- ``requests``      the list of the bot's requests, for tests
- ``hidden_limits`` limits that no header announces: edits of old messages, new direct messages
- ``services``      these parts together, as routes need them
- ``routes``        REST for bots and users, by subject
- ``changes``       what tests change from outside
- ``control``       ``/local``: for tests, and for the page to start with
- ``records``       all of that as rows of text, and back
- ``state``         the file in which it outlives its process, if there is one
- ``guard``         no other web page gets in
- ``server``        all of it as one aiohttp application
- ``page/``         the web page
- ``__main__``      the command line: ``python -m local_discord``
"""
