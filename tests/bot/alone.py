"""People whose true strength is known play alone against computer players; ``python -m tests.bot.alone`` prints the
figures of docs/ratings.md. Strengths are in points above the average person, as in ``tests.bot.ring``."""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import exp, log
from random import Random
from statistics import fmean
from typing import Final

from bot.stats.ratings import (
    POINTS_PER_MU,
    START_RATING,
    EarlierMeeting,
    RatedPlayer,
    Rating,
    computer_user_id,
    displayed_points,
    level_ratings,
    new_ratings,
)
from engine.registry import GAMES, AnyGame
from tests.bot.ring import BOSS, DAY_MS, SPREAD, START_DAY, USUAL, Scene, World, honest, scene, twin

Pick = Callable[[int, Random], Sequence[int]]
"""Against which levels somebody plays their game number n."""
LEVELS: Final = range(1, 7)


def strength_of(it: Rating) -> float:
    """How strong somebody with the rating *it* most likely is, in points above the average person."""
    return POINTS_PER_MU * (it.mu - START_RATING.mu)


def play(
    world: World, game: AnyGame, levels: Sequence[int], true: float, day: float, rng: Random, luck: float = 1.0
) -> None:
    """A game of ``BOSS``, as strong as *true*, against computer players of these *levels*, rated in *world*."""
    known = level_ratings(game)
    ids = [computer_user_id(level, number) for number, level in enumerate(levels)]
    truth = {it: strength_of(known[level - 1]) / luck for it, level in zip(ids, levels, strict=True)}
    order = honest([BOSS, *ids], {**truth, BOSS: true / luck}, rng)
    rated(world, game, levels, [order.index(it) - order.index(BOSS) for it in ids], day, luck)


def rated(
    world: World, game: AnyGame, levels: Sequence[int], behind: Sequence[int], day: float, luck: float = 1.0
) -> None:
    """Rate in *world* a game of ``BOSS`` against these *levels*; *behind* says of each by how many places it came in
    behind them, less than 0: before them."""
    known, at = level_ratings(game), round(day * DAY_MS)
    met = [RatedPlayer(BOSS, world.ratings[BOSS], 10)]
    for number, (level, places) in enumerate(zip(levels, behind, strict=True)):
        met.append(RatedPlayer(computer_user_id(level, number), known[level - 1], 10 + places))
    began = at - round(USUAL * 60_000)
    world.ratings |= new_ratings(met, world.meetings.__getitem__, began=began, ended=at, usual_minutes=USUAL, luck=luck)
    world.meetings[BOSS] += [
        EarlierMeeting(computer_user_id(level), at, (it > 0) - (it < 0))
        for level, it in zip(levels, behind, strict=True)
    ]


def course(
    game: AnyGame, true: float, pick: Pick, games: int, rng: Random, days: float = 90, luck: float = 1.0
) -> Iterator[Rating]:
    """The rating of somebody new, as strong as *true*, after each of so many *games* in so many *days*."""
    world = World()
    for number in range(games):
        play(world, game, pick(number, rng), true, START_DAY + days * (number + 1) / games, rng, luck)
        yield world.ratings[BOSS]


def nearest(game: AnyGame, true: float) -> int:
    """The level of *game* whose strength is nearest to *true*."""
    return 1 + min(range(game.computers.LEVELS), key=lambda it: abs(strength_of(level_ratings(game)[it]) - true))


Farm = Callable[[World, AnyGame, float, int, float, Random], None]
"""One more game of ``BOSS``, as strong as the third argument says: its number, the day."""


def honestly(*levels: int) -> Farm:
    """They play these levels in turn, and win as often as they should."""
    return lambda world, game, true, number, day, rng: play(world, game, [levels[number % len(levels)]], true, day, rng)


def always(*levels: int) -> Farm:
    """They have found a way always to win against these levels, which they play in turn."""
    return lambda world, game, true, number, day, rng: rated(world, game, [levels[number % len(levels)]], [1], day)


