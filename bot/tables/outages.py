"""Time in which we were away does not count against anybody: a crash, a restart, a lost connection to Discord."""

from collections.abc import Iterable
from typing import Final, NamedTuple

PULSE_MS: Final = 10_000
"""How often a running process notes that it is alive: a crash is credited to this much too generously."""
KEPT_MS: Final = 8 * 86_400_000
"""Outages older than this matter to no turn."""


class Outage(NamedTuple):
    """From when until when nobody could be served, ms since 1970."""

    began: int
    ended: int


def credit(outages: Iterable[Outage], since: int) -> int:
    """How much of the time after *since* (ms) nobody could be served, ms.

    >>> credit([Outage(10, 20), Outage(40, 50)], 15)
    15
    """
    spans = sorted((max(since, began), ended) for began, ended in outages if ended > since)
    total, reached = 0, since
    for began, ended in spans:
        total += max(0, ended - max(began, reached))
        reached = max(reached, ended)
    return total
