"""Chances in whole percent, rounded so that those that are shown together add up as shown. Pure."""

from collections.abc import Sequence
from itertools import groupby


def percents(chances: Sequence[float]) -> list[int]:
    """*chances*, the parts of a whole, in percent: what they are together, rounded, is what the results are together.
    Those that lost most by being rounded down are rounded up; of equal ones all or none, since that matters more than
    the sum.

    >>> percents([0.125, 0.875]), percents([0.004, 0.404, 0.592]), percents([1 / 3] * 3), percents([0.0, 1.0])
    ([12, 88], [0, 41, 59], [33, 33, 33], [0, 100])
    """
    exact = [round(100 * chance, 6) for chance in chances]  # what sums up to a whole up to the last bits is one
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
