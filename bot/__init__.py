"""The running program: it hosts tables on Discord.

In reading order:

- ``settings``    environment and ``.env``, checked
- ``clock``       now, and waking up later
- ``refusals``    what a table refuses, and why
- ``tables``      running games: what they are, how they change, who serves them (no discord here)
- ``store``       tables, their history and messages in a database
- ``i18n``        words in the reader's language
- ``custom_ids``  what a button carries
- ``pictures``    what drawings are made with
- ``present``     views of games as Discord components
- ``delivery``    every message brought to the newest view, with few requests
- ``log``         one line per thing that happens, no secrets
- ``client``      all of it put together on discord.py
- ``embedded``    the local Discord in a process of its own, for who has no token
- ``__main__``    ``python -m bot``
"""
