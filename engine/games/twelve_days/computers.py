"""The computer player of 12 Days of Christmas, which sees only its view and remembers what it has witnessed.

A network, trained by self-play, predicts how a hand goes on after every choice (``judgement``): the chances that the
seat wins it, or gives a gift (T9). The chance to win the game follows from the gifts and the hands to go
(``prospects``). The strongest level takes the choice with the best chance.

The other levels use the same network with the weaknesses of people (``styles``): 1 spends low cards on every trick, 2
holds on to them, 3 hurries, 4 remembers only the low cards that were played, 5 all of them but not who did what; all
misjudge what is uncertain, the weaker ones more. Among equal choices one is chosen at random.
"""

from random import Random
from typing import Final

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.memory import Memory
from engine.games.twelve_days.view import View

LEVELS: Final = 6
"""The number of levels; 1 is the weakest, and this one the strongest."""


def decide(view: View, seat: Seat, rng: Random, level: int = LEVELS, memory: Memory | None = None) -> Action | None:
    """The action that the computer player of *level* (from 1) chooses in *seat* from its *view*; ``None`` off turn or
    after the end.

    *memory* is what it remembers of the hand; ``None``: nothing. Equal arguments, with *rng* in the same state, give
    the same action.
    """
    if view.turn != seat or view.winners:
        return None
    import numpy as np  # here, since records are checked without it

    from engine.games.twelve_days.choices import COMBINATIONS
    from engine.games.twelve_days.judgement import judge_choices, single_giver_prospect
    from engine.games.twelve_days.styles import STYLES, judgement_errors

    style = STYLES[level - 1]
    stake = single_giver_prospect(view, seat).stake if view.seats > 2 else 0.0
    numbers, outcomes, liking = judge_choices(view, seat, memory, stake, style)
    worth = outcomes[:, 0] - stake * outcomes[:, 1] + liking
    if style.doubt:
        worth += judgement_errors(outcomes[:, 0], np.array([rng.gauss(0.0, 1.0) for _ in worth], np.float32), style)
    number = int(rng.choice(numbers[worth >= worth.max()].tolist()))
    return Play(seat, COMBINATIONS[number]) if number else Pass(seat)
