"""A whole game as text: every action with its events, and what it changed in the state and in every seat's view.

The same seed gives the same text. The texts in ``tests/playthroughs`` are compared by a test, so a change of the
rules shows as a diff there (``make playthroughs`` writes them anew).
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from engine.fair import Fair
from engine.game import Seat
from engine.registry import AnyGame
from engine.simulate import POLICIES, next_action, seed_of
from engine.text import fields, text


def playthrough(game: AnyGame, seats: int, seed: str, options: Mapping[str, str]) -> Iterator[str]:
    """One game of *seats* random players as text, line by line; the same *seed* gives the same text.

    After the deal every field of the state and of the views is written, after an action only those that changed:
    ``state turn 1`` is the state's, ``public queue ...`` is what everybody sees, ``seat 0 hand ...`` is where the view
    of seat 0 differs from the public one.

    >>> from engine.registry import GAMES
    >>> lines = playthrough(GAMES["diciassette"], 2, "example", {})
    >>> next(lines)
    'diciassette, 2 players, seed "example"'
    """
    chance, rng = Fair(seed_of(seed, 0)), Random(seed)
    said = "".join(f", {key} {value}" for key, value in options.items())
    yield f'{game.name}, {seats} players{said}, seed "{seed}"'
    state, events = game.new(seats, options, chance)
    known: dict[str, str] = {}
    yield from _step_lines(game, state, events, seats, known)
    number = 0
    while game.on_turn(state) is not None:
        action = next_action(game, state, seats, [POLICIES["random"]] * seats, rng)
        state, events = game.apply(state, action, chance)
        number += 1
        yield ""
        yield f"{number}. {text(action)}"
        yield from _step_lines(game, state, events, seats, known)
    yield ""
    yield from _standing_lines(game, state)


def _standing_lines(game: AnyGame, state: Any) -> Iterator[str]:
    """The final ranking, one line per seat."""
    for it in game.standings(state):
        yield f"place {it.place}: seat {it.seat}, score {text(it.score)}"


def _step_lines(game: AnyGame, state: Any, events: Any, seats: int, known: dict[str, str]) -> Iterator[str]:
    """The lines of *events*, and of every field of *state* and its views whose value is not the one in *known*.

    *known* (start of the line -> value) is brought up to date.
    """
    yield from (f"   {text(event)}" for event in events)
    public = fields(game.view(state, None))
    lines = {f"state {name}": value for name, value in fields(state).items()}
    lines |= {f"public {name}": value for name, value in public.items()}
    for seat in map(Seat, range(seats)):
        seen = fields(game.view(state, seat))
        # What a seat sees as everybody does is written once, as public; if it saw more until now, its line is
        # written once more.
        lines |= {
            f"seat {seat} {name}": value
            for name, value in seen.items()
            if name != "seat" and (value != public[name] or f"seat {seat} {name}" in known)
        }
    for name, value in lines.items():
        if known.get(name) != value:
            yield f"     {name} {value}".rstrip()
    known.update(lines)
