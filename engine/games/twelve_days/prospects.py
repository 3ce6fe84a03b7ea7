"""The chance to win the game, from the gifts and the hands to go.

The hands to go are played out many times with hands drawn from a store of real ones, which computer players have
played: who won, counted from the leader, and who held the most cards (T9). The draws are fixed, so equal gifts give
equal chances.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import Seat
from engine.games.twelve_days.knowledge import knowledge

Chances = NDArray[np.float32]

GAMES: Final = 3072
"""So many games are played out, divided by the seats."""


def gifts_after(gifts: tuple[int, ...], winner: int, givers: tuple[int, ...]) -> tuple[int, ...]:
    """*gifts* by seat after *winner* has claimed one from the supply, and got one of each of *givers* who has one (T9).

    >>> gifts_after((1, 0, 2), 0, (1, 2))
    (3, 0, 1)
    """
    giving = [seat for seat in givers if gifts[seat]]
    return tuple(had + (1 + len(giving) if seat == winner else -(seat in giving)) for seat, had in enumerate(gifts))


@lru_cache(maxsize=512)
def prospects(gifts: tuple[int, ...], leader: Seat, to_go: int) -> tuple[float, ...]:
    """Every seat's chance to win the game with *to_go* hands to go, of which *leader* leads the first; joint wins are
    shared. They add up to 1."""
    chances = _played_out(np.array([gifts]), np.array([leader]), to_go)[0]
    return tuple(map(float, chances))


def after_end(gifts: tuple[int, ...], winner: Seat, givers: tuple[Seat, ...], to_go: int) -> tuple[float, ...]:
    """Every seat's chance to win the game where *winner* has won a hand, after which *to_go* follow, and *givers* held
    the most cards (T9): exact after the last one."""
    return prospects(gifts_after(gifts, winner, givers), winner, to_go)


@lru_cache(maxsize=128)
def after_hand(gifts: tuple[int, ...], to_go: int) -> Chances:
    """(seats, seats, seats): who will win the game, by who wins this hand and by who alone gives a gift.

    *to_go* are the hands after this one. Where the winner is named as giver too, nobody gives.
    """
    seats = len(gifts)
    ends = [(winner, giver) for winner in range(seats) for giver in range(seats)]
    after = [gifts_after(gifts, winner, (giver,) if giver != winner else ()) for winner, giver in ends]
    different = sorted({(gifts, winner) for gifts, (winner, _) in zip(after, ends, strict=True)})
    found = _played_out(np.array([it for it, _ in different]), np.array([winner for _, winner in different]), to_go)
    place = {it: number for number, it in enumerate(different)}
    rows = [place[it, winner] for it, (winner, _) in zip(after, ends, strict=True)]
    chances: Chances = found[rows].reshape(seats, seats, seats)
    return chances


def _played_out(gifts: NDArray[np.intp], leaders: NDArray[np.intp], to_go: int) -> Chances:
    """(cases, seats): the shares of the games that each seat wins, from *gifts* (cases, seats) and *leaders*."""
    seats = gifts.shape[1]
    games = GAMES // seats if to_go else 1
    store = knowledge().hands[seats]
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


def game_chances(outcomes: NDArray[np.float32], gifts: tuple[int, ...], to_go: int) -> tuple[float, ...]:
    """Every seat's chance to win the game, adding up to 1.

    *outcomes* (seats, 3) are its chances to win this hand, to lose it with the most cards, and to do neither, as the
    network puts them; *to_go* are the hands after this one.
    """
    seats = len(gifts)
    gives = outcomes[:, 1] / np.maximum(1e-6, outcomes[:, 1] + outcomes[:, 2])  # if it does not win
    both = outcomes[:, 0, None] * np.where(np.eye(seats, dtype=np.bool_), 0.0, gives + 1e-6)
    both *= (outcomes[:, 0] / np.maximum(1e-12, both.sum(axis=1)))[:, None]
    chances = np.einsum("wg,wgs->s", both, after_hand(gifts, to_go))
    return tuple(map(float, chances / chances.sum()))
