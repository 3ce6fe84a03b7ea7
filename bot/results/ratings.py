"""Ratings: what a rated game makes of them, and what people read of them."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import isfinite
from typing import Final, NamedTuple

from openskill.models import BradleyTerryFull


class Rating(NamedTuple):
    """How strong somebody is, as far as their rated games tell."""

    mu: float
    """The strength that is most likely."""
    sigma: float
    """How uncertain that is: the standard deviation."""
    games: int
    """How many rated games it was made of."""


START: Final = Rating(25.0, 25.0 / 3, 0)
"""The rating of somebody who has played no rated game."""


class Met(NamedTuple):
    """A rated person in a game. Places count from 1 and are equal for ties; only their order matters."""

    user: int
    rating: Rating
    place: int


class Earlier(NamedTuple):
    """An earlier rated game in which both of a pair (a, b) were rated."""

    at: int
    """When it ended, in ms."""
    ahead: int
    """1: a had the better place, -1: b had, 0: the same place."""


def checked(mu: object, sigma: object, games: object) -> Rating:
    """The rating that these values from the store say; ``START`` if they cannot be one."""
    if not isinstance(mu, float | int) or not isinstance(sigma, float | int) or not isinstance(games, int):
        return START
    if not isfinite(mu) or not isfinite(sigma) or not 0 < sigma <= 2 * START.sigma or abs(mu) > 1000 or games < 0:
        return START
    return Rating(float(mu), float(sigma), games)


def rate(
    met: Sequence[Met],
    earlier: Callable[[int, int], Sequence[Earlier]],
    *,
    began: int,
    at: int,
    usual_minutes: float,
) -> dict[int, Rating]:
    """The new rating of each of *met*, the rated people of one game; of one person alone: the old one.

    *earlier* gives the earlier rated games of a pair, in any order. The game was dealt at *began* and ended at *at*
    (ms); *usual_minutes* is what such a game takes with as many seats (``Game.usual_minutes``).
    """
    model = BradleyTerryFull(tau=0.0)
    new = {one.user: one.rating for one in met}
    for one, other in combinations(met, 2):
        ranks = [float(one.place), float(other.place)]
        teams = [[model.rating(mu=each.rating.mu, sigma=each.rating.sigma)] for each in (one, other)]
        for each, [after] in zip((one, other), model.rate(teams, ranks=ranks), strict=True):
            old = new[each.user]
            mu = old.mu + (after.mu - each.rating.mu) / (len(met) - 1)
            sigma = old.sigma + (after.sigma - each.rating.sigma) / (len(met) - 1)
            new[each.user] = Rating(mu, sigma, each.rating.games + 1)
    return new


def points(rating: Rating) -> int:
    """What people read of *rating*: a whole number."""
    return max(0, round(1000 + 40 * (rating.mu - 25) - 40 * rating.sigma))


def provisional(rating: Rating) -> bool:
    """Whether *rating* is still too uncertain to be shown among others'."""
    return rating.sigma > 4.0
