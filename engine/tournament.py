"""Measures how strong computer players are: one against others on the same deals, in every seat in turn.

All games of one deal make one figure, so the luck of the deal counts for and against each player. The standard error is
that of the mean over deals.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from math import log10, sqrt
from random import Random
from typing import Final, NamedTuple

from engine.fair import SeededChance
from engine.policies import COMPUTER, Policy, find_policy
from engine.registry import GAMES, AnyGame
from engine.simulate import SimulatedGame, game_seed

CHUNK: Final = 10
"""The number of deals that a process plays as one piece of work."""

FindPolicy = Callable[[AnyGame, str], Policy]
"""Returns the policy of a game by its name."""


class Duel(NamedTuple):
    """A match to play: one computer player against others that are all alike, at tables of *seats* seats."""

    game: str
    seats: int
    one: str
    """The policy in one seat (``engine.policies``) ..."""
    others: str
    """... and the one in all the others."""


class DuelResult(NamedTuple):
    """The result of a duel: the share of games that the one has won, with its standard error."""

    duel: Duel
    deals: int
    """The number of deals; each was played once for every seat."""
    share: float
    """The share of the games that the one has won; a joint win is shared."""
    error: float
    """The standard error of ``share``."""

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.deals * self.duel.seats


def play_deals(
    duel: Duel, options: Mapping[str, str], seed: str, numbers: Sequence[int], find: FindPolicy = find_policy
) -> list[float]:
    """Play *duel* with each dealing of cards in *numbers*, and return for each what share of its games the one has won.

    Deal k of the run *seed* is played once with the one in every seat. The same arguments play the same games. *find*
    finds the policies of *duel* by name.
    """
    game = GAMES[duel.game]
    one, others = find(game, duel.one), find(game, duel.others)
    shares = []
    for number in numbers:
        won = 0.0
        for seat in range(duel.seats):
            sitting = [one if it == seat else others for it in range(duel.seats)]
            match = SimulatedGame(
                game, sitting, options, SeededChance(game_seed(seed, number)), Random(f"{seed}/{number}/{seat}")
            )
            while not match.over:
                match.apply(match.next_action())
            winners = [it.seat for it in game.standings(match.state) if it.place == 1]
            won += (seat in winners) / len(winners)
        shares.append(won / duel.seats)
    return shares


def duel_result(duel: Duel, shares: Sequence[float]) -> DuelResult:
    """The result of *duel* from *shares*, what the one won in each deal (two or more): mean and standard error.

    >>> duel_result(Duel("diciassette", 2, "computer", "random"), [1.0, 1.0, 0.5, 0.5])[1:]
    (4, 0.75, 0.14433756729740643)
    """
    return DuelResult(duel, len(shares), *mean_and_error(shares))


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean of *values*, two or more, and its standard error.

    >>> mean_and_error([1.0, 1.0, 0.5, 0.5])
    (0.75, 0.14433756729740643)
    """
    mean = sum(values) / len(values)
    spread = sum((it - mean) ** 2 for it in values) / (len(values) - 1)
    return mean, sqrt(spread / len(values))


def level_duels(game: AnyGame) -> list[Duel]:
    """The duels that measure the computer players of *game*: each level against the next lower one."""
    ladder = [f"{COMPUTER}:{level}" for level in range(1, game.computers.LEVELS + 1)]
    least = game.seats[0]
    return [Duel(game.name, least, upper, lower) for lower, upper in pairwise(ladder)]


def run_duels(
    duels: Sequence[Duel], games: int, seed: str, processes: int, find: FindPolicy = find_policy
) -> Iterator[DuelResult]:
    """Play *duels* one after the other, the games of each in several *processes*, and yield the result of each as soon
    as it is over.

    Each has at least *games* games; *find* is as in ``play_deals``.
    """
    with ProcessPoolExecutor(processes) as pool:
        for duel in duels:
            deals = max(2, -(-games // duel.seats))
            options = GAMES[duel.game].check_options({})
            pieces = [range(first, min(first + CHUNK, deals)) for first in range(0, deals, CHUNK)]
            work = [pool.submit(play_deals, duel, options, seed, piece, find) for piece in pieces]
            yield duel_result(duel, [share for it in work for share in it.result()])


def duel_result_line(result: DuelResult) -> str:
    """The *result* of a duel as one line: who played whom, the share won with its error, and Elo points for two
    players.

    >>> duel_result_line(DuelResult(Duel("diciassette", 2, "computer:2", "computer:1"), 1000, 0.64, 0.012))
    'diciassette: computer:2 against computer:1, 2 players: 64.0 ± 1.2 % of 2000 games (+100 Elo)'
    """
    against = result.duel.others if result.duel.seats == 2 else f"{result.duel.seats - 1} of {result.duel.others}"
    elo = ""
    if result.duel.seats == 2 and 0 < result.share < 1:
        elo = f" ({400 * log10(result.share / (1 - result.share)):+.0f} Elo)"
    share = f"{100 * result.share:.1f} ± {100 * result.error:.1f} % of {result.games} games"
    return f"{result.duel.game}: {result.duel.one} against {against}, {result.duel.seats} players: {share}{elo}"
