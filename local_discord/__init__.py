"""An embedded Discord: REST, gateway and a live web page on loopback. It knows nothing of the bot it serves.

As small as it can be while being honest: what it does, it does as documented; what it does not, it refuses with
Discord's error shape and a log line.

In reading order:

- ``snowflake``    ids that carry their time
- ``errors``       Discord's error shapes
- ``model``        people, channels, messages, interactions
- ``world``        all of them together, who sees what, and what changes
- ``checks``       what Discord refuses in a message (error 50035 with the path)
- ``commands``     application commands: what Discord refuses, and finding one
- ``serialize``    the model as API objects
- ``interactions`` the life of an interaction: 3 seconds, 15 minutes, one response
- ``gateway``      sessions: identify, heartbeat, resume, dispatch
- ``requests``     the list of the bot's requests
- ``faults``       faults that tests switch on
- ``routes``       REST for bots and users
- ``control``      ``/local``: for tests, and for the page to start with
- ``server``       all of it as one aiohttp application
- ``page``         the web page
"""