def wins_only(*levels: int) -> Farm:
    """They play these levels honestly, but when they are about to lose somebody of theirs takes the computer's seat, so
    that the game is not rated."""

    def farm(world: World, game: AnyGame, true: float, number: int, day: float, rng: Random) -> None:
        level = levels[number % len(levels)]
        ahead = true - strength_of(level_ratings(game)[level - 1])
        if rng.random() < 1 / (1 + exp(-ahead * log(1.5) / 100)):
            rated(world, game, [level], [1], day)

    return farm


FARMS: Final = {
    "level 1, honestly": honestly(1),
    "level 1, always won": always(1),
    "levels 1 to 3, always won": always(1, 2, 3),
    "levels 1 to 6, always won": always(*LEVELS),
    "level 4, only wins counted": wins_only(4),
    "level 6, only wins counted": wins_only(6),
    "levels 1 to 6, only wins counted": wins_only(*LEVELS),
}


def farmed(before: Scene, farm: Farm, game: AnyGame, true: float, checks: Sequence[int], rng: Random) -> list[int]:
    """The points of the boss of the scene *before*, as strong as *true*, after so many games as *checks* say."""
    world, found = before.world.copy(), []
    for number in range(checks[-1]):
        farm(world, game, true, number, START_DAY + 90 * (number + 1) / checks[-1], rng)
        if number + 1 in checks:
            found.append(world.points(BOSS))
    return found


@cache
def _usual(seed: int, before: int, true: float, checks: Sequence[int], twins: int) -> list[float]:
    """By check: the points that so many honest *twins* have on average, who play with people."""
    there = scene(f"alone/{seed}", before, true)
    each = [[displayed_points(it) for it in twin(there, checks, Random(f"twin/{number}"))] for number in range(twins)]
    return [fmean(values) for values in zip(*each, strict=True)]


def gained(
    farm: Farm, game: AnyGame, before: int, true: float, checks: Sequence[int], seeds: int, twins: int
) -> list[float]:
    """By check: how many points more the boss has, who has played so many honest games *before*, than honest *twins*
    who play with people; the mean of so many *seeds*."""
    found = []
    for seed in range(seeds):
        got = farmed(scene(f"alone/{seed}", before, true), farm, game, true, checks, Random(f"farm/{seed}"))
        usual = _usual(seed, before, true, tuple(checks), twins)
        found.append([value - fair for value, fair in zip(got, usual, strict=True)])
    return [fmean(values) for values in zip(*found, strict=True)]


def main() -> None:
    """Print the figures of docs/ratings.md."""
    write = sys.stdout.write
    for game in GAMES.values():
        write(f"{game.name}: {[round(strength_of(it)) for it in level_ratings(game)]}\n")
    game, games = next(it for it in GAMES.values() if it.ladder is not None), (10, 30, 100, 300)
    for true in (-200.0, -100.0, 0.0, 100.0, 200.0, 300.0):
        picks: dict[str, Pick] = {
            "the nearest level": lambda number, rng, true=true: [nearest(game, true)],  # type: ignore[misc]
            "any level": lambda number, rng: [rng.choice(LEVELS)],
        }
        for name, pick in picks.items():
            each = [list(course(game, true, pick, games[-1], Random(f"{seed}"))) for seed in range(10)]
            at = [[run[it - 1] for run in each] for it in games]
            said = [f"{fmean(strength_of(it) for it in now):+.0f} ({fmean(it.sigma for it in now):.1f})" for now in at]
            write(f"true {true:+.0f}, {name}, after {games} games: {', '.join(said)}\n")
    for before in (0, 30, 100, 300):
        for true in (-SPREAD, 0.0, SPREAD):
            write(f"{before} honest games before, true strength {true:+.0f}; games: {games}\n")
            for name, farm in FARMS.items():
                mean = gained(farm, game, before, true, games, 2, 5)
                write(f"  {name}: {' '.join(f'{it:+.0f}' for it in mean)}\n")


if __name__ == "__main__":
    main()
