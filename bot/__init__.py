"""The running program: it hosts tables on Discord.

In reading order:

- ``config``       the settings from environment and ``.env``, checked
- ``version``      the version of the program
- ``clock``        the time, and alarms
- ``log``          one line per event, no secrets
- ``i18n``         texts in the reader's language
- ``metrics``      the counters and measurements for Prometheus
- ``background``   tasks in the background; a failed one is logged
- ``tables``       running games: what they are, how they change, who serves them (no discord here)
- ``review``       finished games, replayed and judged
- ``daily``        the deal of the day
- ``stats``        places, ratings and totals of the players
- ``store``        tables, their history and messages in a database
- ``cluster``      several processes on one database
- ``choices``      settings and bans of servers and preferences of people, kept in memory
- ``permissions``  the permissions that the bot needs, and the link that invites it
- ``ui``           messages as Discord components
- ``delivery``     keeps all messages up to date, with few requests
- ``commands``     the slash commands: registration, and names in every language
- ``gateway``      sessions at Discord's gateway: how many are left, whether one is deaf
- ``interactions`` routes every interaction, which is answered once; the place where it was made
- ``events``       Discord's events about connections, servers and channels, and their effect on tables
- ``client``       the discord.py client that connects all of it
- ``privacy``      exports and erases what is kept of a person
- ``monitoring``   metrics, health and readiness, for operators
- ``cli``          the command line
- ``__main__``     ``python -m bot``
"""
