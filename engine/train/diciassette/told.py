"""Whether what the coach of 17 says of calls, and of cards after which everybody sees 17, comes true (docs/coach.md).

``python -m engine.train.diciassette.told --seats 2 --games 500``: by how many points what was said was wrong, in tenths
of the scale; the same of what the network alone says. Every call and every such card of some games counts: the chance
that it was said to leave is compared with who won.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from engine.fair import Fair
from engine.game import Seat
from engine.games.diciassette.actions import Action, Call
from engine.games.diciassette.calling import worth_if_seen
from engine.games.diciassette.cards import Face
from engine.games.diciassette.choices import CALL, PLACES, Choice
from engine.games.diciassette.coach import options
from engine.games.diciassette.features import features
from engine.games.diciassette.learnt import learnt
from engine.games.diciassette.memory import Memory
from engine.games.diciassette.view import View
from engine.games.diciassette.view import view as view_of
from engine.network import sigmoid
from engine.policies import COMPUTER, policy
from engine.registry import GAMES
from engine.simulate import Match, seed_of
from engine.train.diciassette.calibration import error, rows

NAME: Final = "diciassette"
LEVELS: Final = (3, 4)
"""Who plays: they call when a call is doubtful. With three and more players also the strongest."""


class Told(NamedTuple):
    """What was said of a call or a card that was made."""

    kind: str
    coach: float
    """The chance to win that it would leave, as the coach says."""
    network: float
    """As the network alone says."""
    seat: Seat


def _told(view: View, memory: Memory | None, seat: Seat, made: Action | None) -> Told | None:
    """What was said of what *seat* has *made*, who remembers *memory*; ``None``: it is neither a call nor such a card,
    or there was no choice."""
    found = options(view, seat, memory)
    chance = next((it.chance for it in found if it.action == made), None)
    if made is None or chance is None or len(found) < 2:
        return None
    after = sigmoid(learnt(view.seats).advisor(features(view, memory)))
    if isinstance(made, Call):
        return Told("calls", chance, float(after[CALL]), seat)
    if worth_if_seen(view, memory, made) is None:
        return None
    place = PLACES[Choice(made.card, hidden=made.face is Face.DOWN and not made.card.open_back)]
    return Told("cards that show 17", chance, float(after[place]), seat)


def played(seats: int, number: int) -> Iterator[tuple[Told, float]]:
    """What was said in game *number* between *seats* computer players, each with what whoever it was about got of the
    game."""
    game = GAMES[NAME]
    rng = Random(number)
    levels = (*LEVELS, game.levels) if seats > 2 else LEVELS
    sits = [policy(game, f"{COMPUTER}:{rng.choice(levels)}") for _ in range(seats)]
    match = Match(game, sits, game.check_options({}), Fair(seed_of("told", number)), rng)
    memories: list[Memory | None] = [game.remember(None, match.dealt, Seat(seat)) for seat in range(seats)]
    said = []
    while not match.over:
        before, action = match.state, match.next_action()
        for seat in action.seats if isinstance(action, Call) else (action.seat,):
            it = _told(view_of(before, seat), memories[seat], seat, game.part(action, seat))
            said += [] if it is None else [it]
        events = match.apply(action).events
        memories = [game.remember(memories[seat], events, Seat(seat)) for seat in range(seats)]
    winners = match.state.winners
    return ((it, (it.seat in winners) / len(winners)) for it in said)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print by how much what was said was wrong, of each kind, for each number of seats."""
    parser = argparse.ArgumentParser(prog="python -m engine.train.diciassette.told", description=__doc__)
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--games", type=int, default=500)
    chosen = parser.parse_args(arguments)
    for seats in chosen.seats:
        found = defaultdict[str, list[tuple[float, float, float]]](list)
        for number in range(chosen.games):
            for it, happened in played(seats, number):
                found[it.kind].append((it.coach, it.network, happened))
        for kind, all_of_it in sorted(found.items()):
            coach, network, happened = np.array(all_of_it).T
            points = [100 * error(rows(said, happened)) for said in (coach, network)]
            told = f"{len(all_of_it)} {kind}, coach {points[0]:.1f}, network alone {points[1]:.1f}"
            print(f"{seats} seats: {told}", flush=True)


if __name__ == "__main__":
    main()
