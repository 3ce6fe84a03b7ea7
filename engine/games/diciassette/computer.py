"""A player of 17 that sees only its view and remembers what it has witnessed.

A small network, trained by self-play, gives every choice a chance, and the player draws lots by them: nobody can tell
from what it does what it holds. It takes one look at a decision and plays nothing through. The weaker levels are the
same player with human failings (``styles``).

It never calls where it knows that 17 is impossible, unless it must (D10).
"""

from random import Random
from typing import Final

from engine.game import Seat
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import Face
from engine.games.diciassette.memory import Memory
from engine.games.diciassette.view import View

LEVELS: Final = 6
"""The strongest level; the weakest is 1."""


def decide(view: View, seat: Seat, rng: Random, level: int = LEVELS, memory: Memory | None = None) -> Action | None:
    """The action of the computer player of *level* in *seat*, which remembers *memory*; ``None``: it does not call (off
    turn only).

    The same view, memory and state of *rng* give the same action. Without a memory it knows of no earlier step.

    Raises:
        ValueError: there is no such *level*.
    """
    import numpy as np  # here, since records are checked without it

    from engine.games.diciassette.choices import CALL, PASS, PLACES, PLAYS, Choice
    from engine.games.diciassette.features import GUESS, features
    from engine.games.diciassette.learnt import learnt
    from engine.games.diciassette.styles import STYLES

    if not 1 <= level <= LEVELS:
        raise ValueError(f"no level {level}: 1 to {LEVELS}")
    on_turn = view.turn == seat
    if on_turn and not view.hand:
        return Call((seat,))
    if not on_turn and seat not in view.may_call:
        return None
    style = STYLES[level - 1]
    seen = features(view, memory if style.remembers else None)
    impossible = seen[GUESS + 3] > 0
    if not on_turn and impossible:
        return None
    errors = np.array([rng.gauss(0, 1)], np.float32)
    seen = style.perceived(seen[None], errors)
    logits = style.judged(learnt().policy(seen), seen)[0]
    places = [PASS]
    if on_turn:
        held = dict.fromkeys(view.hand)
        places = [PLACES[Choice(card, hidden=False)] for card in held]
        places += [PLACES[Choice(card, hidden=True)] for card in held if not card.open_back]
    if seat in view.may_call and not impossible:
        places.append(CALL)
    weights = style.weights([float(logits[place]) for place in places])
    (chosen,) = rng.choices(places, weights)
    if chosen == PASS:
        return None
    if chosen == CALL:
        return Call((seat,))
    card, hidden = PLAYS[chosen]
    return Play(seat, card, Face.DOWN if hidden else Face.UP)
