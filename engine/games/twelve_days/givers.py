"""Who gives a gift when a hand ends: everybody who holds the most cards (T9), so often several. Pure."""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS: Final = 40
"""Halvings of an interval of length 1: as far as a float tells."""
_ALONE: Final = 1e-9
"""Where nobody is likely to give beside another, so small a part of the chances is looked at instead of none."""


@cache
def sets(seats: int) -> NDArray[np.bool_]:
    """(2 ** *seats*, *seats*): every set of givers; number n has those seats whose bits are set in n.

    >>> sets(2).astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    found: NDArray[np.bool_] = (np.arange(2**seats)[:, None] >> np.arange(seats)) & 1 > 0
    found.setflags(write=False)
    return found


def likely(gives: Floats) -> Floats:
    """(n, 2 ** seats): how likely each set of givers is, as ``sets`` numbers them, from how likely each seat is to be
    one of them: *gives* (n, seats), in each row more than 0 together.

    Each seat counts as if it gave or not by a chance of its own, but for one thing: somebody always gives. In a row
    that comes to less than one giver, all give more often; one that comes to just one giver leaves each alone.

    >>> likely(np.array([[0.75, 0.25]])).round(2).tolist(), likely(np.array([[1.0, 0.5]])).round(2).tolist()
    ([[0.0, 0.75, 0.25, 0.0]], [[0.0, 0.5, 0.0, 0.5]])
    """
    together = gives.sum(axis=1, keepdims=True)
    gives = np.minimum(1.0, gives / np.minimum(1.0, together))
    # Were a seat to give by the chance r of its own, and 1 - k the chance that nobody does, then r / k is how likely it
    # gives, given that somebody does. So r is k times that, and k follows from all r.
    low, high = np.full_like(together, _ALONE), np.ones_like(together)
    for _ in range(_STEPS):
        k = (low + high) / 2
        enough = 1 - np.prod(1 - k * gives, axis=1, keepdims=True) > k
        low, high = np.where(enough, k, low), np.where(enough, high, k)
    own = (high * gives)[:, None, :]
    each: Floats = np.where(sets(gives.shape[1]), own, 1 - own).prod(axis=2)
    each[:, 0] = 0.0
    found: Floats = each / each.sum(axis=1, keepdims=True)
    return found
