"""The rules of the games: pure, synchronous and deterministic. They need only the standard library, and numpy for
computer players.

In reading order:

- ``game``         the type of a game: Game, the protocols of its parts, Seat, Step, Chance
- ``errors``       the errors: illegal actions with their reasons, invalid records
- ``fair``         seeds that nobody can choose, and shuffles that anybody can check afterwards
- ``codec``        JSON for states, events and actions
- ``network``      the small neural networks of computer players
- ``games``        one folder per game
- ``registry``     all games, by name
- ``strict``       strict reading of JSON that somebody may have damaged or forged
- ``record``       the record of a finished game as canonical JSON
- ``replay``       the replay of a record, with every entry checked
- ``percents``     chances in whole percent that add up
- ``swings``       the lasting changes of the chances to win in a finished game
- ``hindsight``    better actions in a finished game, with all cards open
- ``decision``     a decision of a player in a finished game, and its cost
- ``coaching``     the coach's analysis of a finished game: decisions, luck and skill
- ``verify``       the check of a record, also against what a player noted
- ``tallies``      counts of what people did in a game
- ``fingerprint``  a hash of all that the actions of computer players follow from
- ``policies``     the policies that play the seats of simulated games
- ``simulate``     self-play and audit transcripts
- ``tournament``   the measurement of the strength of computer players
- ``text``         states, views, actions and events as text
- ``playthrough``  the text of a whole game
- ``train``        training the computer players
- ``__main__``     the command line: ``python -m engine``
"""

import os

# Networks of computer players are small: several threads would mostly wait for each other. numpy reads this when it is
# imported first. https://numpy.org/doc/stable/reference/global_state.html
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
