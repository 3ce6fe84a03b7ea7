"""An embedded Discord: REST, gateway and a live web page on loopback. It knows nothing of the bot that uses it.

It does only what a bot for card games needs, and does it as Discord documents it. It refuses everything else in
Discord's error shape, with a line in the log.

In reading order:

- ``snowflake``     ids that hold the time they were made
- ``errors``        what Discord answers when it refuses something
- ``model``         people, channels, messages, interactions
- ``initial``       who and what is there at every start
- ``access``        who may do what where
- ``checks``        what Discord refuses in a message (error 50035 with the path)
- ``edits``         what an edit may make of a message
- ``commands``      what Discord refuses in a command, and when a person uses one
- ``attachments``   files sent with a message
- ``serialize``     the model as API objects
- ``emoji_refusals`` controls with an emoji are refused now and then
- ``threads``       threads archive, are locked, and have members
- ``notifications`` whom a message notifies, and what their phone shows
- ``world``         everything there is: who sees what, and what changes
- ``emojis``        the application's own emojis
- ``interactions``  one use of a command or component: 3 seconds to answer, one response, 15 minutes of token
- ``sessions``      a client's session at the gateway, and its socket
- ``gateway``       identify, heartbeat, resume, and which events go to whom
- ``requests``      the list of the bot's requests, for tests
- ``faults``        faults that tests set
- ``limits``        rate limits
- ``hidden_limits`` limits that no header announces: edits of old messages, new direct messages
- ``routes``        REST for bots and users, by subject
- ``changes``       what tests change from outside
- ``control``       ``/local``: for tests, and for the page to start with
- ``guard``         no other web page gets in
- ``server``        all of it as one aiohttp application
- ``page/``         the web page
- ``__main__``      the command line: ``python -m local_discord``
"""
