"""Time in which the bot was away counts against nobody: a crash, a restart, a lost connection to Discord."""

from collections.abc import Iterable
from typing import Final, NamedTuple

PULSE_MS: Final = 10_000
"""How often a running process records that it is alive. A crash is therefore credited with up to this much too much."""
KEPT_MS: Final = 8 * 86_400_000
"""Outages older than this are forgotten: no turn takes that long."""


class Outage(NamedTuple):
    """A time in which nobody could be served: from when until when, ms since 1970."""

    began: int
    ended: int


def ended_by(outage: Outage, now: int) -> Outage | None:
    """*outage*, which was recorded, limited to the time before *now* (ms); ``None``: it cannot have been.

    >>> ended_by(Outage(10, 90), 50), ended_by(Outage(60, 90), 50), ended_by(Outage(20, 10), 50)
    (Outage(began=10, ended=50), None, None)
    """
    if type(outage.began) is not int or type(outage.ended) is not int or not 0 <= outage.began < now:
        return None
    return outage._replace(ended=min(outage.ended, now)) if outage.ended >= outage.began else None


def credit(outages: Iterable[Outage], since: int) -> int:
    """How much of the time after *since* (ms) falls into *outages*, in ms; where they overlap it counts once.

    >>> credit([Outage(10, 20), Outage(40, 50)], 15)
    15
    """
    spans = sorted((max(since, began), ended) for began, ended in outages if ended > since)
    total, reached = 0, since
    for began, ended in spans:
        total += max(0, ended - max(began, reached))
        reached = max(reached, ended)
    return total
