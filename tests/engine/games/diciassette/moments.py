"""Whole games of 17 between computer players, moment by moment, with what each of them remembers."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette.actions import Action
from engine.games.diciassette.computers import LEVELS, choose_action
from engine.games.diciassette.events import Event
from engine.games.diciassette.memory import Memory, remember
from engine.games.diciassette.state import State
from engine.games.diciassette.styles import Style
from engine.games.diciassette.styles import style_of as style_of
from engine.games.diciassette.view import view
from engine.registry import GAMES
from engine.simulate import game_seed

GAME = GAMES["diciassette"]


class Moment(NamedTuple):
    """A state of a game between computer players."""

    state: State
    memories: tuple[Memory | None, ...]
    """By seat."""
    action: Action
    """What was done then."""
    events: tuple[Event, ...]
    """What that led to."""
    after: State


def moments(seats: int, seed: int, level: int = LEVELS, *, style: Style | None = None) -> Iterator[Moment]:
    """A whole game of *seats* computer players of *level*, or of *style*, moment by moment."""
    style = style or style_of(level, seats)
    chance, rng = SeededChance(game_seed("moments", seed)), Random(seed)
    now, _ = GAME.new(seats, {}, chance)
    memories: list[Memory | None] = [None] * seats
    while not now.winners:
        action: Action | None = None
        for seat in (*(it for it in GAME.callers(now) if it != now.turn), now.turn):
            action = choose_action(view(now, seat), seat, rng, style, memories[seat])
            if action is not None:
                break
        assert action is not None
        step = GAME.apply(now, action, chance)
        yield Moment(now, tuple(memories), action, step.events, step.state)
        now = step.state
        memories = [remember(memories[it], GAME.events_as_seen(step.events, Seat(it)), Seat(it)) for it in range(seats)]
