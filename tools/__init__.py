"""Programs for developers.

- ``new_game``  ``make game NAME=...``: a toy game that runs at once
- ``try_game``  ``make try-game``: makes one in a copy of the project, and runs all checks and suites on it
- ``game``      the toy game itself, the template that is copied
"""
