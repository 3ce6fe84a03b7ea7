"""Thousands of hands of 12 Days of Christmas at once, played in step, as arrays.

The same rules as ``engine.games.twelve_days.rules`` (a test plays both and compares), without gifts and without the
next deal: what a network learns from is single hands.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.games.twelve_days.cards import DECK, hand_size
from engine.games.twelve_days.choices import FULL, KIND, LOW, NEEDS, PASS
from engine.games.twelve_days.features import Floats, Ints, Situations

NOBODY: Final = -1
_DECK: Final = np.array(DECK, np.int8)


def dealt(hands: int, seats: int, rng: np.random.Generator) -> Ints:
    """Deal *hands* hands for *seats* players at random: cards by rank, of shape (hands, seats, 12) (T2)."""
    size = hand_size(seats)
    order = rng.random((hands, len(DECK)), np.float32).argsort(axis=1)[:, : seats * size]
    ranks = (_DECK[order] - 1).reshape(hands * seats, size)
    found = np.zeros((hands * seats, 12), np.int8)
    for card in range(size):
        found[np.arange(hands * seats), ranks[:, card]] += 1
    return found.reshape(hands, seats, 12)


class Hands:
    """Many hands between two actions, each with its own turn. Arrays have a row for each hand."""

    def __init__(self, deals: Ints, leaders: NDArray[np.intp]) -> None:
        """The hands just after *deals* (n, seats, 12), led by *leaders* (n)."""
        n, self.seats, _ = deals.shape
        self.dealt = deals
        self.held = deals.copy()
        self.turn = leaders.copy()
        self.kind = np.zeros(n, np.int8)
        self.low = np.zeros(n, np.int8)
        self.lowest = np.zeros(n, np.int8)
        self.best = np.zeros(n, np.intp)
        self.acted = np.zeros(n, np.int8)
        self.trick = np.zeros_like(deals)
        """What each has played in the trick."""
        self.passes = np.zeros((n, self.seats), np.bool_)
        self.declined = np.zeros((n, self.seats, 3), np.int8)
        self.open = np.zeros((n, self.seats), np.bool_)
        """Whose hand is known, having been taken back (T8)."""
        self.winner = np.full(n, NOBODY, np.intp)

    def __len__(self) -> int:
        return len(self.turn)

    def situations(self, which: NDArray[np.intp], stake: Floats, forgotten: NDArray[np.bool_]) -> Situations:
        """What the players on turn in the hands *which* know, as input for the network, a row each.

        *stake* is (n); where *forgotten* (n), they know nothing of who did what before.
        """
        me = self.turn[which]
        around = (me[:, None] + np.arange(self.seats)) % self.seats
        rows = which[:, None]
        held = self.held[rows, around]
        played = self.dealt[rows, around] - held
        remembers = ~forgotten[:, None]
        opened = self.open[rows, around] & remembers
        opened[:, 0] = False
        known = held * opened[:, :, None]
        acted = self.acted[which]
        best = (self.best[which] - me) % self.seats
        return Situations(
            hand=held[:, 0],
            pool=FULL - held[:, 0] - played.sum(axis=1, dtype=np.int8) - known.sum(axis=1, dtype=np.int8),
            sizes=held.sum(axis=2, dtype=np.int8),
            kind=self.kind[which],
            low=self.low[which],
            lowest=self.lowest[which],
            best=np.where(acted > 0, best, 0).astype(np.int8),
            acted=acted,
            passes=self.passes[rows, around],
            declined=self.declined[rows, around] * remembers[:, :, None],
            known=known,
            played=played * remembers[:, :, None],
            stake=stake,
        )

    def play_combinations(self, which: NDArray[np.intp], numbers: NDArray[np.intp]) -> None:
        """In each of the dealt hands with the indices *which*, play the combination in *numbers* for the player on
        turn, and end complete tricks; all must be legal."""
        me, acted = self.turn[which], self.acted[which]
        leads, passes = acted == 0, numbers == PASS
        needs, lows = NEEDS[numbers], LOW[numbers]
        self.held[which, me] -= needs
        self.trick[which, me] = needs
        self.passes[which, me] = passes
        self.kind[which[leads]] = KIND[numbers[leads]]
        self.low[which[leads]] = lows[leads]
        lowest = self.lowest[which]
        wins = ~passes & (leads | (lows <= lowest))
        self.lowest[which[wins]] = lows[wins]
        self.best[which[wins]] = me[wins]
        passed, seat = which[passes], me[passes]
        kind = self.kind[passed] - 1
        self.declined[passed, seat, kind] = np.maximum(self.declined[passed, seat, kind], self.low[passed])
        self.acted[which] = acted + 1
        self.turn[which] = (me + 1) % self.seats
        ended = which[acted + 1 == self.seats]
        if len(ended):
            self._end_tricks(ended)

    def _end_tricks(self, ended: NDArray[np.intp]) -> None:
        """Give the tricks of the hands *ended* to the lowest cards, note who won a hand, and give back last cards that
        did not win (T7, T8)."""
        best, trick = self.best[ended], self.trick[ended]
        empty = self.held[ended].sum(axis=2) == 0
        won = empty[np.arange(len(ended)), best]
        back = empty.copy()
        back[np.arange(len(ended)), best] = False
        self.held[ended] += trick * back[:, :, None]
        self.open[ended] |= back
        self.winner[ended[won]] = best[won]
        self.turn[ended] = best
        for field in (self.kind, self.low, self.lowest, self.best, self.acted, self.trick, self.passes):
            field[ended] = 0

    def most(self) -> NDArray[np.bool_]:
        """Whether each player holds the most cards of the hand (T9): of shape (n, seats)."""
        sizes = self.held.sum(axis=2)
        found: NDArray[np.bool_] = sizes == sizes.max(axis=1, keepdims=True)
        return found
