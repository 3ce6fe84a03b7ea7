"""The command line, a module for each command: ``python -m bot``, installed as ``diciassette``.

In reading order:

- ``doctor``   ``python -m bot doctor``: the state of database and backups
- ``ban``      ``python -m bot ban``: bans a person from playing with this bot
- ``verify``   ``python -m bot verify``: checks the record of a game
- ``unit``     ``python -m bot unit``: a service for systemd
- ``streams``  standard input, output and error
- ``greeting`` the lines printed when the bot is ready
- ``embedded`` the local Discord as a process of its own, for hosts without a token
- ``run``      ``python -m bot run``: starts and stops the bot
- ``main``     ``python -m bot``: the commands and their options
- ``health``   ``python -m bot health``: checks whether the running bot answers
- ``completion``  ``python -m bot completion``: prints a completion script for a shell
"""
