"""A network that plays 17 roughly as the computer player of version 0.2 did.

Self-play alone prepares for players as strong as oneself. At some tables of the training the others are this clone,
so that the policy also learns what to make of people who call too readily and lay every trap.
"""

from random import Random
from typing import Final

import numpy as np

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette import rules
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import Face
from engine.games.diciassette.choices import CALL, PASS, PLACES, Choice
from engine.games.diciassette.features import GUESS, features
from engine.games.diciassette.memory import Memory, remember
from engine.games.diciassette.tables import Ints
from engine.games.diciassette.view import view, witness
from engine.network import Floats, Network, softmax
from engine.simulate import game_seed
from engine.train.diciassette.learn import POLICY_SIZES
from engine.train.diciassette.reference import decide
from engine.train.network import Trainer, fresh

BATCH: Final = 1024


def place(action: Action | None) -> int:
    """The number of *action* (``None``: not to call) among the choices."""
    match action:
        case Play(_, card, face):
            return PLACES[Choice(card, hidden=face is Face.DOWN and not card.open_back)]
        case Call():
            return CALL
        case None:
            return PASS


def record(games: int, seed: int) -> tuple[Floats, Ints]:
    """Play *games* games of 3 to 6 players of version 0.2, and return what they saw and chose: (features, numbers of
    the choices)."""
    seen: list[Floats] = []
    chosen: list[int] = []
    for number in range(games):
        chance, rng = SeededChance(game_seed(f"clone/{seed}", number)), Random(f"clone/{seed}/{number}")
        seats = 3 + number % 4
        state, _ = rules.deal(seats, {}, chance)
        memories: list[Memory | None] = [None] * seats
        while not state.winners:
            action: Action | None = None
            for seat in (*(it for it in state.may_call if it != state.turn), state.turn):
                sees = view(state, seat)
                action = decide(sees, seat, rng)
                x = features(sees, memories[seat])
                if seat == state.turn or x[GUESS + 3] == 0:
                    seen.append(x)
                    chosen.append(place(action))
                if action is not None:
                    break
            assert action is not None
            state, events = rules.apply(state, action, chance)
            for seat in map(Seat, range(seats)):
                memories[seat] = remember(memories[seat], [witness(event, seat) for event in events], seat)
    return np.array(seen), np.array(chosen)


def clone(games: int, seed: int, passes: int = 6) -> tuple[Network, float]:
    """Train a network to choose as players of version 0.2 did in *games* games: (the network, how often it chooses the
    same, 0 to 1)."""
    rng = np.random.default_rng(seed)
    seen, chosen = record(games, seed)
    trainer = Trainer(fresh(POLICY_SIZES, rng, last=0.1))
    right = 0.0
    for turn in range(passes):
        right = 0.0
        order = rng.permutation(len(chosen))
        for start in range(0, len(order), BATCH):
            here = order[start : start + BATCH]
            forward = trainer.forward(seen[here])
            wrong = softmax(forward[-1])
            right += float((wrong.argmax(axis=1) == chosen[here]).sum())
            wrong[np.arange(len(here)), chosen[here]] -= 1
            trainer.step(forward, wrong / np.float32(len(here)), 2e-3 * (1 - turn / passes))
    return trainer.network, right / len(chosen)
