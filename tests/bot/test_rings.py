"""Farming ratings does not pay: rings of ten accounts that lift one, in every way they could think of."""

from random import Random
from statistics import fmean

import pytest

from bot.results.ratings import GONE, START, points, provisional
from tests.bot.ring import BOSS, CHECKS, RINGS, SPREAD, START_DAY, Ring, farmed, gains, scene

ALLOWED = 20
"""So many points a ring may gain somebody."""


@pytest.mark.parametrize("boss_before", [0, 30, 100])
def test_a_ring_gains_its_boss_at_most_20_points(boss_before: int) -> None:
    """Every kind of ring, after 5, 10 and 30 games, against the mean of honest twins, over two seeds."""
    found = [gains(scene(f"farm/{seed}", boss_before, 0.0), list(RINGS.values()), 10) for seed in range(2)]
    for number, name in enumerate(RINGS):
        gained = [fmean(values) for values in zip(*(it[number] for it in found), strict=True)]
        assert max(gained) <= ALLOWED, (name, dict(zip(CHECKS, gained, strict=True)))


@pytest.mark.parametrize("true", [-SPREAD, SPREAD])
def test_a_ring_gains_weak_and_strong_people_no_more(true: float) -> None:
    rings = [RINGS["fresh accounts, in turn"], RINGS["the ten have played 100 games before"]]
    for gained in gains(scene("farm/0", 30, true), rings, 6):
        assert max(gained) <= ALLOWED


@pytest.mark.parametrize("ring", [Ring(days=1), Ring(seats=3), Ring(grown=True)], ids=str)
def test_as_many_games_as_they_like_gain_no_more(ring: Ring) -> None:
    """From 30 games with the ring to 1000: an honest player would rise meanwhile, becoming more certain."""
    few, many = farmed(scene("farm/0", 100, 0.0), ring, (30, 1000), Random(0))
    assert points(many) - points(few) <= ALLOWED


def test_throwaway_accounts_gain_nothing() -> None:
    """A new account for every game, or the same ones with their ratings deleted in between."""
    world, gone = (scene("farm/0", 0, 0.0).world.copy() for _ in range(2))
    for game in range(1, 101):
        for it in (world, gone):
            it.play([BOSS, 5000 + game], START_DAY + game)
        gone.meetings[BOSS] = [it._replace(other=GONE) for it in gone.meetings[BOSS]]
    assert world.ratings[BOSS] == gone.ratings[BOSS]
    assert points(world.ratings[BOSS]) - points(START) <= ALLOWED
    assert provisional(world.ratings[BOSS])


@pytest.mark.parametrize("ring", [Ring(), Ring(seats=6), Ring(grown=True)], ids=str)
def test_whoever_has_only_played_with_a_ring_is_on_no_board(ring: Ring) -> None:
    """Not after 300 games either, so a weak player, too, gains nothing by never playing honestly."""
    [boss] = farmed(scene("farm/0", 0, 0.0), ring, (300,), Random(0))
    assert boss.games == 300
    assert provisional(boss)
