"""The chance to win the game, from the gifts and the hands to go.

The hands to go are simulated many times with results drawn from a store of hands that computer players have played:
the winner, counted from the leader, and the holders of the most cards (T9). The draws are fixed, so equal gifts give
equal chances.

Everybody who holds the most cards gives a gift, so often several do.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game import Seat
from engine.games.twelve_days.knowledge import load_knowledge

Chances = NDArray[np.float32]
Weights = NDArray[np.float64]

SIMULATED_GAMES: Final = 3072
"""The number of simulated games, divided by the seats."""
MAX_STAKE: Final = 1.0
"""The highest stake that the networks were trained with."""
_STEPS: Final = 40
"""The number of halvings of an interval of length 1, as far as a float is exact."""
_SMALLEST_SHARE: Final = 1e-9
"""Where nobody is likely to give beside another, this small share of the chances is used instead of 0."""


class Prospect(NamedTuple):
    """One seat's chance to win the game, by how the current hand ends for it: won, gave a gift, or neither."""

    won: float
    gave: float
    """The chance if the seat holds the most cards and gives a gift (T9)."""
    lost: float
    """The chance if the seat does neither."""

    @property
    def stake(self) -> float:
        """The cost of giving a gift, relative to the gain of winning the hand: from 0 to ``MAX_STAKE``; 0 if winning
        gains nothing."""
        brings = self.won - self.lost
        return min(MAX_STAKE, max(0.0, self.lost - self.gave) / brings) if brings > 0 else 0.0


