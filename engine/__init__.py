"""The rules of the games. Pure, synchronous, deterministic; only the standard library, and numpy once a computer player
thinks.

In reading order:

- ``game``         what a game is: Game, the parts it is made of, Seat, Step, Chance
- ``errors``       IllegalAction and its reasons; BadRecord
- ``fair``         seeds that nobody chooses, and shuffles that anybody can check afterwards
- ``codec``        JSON for states, events and actions
- ``network``      a small neural network, as computer players use it
- ``games``        one folder per game
- ``registry``     all games, by name
- ``strict``       reading JSON that somebody may have damaged or forged
- ``record``       one game that is over, as canonical JSON
- ``replay``       a record played anew, every entry checked
- ``percents``     chances in whole percent that add up
- ``swings``       what changed the chances in such a game for good
- ``hindsight``    what would have gone better in such a game, all cards open
- ``decision``     what somebody decided in a game that is over, and what it has cost
- ``coaching``     what was good and bad in a game that is over, and what was luck
- ``verify``       whether a record fits together, and fits what a player noted
- ``tallies``      what people have done in a game, counted
- ``policies``     how the seats of simulated games are played
- ``simulate``     self-play and audit transcripts
- ``tournament``   how strong computer players are
- ``text``         states, views, actions and events as text
- ``playthrough``  a whole game as text
- ``train``        training the computer players
- ``__main__``     the command line: ``python -m engine``
"""

import os

# Networks of computer players are small: several threads would mostly wait for each other. numpy reads this when it is
# imported first. https://numpy.org/doc/stable/reference/global_state.html
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
