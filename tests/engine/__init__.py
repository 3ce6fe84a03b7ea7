"""The rules: every game by its sentences, all games by their properties.

In reading order:

- ``test_fair``          shuffles, recomputed independently
- ``test_boundary``      the engine is pure, nobody knows a game but its own folders, every ruling is cited
- ``test_every_game``    properties of every game over random playthroughs
- ``test_codec``         JSON for the engine's types, and what has a type
- ``test_actions``       what is an action, and what is malformed
- ``test_command_line``  ``python -m engine``
- ``games``              the scenarios of each game, a folder a game
"""