@cache
def giver_sets(seats: int) -> NDArray[np.bool_]:
    """All sets of players who may give a gift after a hand, as rows of booleans: (2 ** *seats*, *seats*). Cached.

    Set number n contains each seat with a set bit in n.

    >>> giver_sets(2).astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    found: NDArray[np.bool_] = (np.arange(2**seats)[:, None] >> np.arange(seats)) & 1 > 0
    found.setflags(write=False)
    return found


def giver_subset_probabilities(gives: Weights) -> Weights:
    """How likely each set of givers is, as ``giver_sets`` numbers them, if each seat gives with the chance in *gives*:
    (n, 2 ** seats).

    *gives* has the shape (n, seats). Each row of it adds up to more than 0.

    The seats give independently, except that somebody always gives. If a row adds up to less than one giver, all
    chances are raised. If it adds up to exactly one giver, each giver is alone.

    >>> giver_subset_probabilities(np.array([[0.75, 0.25], [1.0, 0.5]])).round(2).tolist()
    [[0.0, 0.75, 0.25, 0.0], [0.0, 0.5, 0.0, 0.5]]
    """
    together = gives.sum(axis=1, keepdims=True)
    gives = np.minimum(1.0, gives / np.minimum(1.0, together))
    # Were a seat to give by the chance r of its own, and 1 - k the chance that nobody does, then r / k is how likely it
    # gives, given that somebody does. So r is k times that, and k follows from all r.
    low, high = np.full_like(together, _SMALLEST_SHARE), np.ones_like(together)
    for _ in range(_STEPS):
        k = (low + high) / 2
        enough = 1 - np.prod(1 - k * gives, axis=1, keepdims=True) > k
        low, high = np.where(enough, k, low), np.where(enough, high, k)
    own = (high * gives)[:, None, :]
    each: Weights = np.where(giver_sets(gives.shape[1]), own, 1 - own).prod(axis=2)
    each[:, 0] = 0.0
    found: Weights = each / each.sum(axis=1, keepdims=True)
    return found


def gifts_after_hand(gifts: tuple[int, ...], winner: int, givers: tuple[int, ...]) -> tuple[int, ...]:
    """Everybody's gifts after a hand: *winner* gets one from the supply, and one from each of *givers* who has any
    (T9).

    *gifts* are those before.

    >>> gifts_after_hand((1, 0, 2), 0, (1, 2))
    (3, 0, 1)
    """
    giving = [seat for seat in givers if gifts[seat]]
    return tuple(had + (1 + len(giving) if seat == winner else -(seat in giving)) for seat, had in enumerate(gifts))


@lru_cache(maxsize=512)
def win_chances_from_gifts(gifts: tuple[int, ...], leader: Seat, to_go: int) -> tuple[float, ...]:
    """Every seat's chance to win the game from its *gifts* alone, with *to_go* hands still to be dealt; they add up to
    1. Cached.

    *leader* leads the first of them. Joint wins are shared.
    """
    chances = _simulate_games(np.array([gifts]), np.array([leader]), to_go)[0]
    return tuple(map(float, chances))


def chances_after_hand(gifts: tuple[int, ...], winner: Seat, givers: tuple[Seat, ...], to_go: int) -> tuple[float, ...]:
    """Every seat's chance to win the game after *winner* has won a hand and *givers* held the most cards (T9), with
    *to_go* hands left.

    *gifts* are those before. After the last hand the chances are exact.
    """
    return win_chances_from_gifts(gifts_after_hand(gifts, winner, givers), winner, to_go)


@lru_cache(maxsize=128)
def chances_by_single_giver(gifts: tuple[int, ...], to_go: int) -> Chances:
    """Every seat's chance to win the game, by who wins this hand and who alone gives: (winners, givers, seats).

    *to_go* are the hands after this one. If the winner is also the giver, nobody gives.
    """
    seats = len(gifts)
    alone = [1 << giver for giver in range(seats)]
    return _chances_after_hand_ends(
        [(winner, number) for winner in range(seats) for number in alone], gifts, to_go
    ).reshape(3 * (seats,))


@lru_cache(maxsize=128)
def chances_by_giver_set(gifts: tuple[int, ...], to_go: int) -> Chances:
    """Every seat's chance to win the game, by who wins this hand and who give gifts: (winners, 2 ** seats, seats).
    Cached.

    The sets are numbered as in ``giver_sets``; *to_go* are the hands after this one.
    """
    seats = len(gifts)
    ends = [(winner, number) for winner in range(seats) for number in range(2**seats)]
    return _chances_after_hand_ends(ends, gifts, to_go).reshape(seats, 2**seats, seats)


@lru_cache(maxsize=128)
def hand_prospect(gifts: tuple[int, ...], to_go: int, me: Seat) -> Prospect:
    """The chance of *me* to win the game by how the current hand ends for it: won, gave a gift, or neither. Cached.

    *to_go* hands follow. All others are equally likely to win it and to be among the givers, and there are as many
    givers as at real tables.
    """
    seats = len(gifts)
    each = np.full((seats, seats), mean_givers_per_hand(seats) / (seats - 1))
    weights = giver_subset_probabilities(np.where(np.eye(seats, dtype=np.bool_), 0.0, each))
    chances, mine = chances_by_giver_set(gifts, to_go)[:, :, me], giver_sets(seats)[:, me]
    others = np.arange(seats) != me
    gave = _weighted_mean(chances[others], weights[others] * mine)
    elsewhere = weights[others] * ~mine
    return Prospect(
        _weighted_mean(chances[me], weights[me]),
        gave,
        _weighted_mean(chances[others], elsewhere) if seats > 2 else gave,
    )


def chance_with_open_givers(
    gifts: tuple[int, ...], winner: Seat, others: Sequence[Seat], to_go: int, me: Seat, gives: float
) -> float:
    """The chance of *me* to win the game after *winner* has won a hand, if it is open which of *others* give gifts.

    *to_go* hands follow. *me* gives a gift with the chance *gives*. The *others* are equally likely to give.
    """
    seats = len(gifts)
    beside = (mean_givers_per_hand(seats) - 1) / max(1, seats - 2)  # how likely one more holds as many cards
    among = len(others) + (0 < gives < 1)
    each = np.zeros(seats)
    each[others] = beside if gives == 1 else (1 + beside * (among - 1)) / max(1, among)
    each[me] = gives
    return _weighted_mean(chances_by_giver_set(gifts, to_go)[winner, :, me], giver_subset_probabilities(each[None])[0])


@cache
def mean_givers_per_hand(seats: int) -> float:
    """The mean number of players who give a gift after a hand of *seats*, in the store of played hands."""
    return float((load_knowledge().hands[seats] < 0).sum(axis=1).mean())


def _weighted_mean(chances: Chances, weights: Weights) -> float:
    """The mean of *chances* weighted by *weights*."""
    return float((chances * weights).sum() / weights.sum())


def _chances_after_hand_ends(ends: Sequence[tuple[int, int]], gifts: tuple[int, ...], to_go: int) -> Chances:
    """Every seat's chance to win the game after each of *ends* of this hand, of shape (ends, seats).

    An end is the winner of the hand and the number of the set of givers.
    """
    members = [np.flatnonzero(chosen).tolist() for chosen in giver_sets(len(gifts))]
    after = [
        (gifts_after_hand(gifts, who, tuple(it for it in members[number] if it != who)), who) for who, number in ends
    ]
    different = sorted(set(after))
    found = _simulate_games(np.array([it for it, _ in different]), np.array([winner for _, winner in different]), to_go)
    place = {it: number for number, it in enumerate(different)}
    chances: Chances = found[[place[it] for it in after]]
    return chances


def _simulate_games(gifts: NDArray[np.intp], leaders: NDArray[np.intp], to_go: int) -> Chances:
    """Simulate *to_go* more hands from each case of *gifts* and *leaders*, and return the share of games that each seat
    wins: (cases, seats).

    *gifts* has the shape (cases, seats).
    """
    seats = gifts.shape[1]
    games = SIMULATED_GAMES // seats if to_go else 1
    store = load_knowledge().hands[seats]
    draws = np.random.default_rng(12).integers(0, len(store), (to_go, games))
    around = np.arange(seats)
    had = np.repeat(gifts[:, None], games, axis=1).astype(np.int8)
    leader = np.repeat(leaders[:, None], games, axis=1)
    for draw in draws:
        # a hand of the store: -1 for who gives, 1 for who wins, counted from the leader
        hand = store[draw][np.arange(games)[:, None], (around - leader[:, :, None]) % seats]
        gives = (hand < 0) & (had > 0)
        wins = hand > 0
        had += wins * (1 + gives.sum(axis=2, dtype=np.int8))[:, :, None] - gives.astype(np.int8)
        leader = wins.argmax(axis=2)
    best = had == had.max(axis=2, keepdims=True)
    chances: Chances = (best / best.sum(axis=2, keepdims=True)).mean(axis=1).astype(np.float32)
    return chances


def chances_from_outcomes(outcomes: NDArray[np.float32], gifts: tuple[int, ...], to_go: int) -> tuple[float, ...]:
    """Every seat's chance to win the game, from how likely it is to win this hand, to give a gift, or neither. The
    chances add up to 1.

    *outcomes* (seats, 3) are its chances to win this hand, to lose it with the most cards, and to do neither, as
    predicted by the network; *to_go* are the hands after this one.
    """
    gives = outcomes[:, 1] / np.maximum(1e-6, outcomes[:, 1] + outcomes[:, 2])  # if it does not win
    by_winner = giver_subset_probabilities(np.where(np.eye(len(gifts), dtype=np.bool_), 0.0, gives + 1e-6))
    chances = np.einsum("w,wg,wgs->s", outcomes[:, 0], by_winner, chances_by_giver_set(gifts, to_go), optimize=True)
    return tuple(map(float, chances / chances.sum()))
