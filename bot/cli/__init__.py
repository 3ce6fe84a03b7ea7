"""The command line, a module a command: ``python -m bot``, installed ``diciassette``.

In reading order:

- ``doctor``   ``python -m bot doctor``: what state the database is in; whether a bot can write to a SQLite database
  and its backups
- ``verify``   ``python -m bot verify``: whether the record of a game fits
- ``unit``     ``python -m bot unit``: a service for systemd
- ``streams``  standard input, output and error
- ``greeting`` what whoever starts it reads
- ``embedded`` the local Discord as a process of its own, for those who have no token
- ``run``      ``python -m bot run``: starts and stops it
- ``main``     ``python -m bot``: the command line; what the program can be told: commands and their options
- ``health``   ``python -m bot health``: whether the running bot answers
- ``completion``  ``python -m bot completion``: a script for a shell
"""
