"""The rules: every game by its sentences, all games by their properties.

In reading order:

- ``by_the_page``        a second implementation of fair deals, written from docs/fairness.md
- ``test_fair``          shuffles and seeds, recomputed independently
- ``recorded``           records of random games
- ``test_record``        records written and read; whatever is damaged is said in one line
- ``test_any_bytes``     no bytes lead to another error than that line
- ``test_replay``        records played anew; what cannot have happened is refused
- ``test_tallies``       what people have done in a game, counted
- ``test_fingerprint``   what changes the fingerprint of computer players, and what does not
- ``operators``          operators who cheat
- ``test_verify``        what catches each of them
- ``test_boundary``      the engine is pure, nobody knows a game but its own folders, every ruling is cited
- ``test_every_game``    properties of every game over random playthroughs
- ``test_pace``  how long a game usually takes
- ``test_swings``        what changed the chances in a game for good
- ``test_hindsight``     what would have gone better in a game, all cards open
- ``test_judged``        what follows from the figures of a coach
- ``test_coaching``      what was good and bad in a game, what was luck and what skill
- ``test_chance``        no game asks for a shuffle or a draw twice
- ``test_codec``         JSON for the engine's types, and what has a type
- ``test_actions``       what is an action, and what is malformed
- ``test_tournament``    how strong computer players are
- ``test_command_line``  ``python -m engine``
- ``train``              the training programs of the computer players
- ``games``              the scenarios of each game, a folder a game
"""
