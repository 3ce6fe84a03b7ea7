"""People whose true strength is known play rated games, honestly or in rings; ``python -m tests.bot.ring`` prints the
figures of docs/ratings.md.

Strengths are in points. Somebody with 100 more is ahead in 60 % of the honest games.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import log
from random import Random
from statistics import fmean, median
from typing import Final, NamedTuple

from bot.stats.ratings import (
    START_RATING,
    EarlierMeeting,
    RatedPlayer,
    Rating,
    displayed_points,
    is_provisional,
    new_ratings,
)

DAY_MS: Final = 24 * 60 * 60 * 1000
USUAL: Final = 20.0
SPREAD: Final = 120.0
"""The standard deviation of true strengths: of two people picked at random one is ahead in 63 % of the games. Of 30 the
best is ahead of the worst in 87 %."""
NOISE: Final = 100 / log(1.5)
SIZES: Final = (2, 3, 3, 4, 4, 5, 6)
"""How many play at a table, one size as likely as another."""
BOSS: Final = 1000
RING: Final = range(2000, 2010)
CHECKS: Final = (5, 10, 30)
"""After so many games of the boss the gain is looked at."""


class World:
    """Ratings, and the games they were made of."""

    def __init__(self) -> None:
        self.ratings: dict[int, Rating] = defaultdict(lambda: START_RATING)
        self.meetings: dict[int, list[EarlierMeeting]] = defaultdict(list)

    def copy(self) -> "World":
        other = World()
        other.ratings.update(self.ratings)
        other.meetings.update({user: list(meetings) for user, meetings in self.meetings.items()})
        return other

    def play(self, order: Sequence[int], day: float, minutes: float = USUAL) -> None:
        """Rate a game that ended on *day* with *order*, the best first."""
        at = round(day * DAY_MS)
        met = [RatedPlayer(user, self.ratings[user], place) for place, user in enumerate(order, 1)]
        began = at - round(minutes * 60_000)
        new = new_ratings(met, self.meetings.__getitem__, began=began, ended=at, usual_minutes=USUAL)
        for place, user in enumerate(order):
            others = [(number, other) for number, other in enumerate(order) if other != user]
            self.meetings[user] += [EarlierMeeting(other, at, 1 if number > place else -1) for number, other in others]
        self.ratings.update(new)

    def points(self, user: int) -> int:
        return displayed_points(self.ratings[user])


def honest(users: Iterable[int], strength: Mapping[int, float], rng: Random) -> list[int]:
    """*users* in the order of an honest game, the best first."""
    return sorted(users, key=lambda user: log(-log(rng.random())) * NOISE - strength[user])


def strengths(count: int, rng: Random) -> dict[int, float]:
    """As many people of different true strengths, 0 on average."""
    found = [rng.gauss(0, SPREAD) for _ in range(count)]
    return {user: it - fmean(found) for user, it in enumerate(found)}


def population(
    strength: Mapping[int, float], games: int, days: float, rng: Random, sizes: Sequence[int] = SIZES
) -> tuple[World, dict[int, int]]:
    """The world after everybody has played about *games* honest games with whoever was there, and after how many games
    each of them ceased to be provisional."""
    world = World()
    certain: dict[int, int] = {}
    day, step = 0.0, days * fmean(sizes) / (games * len(strength))
    while day < days:
        order = honest(rng.sample(sorted(strength), rng.choice(sizes)), strength, rng)
        world.play(order, day)
        day += step
        for user in order:
            if user not in certain and not is_provisional(world.ratings[user]):
                certain[user] = world.ratings[user].games
    return world, certain


def correlation(world: World, strength: Mapping[int, float]) -> float:
    """Spearman's rank correlation of true strengths and points."""
    by_points = sorted(strength, key=lambda user: world.ratings[user].mu)
    by_strength = sorted(strength, key=lambda user: strength[user])
    off = sum((by_points.index(user) - by_strength.index(user)) ** 2 for user in strength)
    return 1 - 6 * off / (len(strength) * (len(strength) ** 2 - 1))


def spread(world: World, strength: Mapping[int, float]) -> int:
    """How far the best and the worst are apart, in points."""
    found = [world.points(user) for user in strength]
    return max(found) - min(found)


class Ring(NamedTuple):
    """How ten accounts lift one, the boss."""

    seats: int = 2
    days: float = 90
    minutes: float = USUAL
    grown: bool = False
    """The ten have played 100 games for eight among themselves before, honestly, over 90 days."""
    one_by_one: bool = False
    """Each is used up before the next one comes; else they take turns."""
    loses: float = 1.0
    """They lose so many of their games on purpose, and the others are honest."""


class Scene(NamedTuple):
    """A boss before the farming begins, among 30 honest people."""

    world: World
    grown: World
    """The same with a ring that has played before."""
    strength: Mapping[int, float]


START_DAY: Final = 90.0
"""When the farming begins."""


