"""Writes a whole game as text: every action with its events, and its changes to the state and to every seat's view.

The same seed gives the same text. A test compares the texts in ``tests/playthroughs``, so a change of the rules
shows as a diff there (``make playthroughs`` writes them again).
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from engine.fair import SeededChance
from engine.game import Seat
from engine.policies import RANDOM, find_policy
from engine.registry import AnyGame
from engine.simulate import SimulatedGame, game_seed
from engine.text import to_text


def playthrough_lines(game: AnyGame, seats: int, seed: str, options: Mapping[str, str]) -> Iterator[str]:
    """Play one game of *seats* random players and yield it as text, line by line. The same *seed* gives the same text.

    After the deal every field of the state and of the views is written, after an action only those that changed.
    ``public queue ...`` is what everybody sees; ``state hands ...`` is where the state, and ``seat 0 hand ...`` where
    the view of seat 0, differs from that. Of a tuple that has only grown, what is new is written: ``public queue +
    ...``.

    >>> from engine.registry import GAMES
    >>> lines = playthrough_lines(GAMES["diciassette"], 2, "example", {})
    >>> next(lines)
    'diciassette, 2 players, seed "example"'
    """
    said = "".join(f", {key} {value}" for key, value in options.items())
    yield f'{game.name}, {seats} players{said}, seed "{seed}"'
    match = SimulatedGame(
        game, [find_policy(game, RANDOM)] * seats, options, SeededChance(game_seed(seed, 0)), Random(seed)
    )
    known: dict[str, Any] = {}
    yield from _step_lines(game, match.state, match.dealt, seats, known)
    number = 0
    while not match.over:
        action = match.next_action()
        state, events = match.apply(action)
        number += 1
        yield ""
        yield f"{number}. {to_text(action)}"
        yield from _step_lines(game, state, events, seats, known)
    yield ""
    for it in game.standings(match.state):
        yield f"place {it.place}: seat {it.seat}, score {to_text(it.score)}"


def _step_lines(game: AnyGame, state: Any, events: Any, seats: int, known: dict[str, Any]) -> Iterator[str]:
    """Yield the lines for one step: its *events*, and each field of *state* and the views that differs from *known*,
    which is updated.

    *known* maps the start of a line to its value.
    """
    yield from (f"   {to_text(event)}" for event in events)
    public = game.views.view(state, None)._asdict()
    views = {f"seat {seat}": game.views.view(state, seat)._asdict() for seat in map(Seat, range(seats))}
    for whose, record in {"state": state._asdict(), "public": public, **views}.items():
        for name, value in record.items():
            line = f"{whose} {name}"
            same = whose != "public" and (
                name == "seat" or (name in public and to_text(value) == to_text(public[name]))
            )
            if line in known or not same:
                if line not in known or to_text(known[line]) != to_text(value):
                    yield f"     {line} {_changed_text(known.get(line), value)}".rstrip()
                known[line] = value
            if same:  # from now on it is written as public; if it differed before, it has just been written once more
                known.pop(line, None)


def _changed_text(before: Any, value: Any) -> str:
    """*value* as text; if it is the tuple *before* with new items at its end, only the new items.

    >>> _changed_text((1, 2), (1, 2, 3, 4)), _changed_text((1, 2), (2, 3)), _changed_text((), (1, 2))
    ('+ 3 4', '2 3', '1 2')
    """
    grown = type(before) is type(value) is tuple and len(value) > len(before) > 0 and value[: len(before)] == before
    return f"+ {to_text(value[len(before) :])}" if grown else to_text(value)
