"""Learning to judge hands with all cards open, and collecting hands that were played."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.games.twelve_days import watching
from engine.games.twelve_days.features import Floats
from engine.games.twelve_days.knowledge import SeatGroup
from engine.games.twelve_days.network import Network
from engine.games.twelve_days.watching import OpenSituations, features_with_open_cards
from engine.train.twelve_days.hands import Hands, dealt
from engine.train.twelve_days.learn import Lesson, Pupil, random_network, random_stakes
from engine.train.twelve_days.play import Player, play

SEEN: Final = 0.25
"""The share of the situations that a watcher learns from."""


def open_to_all(hands: Hands, which: NDArray[np.intp]) -> OpenSituations:
    """The situations of the hands *which* with all cards open, as input for the watcher."""
    return OpenSituations(
        hands.held, hands.turn, hands.kind, hands.low, hands.lowest, hands.best, hands.acted, hands.passes
    ).select_rows(which)


def fresh_watcher(room: SeatGroup, units: tuple[int, int], rng: np.random.Generator) -> Network:
    """Build a watcher with random weights for tables of *room*, with *units* in its hidden layers."""
    return random_network(watching.open_feature_count(room.most, room.tables), 0, units, rng)


def teach_watcher(
    pupil: Pupil, player: Network, room: SeatGroup, decisions: int, rate: float, rng: np.random.Generator
) -> float:
    """Let *player* play about *decisions* decisions against itself, and teach *pupil* from some of them; return its
    mean loss, in nats.

    *rate* is the size of steps.
    """
    seats = int(rng.integers(room.fewest, room.most + 1))
    n = max(8, decisions // (8 * seats))
    hands = Hands(dealt(n, seats, rng), rng.integers(0, seats, n))
    told: list[Floats] = []
    where: list[NDArray[np.intp]] = []
    whose: list[NDArray[np.intp]] = []

    def watch(hands: Hands, going: NDArray[np.intp]) -> None:
        which = going[rng.random(len(going)) < SEEN]
        viewers = rng.integers(0, seats, len(which))
        told.append(features_with_open_cards(open_to_all(hands, which), viewers, room.most, room.fewest))
        where.append(which)
        whose.append(viewers)

    stakes = random_stakes(n, seats, rng)
    play(hands, [Player(player)], np.zeros((n, seats), np.intp), stakes, room, rng, stray=0.01, watch=watch)
    features, which, viewers = np.concatenate(told), np.concatenate(where), np.concatenate(whose)
    lost = np.where(hands.most()[which, viewers], 1, 2)
    outcomes = np.where(hands.winner[which] == viewers, 0, lost)
    surprises = []
    for part in np.array_split(rng.permutation(len(which)), max(1, len(which) // 512)):
        nothing = np.zeros((len(part), 0), np.float32)
        lesson = Lesson(features[part], np.zeros(len(part), np.intp), nothing, outcomes[part])
        surprises.append(pupil.learn(lesson, rate))
    return float(np.mean(surprises))


def store(network: Network, room: SeatGroup, seats: int, stored: int, rng: np.random.Generator) -> NDArray[np.int8]:
    """Let *network* play *stored* hands of *seats* players, and return their results, as ``Knowledge.hands`` holds
    them: (stored, seats)."""
    hands = Hands(dealt(stored, seats, rng), np.zeros(stored, np.intp))
    stakes = random_stakes(stored, seats, rng)
    play(hands, [Player(network)], np.zeros((stored, seats), np.intp), stakes, room, rng)
    won = np.arange(seats) == hands.winner[:, None]
    found: NDArray[np.int8] = won.astype(np.int8) - (hands.most() & ~won).astype(np.int8)
    return found
