"""Converts chances to whole percent for people: only what is certain is 0 or 100. Pure functions."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

_CERTAIN: Final = 1e-6
"""Chances this close to 0 or 1 are certain: sums lose that much in their last bits."""


def percent(chance: float) -> int:
    """Convert a *chance* from 0 to 1 to whole percent (0 to 100), never to 0 or 100 unless it is certain.

    >>> [percent(chance) for chance in (0, 0.001, 0.444, 0.999, 1)]
    [0, 1, 44, 99, 100]
    """
    exact = round(100 * chance)
    return exact if _is_certain(chance) else min(99, max(1, exact))


def percents(chances: Sequence[float]) -> list[int]:
    """Convert *chances*, the parts of a whole, to whole percents that add up; never to 0 or 100 unless certain.

    They add up to the rounded sum of the chances; to keep a chance from 0, the other results are a little lower. The
    chances that lost most by rounding down are rounded up. Equal chances are rounded up all or none, since that matters
    more than the sum.

    >>> percents([0.125, 0.875]), percents([0.004, 0.404, 0.592]), percents([1 / 3] * 3), percents([0.0, 1.0])
    ([12, 88], [1, 40, 59], [33, 33, 33], [0, 100])
    >>> percents([0.001, 0.999]), percents([0.0001, 0.0001, 0.0098, 0.99]), percents([0.499, 0.499, 0.002])
    ([1, 99], [1, 1, 1, 97], [49, 49, 1])
    """
    whole, least = round(100 * sum(chances)), list[int]()
    exact = [round(100 * chance, 6) for chance in chances]  # rounded, since sums lose their last bits
    while True:
        small = [at for at, it in enumerate(exact) if it < 1 and not _is_certain(chances[at]) and at not in least]
        if not small:
            break
        least += small
        rest = sum(chances[at] for at in range(len(chances)) if at not in least)
        left = whole - len(least)
        exact = [1.0 if at in least else round(left * it / rest, 6) for at, it in enumerate(chances)]
    found = [int(it) for it in exact]
    left = round(sum(exact)) - sum(found)
    order = sorted(range(len(exact)), key=lambda at: (round(exact[at] - found[at], 6), exact[at]), reverse=True)
    for _, some in groupby(order, key=lambda place: exact[place]):
        alike = list(some)
        if len(alike) > left:
            break
        for place in alike:
            found[place] += 1
        left -= len(alike)
    return found


def _is_certain(chance: float) -> bool:
    """Whether *chance* is 0 or 1, except for the last bits."""
    return min(abs(chance), abs(1 - chance)) < _CERTAIN
