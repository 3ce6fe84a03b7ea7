"""The running program: it hosts tables on Discord.

In reading order:

- ``config``       environment and ``.env``, checked
- ``version``      which version of the program this is
- ``clock``        the time, and being woken up later
- ``log``          one line per event, no secrets
- ``i18n``         texts in the reader's language
- ``metrics``      what is counted and measured
- ``background``   tasks in the background: one that fails is logged
- ``tables``       running games: what they are, how they change, who serves them (no discord here)
- ``review``       games that are over, replayed and judged
- ``stats``        what games leave to those who played: places, ratings, totals
- ``store``        tables, their history and messages in a database
- ``cluster``      several processes on one database
- ``choices``      what servers and people have chosen, kept in memory; bans
- ``permissions``  what the bot needs to be allowed, and the link that invites it
- ``ui``           messages as Discord components
- ``delivery``     every message brought to the newest view, with few requests
- ``commands``     the slash commands: their names in every language, and that Discord knows them
- ``gateway``      our sessions at Discord's gateway: how many are left, whether one is deaf
- ``interactions`` every interaction, answered once; what is known of the place where it was made
- ``quarantine``   tables that cannot go on, and telling their channels
- ``events``       what Discord tells of connections, servers and channels, and what follows from it
- ``client``       all of it put together on discord.py
- ``privacy``      what is kept of a person: exported, erased
- ``monitoring``   metrics, health and readiness, for operators
- ``cli``          the command line
- ``__main__``     ``python -m bot``
"""
