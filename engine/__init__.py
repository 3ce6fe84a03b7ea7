"""The rules of the games. Pure, synchronous, deterministic; only the standard library.

In reading order:

- ``game``          the vocabulary every game speaks: Game, Step, Seat, Chance
- ``errors``        IllegalAction and its reasons
- ``fair``          seeded shuffles that anybody can check afterwards
- one package a game, by its name: cards, state, actions, events, rules, view, computer, transcript
- ``registry``      the games there are, by name
- ``simulate``      self-play and audit transcripts
- ``__main__``      the command line: ``python -m engine``
"""
