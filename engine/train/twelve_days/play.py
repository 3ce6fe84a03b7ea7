"""Playing thousands of hands in step with networks, and noting what was decided."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.twelve_days.choices import legal_combinations
from engine.games.twelve_days.features import Floats, choice_features, situation_features
from engine.games.twelve_days.knowledge import SeatGroup
from engine.games.twelve_days.network import Network
from engine.games.twelve_days.styles import Style, choice_fondness, judgement_errors, recalled_situations
from engine.train.twelve_days.hands import NOBODY, Hands


class Noted(NamedTuple):
    """Decisions, one in each row: what the network was told of the situation and of the choice that was made."""

    situations: Floats
    numbers: NDArray[np.intp]
    choices: Floats
    hands: NDArray[np.intp]
    """In which of the hands."""
    seats: NDArray[np.intp]
    """Whose."""


class Player(NamedTuple):
    """Who plays: a network, and how it is used."""

    network: Network
    style: Style = Style()


def choose(
    worth: Floats, rows: NDArray[np.intp], n: int, rng: np.random.Generator, doubt: float, stray: float
) -> NDArray[np.intp]:
    """Choose for each of *n* situations the choice that is *worth* most, perhaps with errors, and return its index in
    *rows*.

    *doubt* is the spread of an error added to every value; with the chance *stray* any choice is made.
    """
    if doubt:
        worth = worth + rng.normal(0.0, doubt, len(worth)).astype(np.float32)
    if stray:
        anyhow = rng.random(n) < stray
        worth = np.where(anyhow[rows], rng.random(len(rows)) + 9, worth)
    starts = np.flatnonzero(np.r_[True, rows[1:] != rows[:-1]])
    best = np.maximum.reduceat(worth, starts)
    is_best = np.flatnonzero(worth == best[rows])
    first: NDArray[np.intp] = is_best[np.r_[True, rows[is_best][1:] != rows[is_best][:-1]]]
    return first


def play(
    hands: Hands,
    players: list[Player],
    seats: NDArray[np.intp],
    stakes: Floats,
    room: SeatGroup,
    rng: np.random.Generator,
    *,
    doubt: float = 0.0,
    stray: float = 0.0,
    forgetful: float = 0.0,
    note: bool = False,
    watch: Callable[[Hands, NDArray[np.intp]], None] | None = None,
) -> list[Noted]:
    """Play *hands* to their ends, in place, by *players*; return the decisions step by step if *note*, else an empty
    list.

    ``seats[hand, seat]`` says which of *players* plays a seat, ``stakes[hand, seat]`` what a gift is worth to it.
    *doubt*, which comes on top of that of the style, and *stray* are as in ``choose``. *forgetful*: the share of the
    situations in which a seat knows nothing of who did what before. *watch* is called before every step with the hands
    that are still played.
    """
    noted: list[Noted] = []
    going = np.flatnonzero(hands.winner == NOBODY)
    while len(going):
        if watch is not None:
            watch(hands, going)
        turn = hands.turn[going]
        numbers = np.empty(len(going), np.intp)
        for player, (network, style) in enumerate(players):
            mine = np.flatnonzero(seats[going, turn] == player)
            if not len(mine):
                continue
            which = going[mine]
            stake = stakes[which, turn[mine]]
            now = recalled_situations(hands.situations(which, stake, rng.random(len(which)) < forgetful), style)
            told = situation_features(now, room.opponents, room.fewest, room.tables)
            rows, options = np.nonzero(legal_combinations(now.hand, now.kind, now.low))
            left = choice_features(now, rows, options)
            chances = network.outcomes(told, rows, options, left)
            worth = chances[:, 0] - stake[rows] * chances[:, 1] + choice_fondness(now, rows, options, style)
            if style.doubt:
                drawn = rng.standard_normal(len(worth), np.float32)
                worth += judgement_errors(chances[:, 0], drawn, style)
            chosen = choose(worth, rows, len(which), rng, doubt, stray)
            numbers[mine] = options[chosen]
            if note:
                noted.append(Noted(told, options[chosen], left[chosen], which, turn[mine]))
        hands.play_combinations(going, numbers)
        going = going[hands.winner[going] == NOBODY]
    return noted