@cache
def thirty(seed: str) -> tuple[World, Mapping[int, float]]:
    """30 people, with 100 honest games each, and their true strengths."""
    rng = Random(seed)
    strength = strengths(30, rng)
    world, _ = population(strength, 100, START_DAY, rng)
    return world, strength


@cache
def scene(seed: str, before: int, true: float) -> Scene:
    """A boss of the strength *true* who has played *before* honest games among 30 people with 100 each."""
    world, others = thirty(seed)
    world = world.copy()
    strength = {**others, **dict.fromkeys(RING, 0.0), BOSS: true}
    rng = Random(f"{seed}/{before}/{true}")
    for game in range(before):
        play_honestly(world, strength, START_DAY * (game + 1) / before, rng)
    grown = world.copy()
    for game in range(100):
        grown.play(honest(rng.sample(RING, 8), strength, rng), START_DAY * (game + 1) / 100)
    return Scene(world, grown, strength)


def play_honestly(world: World, strength: Mapping[int, float], day: float, rng: Random) -> None:
    """One honest game of the boss with some of the 30."""
    others = rng.sample(range(30), rng.choice(SIZES) - 1)
    world.play(honest([BOSS, *others], strength, rng), day)


def farmed(scene: Scene, ring: Ring, checks: Sequence[int], rng: Random) -> Iterator[Rating]:
    """The boss's rating after so many games with the ring as *checks* say."""
    world = (scene.grown if ring.grown else scene.world).copy()
    last = checks[-1]
    for done, goal in pairwise([0, *checks]):
        for game in range(done, goal):
            first = game * len(RING) // last if ring.one_by_one else game * (ring.seats - 1)
            members = [RING[(first + i) % len(RING)] for i in range(ring.seats - 1)]
            lost = rng.random() < ring.loses
            order = [BOSS, *members] if lost else honest([BOSS, *members], scene.strength, rng)
            world.play(order, START_DAY + ring.days * (game + 1) / last, ring.minutes)
        yield world.ratings[BOSS]


def twin(scene: Scene, checks: Sequence[int], rng: Random) -> Iterator[Rating]:
    """The boss's rating had they gone on honestly for 90 days, after so many games as *checks* say."""
    world = scene.world.copy()
    for done, goal in pairwise([0, *checks]):
        for game in range(done, goal):
            play_honestly(world, scene.strength, START_DAY + 90 * (game + 1) / checks[-1], rng)
        yield world.ratings[BOSS]


def gains(scene: Scene, rings: Sequence[Ring], twins: int, checks: Sequence[int] = CHECKS) -> list[list[float]]:
    """By ring, by check: how many points more the boss has than *twins* honest twins have on average."""
    honestly = [
        [displayed_points(it) for it in twin(scene, checks, Random(f"twin/{number}"))] for number in range(twins)
    ]
    usual = [fmean(values) for values in zip(*honestly, strict=True)]
    return [
        [
            displayed_points(got) - fair
            for got, fair in zip(farmed(scene, ring, checks, Random("ring")), usual, strict=True)
        ]
        for ring in rings
    ]


RINGS: Final = {
    "fresh accounts, in turn": Ring(),
    "fresh accounts, one after another": Ring(one_by_one=True),
    "within a day": Ring(days=1),
    "at tables for 3": Ring(seats=3),
    "at tables for 6": Ring(seats=6),
    "games of one minute": Ring(minutes=1),
    "the ten have played 100 games before": Ring(grown=True),
    "the same, at tables for 6": Ring(grown=True, seats=6),
    "the same, and they lose only two out of three": Ring(grown=True, loses=0.67),
}


def main() -> None:
    """Print the figures of docs/ratings.md."""
    write = sys.stdout.write
    for count, games in ((30, 100), (12, 100)):
        found = [(strengths(count, Random(f"{count}/{seed}")), Random(seed)) for seed in range(5)]
        worlds = [(population(strength, games, 90, rng), strength) for strength, rng in found]
        alike = fmean(correlation(world, strength) for (world, _), strength in worlds)
        apart = fmean(spread(world, strength) for (world, _), strength in worlds)
        until = median(certain.get(user, 999) for (_, certain), strength in worlds for user in strength)
        write(f"{count} people, {games} games: correlation {alike:.2f}, spread {apart:.0f}, certain after {until}\n")
    checks = (10, 30, 100, 300)
    for before in (0, 30, 100, 300):
        for true in (-SPREAD, 0.0, SPREAD):
            write(f"the boss has played {before} honest games; true strength {true:+.0f}; games: {checks}\n")
            each = [gains(scene(f"gain/{seed}", before, true), list(RINGS.values()), 5, checks) for seed in range(2)]
            for number, name in enumerate(RINGS):
                mean = [fmean(values) for values in zip(*(it[number] for it in each), strict=True)]
                write(f"  {name}: {' '.join(f'{it:+.0f}' for it in mean)}\n")


if __name__ == "__main__":
    main()
