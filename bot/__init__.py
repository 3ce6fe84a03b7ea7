"""The running program: it hosts tables on Discord.

In reading order:

- ``settings``     environment and ``.env``, checked
- ``clock``        the time, and being woken up later
- ``tables``       running games: what they are, how they change, who serves them (no discord here)
- ``listening``    HTTP for those in the same network, who may send anything
- ``watching``     what is counted and measured, and where others read it
- ``store``        tables, their history and messages in a database
- ``cluster``      several processes on one database
- ``stats``        what games leave to those who played: places, ratings, totals
- ``servers``      what was chosen for servers, and who is banned from their tables
- ``sessions``     our sessions at Discord's gateway: how many are left, whether one is deaf
- ``people``       what people have chosen for themselves
- ``i18n``         texts in the reader's language
- ``ui``           views of games as Discord components
- ``delivery``     every message brought to the newest view, with few requests
- ``background``   tasks in the background
- ``log``          one line per event, no secrets
- ``commands``     the slash commands: their names in every language, and that Discord knows them
- ``permissions``  what the bot needs to be allowed, and the link that invites it
- ``odd_events``   events that discord.py cannot read
- ``interactions`` every interaction, answered once and by the process that is to answer it
- ``place``        what is known of the place where an interaction was made
- ``set_aside``    tables that cannot go on, and telling their channels
- ``doctor``       ``python -m bot doctor``: what state the database is in
- ``verify``       ``python -m bot verify``: whether the record of a game fits
- ``version``      which version of the program this is
- ``unit``         ``python -m bot unit``: a service for systemd
- ``streams``      standard input, output and error
- ``export``       all that is kept of one person, as a file
- ``erase``        erasing a person
- ``changes``      what follows when something has changed in Discord, in choices, in another process
- ``events``       what Discord tells of our connections, of servers and channels
- ``client``       all of it put together on discord.py
- ``greeting``     what whoever starts it reads
- ``patience``     waiting for what cannot be reached yet
- ``embedded``     the local Discord as a process of its own, for those who have no token
- ``run``          ``python -m bot run``: starts and stops it
- ``arguments``    what the program can be told: commands and their options
- ``__main__``     ``python -m bot``: the command line
- ``review``       games that are over, replayed and judged
"""
