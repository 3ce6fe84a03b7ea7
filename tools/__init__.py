"""Programs for developers.

- ``new_game``  ``make game NAME=...``: a toy game that runs at once
- ``try_game``  ``make try-game``: makes one in a copy of the project, and runs every suite over all games on it
- ``game``      the toy game itself, as it is copied
"""
