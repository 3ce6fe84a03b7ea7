"""The rules of the games. Pure, synchronous, deterministic; only the standard library, and numpy
for what computer players have learnt.

In reading order:

- ``game``         what every game offers: Game, Step, Seat, Chance
- ``errors``       IllegalAction and its reasons; BadRecord
- ``fair``         seeds that nobody chooses, and shuffles that anybody can check afterwards
- ``codec``        JSON for states, events and actions
- ``rooms``        what each module in a game's folder must hold
- ``turns``        what games with turns share
- ``games``        one folder per game
- ``registry``     all games, by name
- ``strict``       reading JSON that somebody may have damaged or forged
- ``record``       one game that is over, as canonical JSON
- ``replay``       a record played anew, every entry checked
- ``verify``       whether a record fits together, and fits what a player noted
- ``tallies``      what people have done in a game, counted
- ``simulate``     self-play and audit transcripts
- ``text``         states, views, actions and events as text
- ``playthrough``  a whole game as text
- ``train``        training the computer players
- ``__main__``     the command line: ``python -m engine``
"""
