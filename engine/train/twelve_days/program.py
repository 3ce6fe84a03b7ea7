"""``python -m engine.train twelve_days``: train all networks from a seed, and write the file that playing needs.

The same seed and numbers of rounds give the same file on the same machine. A round is about 30,000 decisions, half a
second to two seconds.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.games import twelve_days
from engine.games.twelve_days.knowledge import FILE, SEAT_GROUPS, SeatGroup
from engine.games.twelve_days.network import Network, to_named_arrays
from engine.train.twelve_days.exploit import Search, report
from engine.train.twelve_days.learn import Pupil, fresh, teach_by_self_play
from engine.train.twelve_days.watch import fresh_watcher, store, teach_watcher

DECISIONS: Final = 30_000
"""Of a round."""
STORED: Final = 2048
"""Hands in the store, for each number of seats."""
FASTEST: Final = 1.5e-3
SLOWEST: Final = 2e-5
"""The sizes of steps, at the beginning and the end."""
PLAYER: Final = (256, 128)
WATCHER: Final = (128, 64)
"""Units in the hidden layers."""
TEN_TIMES: Final = 6
"""Worlds of a search that takes more than ten times the time of today's level 6 with two players."""
Report = Callable[[str], None]


def rates(rounds: int) -> Sequence[float]:
    """The size of steps in each round: large at first, small at the end.

    >>> [round(float(rate), 4) for rate in rates(3)]
    [0.0015, 0.0008, 0.0]
    """
    return [SLOWEST + FASTEST * (1 + np.cos(np.pi * number / max(1, rounds - 1))) / 2 for number in range(rounds)]


def train_player(room: SeatGroup, rounds: int, rng: np.random.Generator, report: Report, decisions: int) -> Network:
    """Train a new player for tables of *room* in *rounds* rounds of about *decisions* decisions, and return its
    network."""
    pupil = Pupil(fresh(room, PLAYER, rng))
    for number, rate in enumerate(rates(rounds)):
        doubt = 0.03 * (1 - number / rounds) + 0.005
        surprise = teach_by_self_play(pupil, room, decisions, rate, rng, doubt=doubt)
        if number % 20 == 0:
            report(f"player {room.fewest}-{room.most}: round {number} of {rounds}, surprise {surprise:.4f}")
    return pupil.network


def train_watcher(
    player: Network, room: SeatGroup, rounds: int, rng: np.random.Generator, report: Report, decisions: int
) -> Network:
    """Train a new watcher for tables of *room* on the play of *player*, in *rounds* rounds of about *decisions*
    decisions, and return its network."""
    pupil = Pupil(fresh_watcher(room, WATCHER, rng))
    for number, rate in enumerate(rates(rounds)):
        surprise = teach_watcher(pupil, player, room, decisions, rate, rng)
        if number % 20 == 0:
            report(f"watcher {room.fewest}-{room.most}: round {number} of {rounds}, surprise {surprise:.4f}")
    return pupil.network


def trained(
    seed: int, rounds: Sequence[int], watched: int, report: Report, decisions: int = DECISIONS, stored: int = STORED
) -> dict[str, NDArray[np.generic]]:
    """Everything that the file holds, by name: players taught for *rounds* (one number for each of ``SEAT_GROUPS``),
    watchers for *watched* rounds, each of *decisions*; *stored* hands for each number of seats."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for room, taught in zip(SEAT_GROUPS, rounds, strict=True):
        rng = np.random.default_rng([seed, room.most])
        player = train_player(room, taught, rng, report, decisions)
        arrays |= to_named_arrays(player, f"player{room.most}.")
        arrays |= to_named_arrays(train_watcher(player, room, watched, rng, report, decisions), f"watcher{room.most}.")
        for seats in range(room.fewest, room.most + 1):
            arrays[f"hands{seats}"] = store(player, room, seats, stored, rng)
    return arrays


def main(arguments: Sequence[str]) -> None:
    """Train as *arguments* say, and write the file; with ``--ten-times`` measure the network that there is."""
    parser = argparse.ArgumentParser(prog="python -m engine.train twelve_days")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--rounds", type=int, nargs=len(SEAT_GROUPS), default=[900, 340, 260], help="for 2, 3-4 and 5-8 players"
    )
    parser.add_argument("--watched", type=int, default=120, help="rounds for those who see all cards")
    parser.add_argument("--out", type=Path, default=Path(twelve_days.__path__[0]) / FILE)
    parser.add_argument("--ten-times", type=int, metavar="HANDS", help="let level 6 search, against itself as it is")
    parser.add_argument("--worlds", type=int, default=TEN_TIMES, help="worlds of --ten-times")
    given = parser.parse_args(arguments)
    if given.ten_times:
        report(given.seed, given.ten_times, Search(given.worlds, 10 * given.worlds, choices=3, reads=False))
        return
    arrays = trained(given.seed, given.rounds, given.watched, lambda line: print(line, file=sys.stderr, flush=True))
    np.savez_compressed(given.out, **arrays)  # type: ignore[arg-type] # numpy's stub takes the names for its flags
