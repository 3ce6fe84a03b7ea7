"""The rules of the games. Pure, synchronous, deterministic; only the standard library.

In reading order:

- ``game``         what every game offers: Game, Step, Seat, Chance
- ``errors``       IllegalAction and its reasons
- ``fair``         seeded shuffles that anybody can check afterwards
- ``codec``        JSON for states, events and actions
- ``rooms``        what each module in a game's folder must hold
- ``turns``        what games with turns share
- ``games``        one folder per game
- ``registry``     all games, by name
- ``simulate``     self-play and audit transcripts
- ``text``         states, views, actions and events as text
- ``playthrough``  a whole game as text
- ``__main__``     the command line: ``python -m engine``
"""
