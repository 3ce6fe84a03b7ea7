"""Ratings: what a game makes of them, who counts as certain, whom somebody has met; farming them does not pay."""

from collections.abc import Iterable
from functools import cache
from itertools import permutations
from random import Random
from statistics import fmean, median

import pytest

from bot.stats.ratings import (
    CERTAIN_GAMES,
    DELETED_USER,
    MIN_SIGMA,
    START_RATING,
    EarlierMeeting,
    RatedPlayer,
    Rating,
    displayed_points,
    is_provisional,
    new_ratings,
    rating_or_default,
)
from bot.store.people import PersonMentions
from bot.store.store import Store
from bot.tables.preferences import DEFAULTS, Preferences
from tests.bot.processes import Process
from tests.bot.ring import (
    BOSS,
    CHECKS,
    DAY_MS,
    RINGS,
    SPREAD,
    START_DAY,
    Ring,
    World,
    correlation,
    farmed,
    gains,
    honest,
    population,
    scene,
    spread,
    strengths,
)
from tests.bot.test_counting import GAME, counted, play
from tests.games import ANY
from tests.rows import execute, query

CERTAIN = Rating(25.0, 1.5, 100)
AT = 400 * DAY_MS


def rated(
    *met: RatedPlayer, minutes: float = 20, known: dict[int, list[EarlierMeeting]] | None = None
) -> dict[int, Rating]:
    """The game of *met* rated; *known* are their earlier meetings, by default those with 20 other people."""

    def earlier(user: int) -> Iterable[EarlierMeeting]:
        wide = [EarlierMeeting(100 + number, AT - DAY_MS, 0) for number in range(20)]
        return wide if known is None else known.get(user, [])

    return new_ratings(met, earlier, began=AT - round(minutes * 60_000), ended=AT, usual_minutes=20)


def gain(
    one: RatedPlayer, *others: RatedPlayer, minutes: float = 20, known: dict[int, list[EarlierMeeting]] | None = None
) -> float:
    """What the game changes in the strength of *one*."""
    return rated(one, *others, minutes=minutes, known=known)[one.user].mu - one.rating.mu


# One game


def test_the_better_place_gains_the_worse_loses_and_both_are_more_certain() -> None:
    new = rated(RatedPlayer(1, START_RATING, 1), RatedPlayer(2, START_RATING, 2))
    assert new[1].mu > START_RATING.mu > new[2].mu
    assert new[1].mu - START_RATING.mu == pytest.approx(START_RATING.mu - new[2].mu)
    assert new[1].sigma < START_RATING.sigma
    assert new[2].sigma < START_RATING.sigma
    assert new[1].games == new[2].games == 1


def test_a_tie_changes_nothing_among_equals_and_draws_unequals_together() -> None:
    assert gain(RatedPlayer(1, START_RATING, 1), RatedPlayer(2, START_RATING, 1)) == pytest.approx(0)
    strong, weak = RatedPlayer(1, CERTAIN._replace(mu=30.0), 1), RatedPlayer(2, CERTAIN, 1)
    assert gain(strong, weak) < 0 < gain(weak, strong)


@pytest.mark.parametrize("count", range(2, 9))
def test_two_to_eight_come_out_in_the_order_of_their_places(count: int) -> None:
    new = rated(*[RatedPlayer(user, START_RATING, place) for place, user in enumerate(range(count), 1)])
    assert [user for user, _ in sorted(new.items(), key=lambda it: -it[1].mu)] == list(range(count))
    assert all(rating.sigma < START_RATING.sigma and rating.games == 1 for rating in new.values())


@pytest.mark.parametrize("count", range(2, 9))
def test_when_all_tie_nobody_gains_on_an_equal(count: int) -> None:
    new = rated(*[RatedPlayer(user, START_RATING, 1) for user in range(count)])
    assert {round(rating.mu, 9) for rating in new.values()} == {START_RATING.mu}


@pytest.mark.parametrize("met", [(), (RatedPlayer(1, CERTAIN, 1),)], ids=len)
def test_one_person_alone_is_not_rated(met: tuple[RatedPlayer, ...]) -> None:
    assert rated(*met) == {one.user: one.rating for one in met}


def test_whoever_is_listed_first_makes_no_difference() -> None:
    met = (RatedPlayer(1, START_RATING, 2), RatedPlayer(2, CERTAIN, 1), RatedPlayer(3, CERTAIN._replace(mu=28.0), 3))
    expected = rated(*met)
    for order in permutations(met):
        assert {user: pytest.approx(rating) for user, rating in rated(*order).items()} == expected


def test_nobody_becomes_more_certain_than_people_can_be() -> None:
    most = Rating(25.0, MIN_SIGMA, 5000)
    assert rated(RatedPlayer(1, most, 1), RatedPlayer(2, most, 2))[1].sigma == MIN_SIGMA


def test_a_game_for_six_counts_less_than_two_games_for_two() -> None:
    six = gain(*[RatedPlayer(user, START_RATING, 1 + (user > 0)) for user in range(6)])
    two = gain(RatedPlayer(0, START_RATING, 1), RatedPlayer(1, START_RATING, 2))
    assert two < six < 2 * two


# What counts less


def before(user: int, other: int, results: str, days_ago: float = 1) -> dict[int, list[EarlierMeeting]]:
    """The meetings of a pair that has known 20 others: a letter per game, w: *user* was ahead, l: the other."""
    at = round(AT - days_ago * DAY_MS)
    wide = [EarlierMeeting(100 + number, AT - DAY_MS, 0) for number in range(20)]
    mine = [EarlierMeeting(other, at, 1 if it == "w" else -1) for it in results]
    return {user: [*wide, *mine], other: [*wide, *(EarlierMeeting(user, at, -it.ahead) for it in mine)]}


def test_repeated_pairings_count_less_and_recover_slowly() -> None:
    met = RatedPlayer(1, CERTAIN, 1), RatedPlayer(2, CERTAIN, 2)
    never = gain(*met)
    often = gain(*met, known=before(1, 2, "wl" * 30))
    long_ago = gain(*met, known=before(1, 2, "wl" * 30, days_ago=365))
    assert 0 < often < never / 2
    assert often < gain(*met, known=before(1, 2, "wl" * 30, days_ago=30)) < long_ago < never


@pytest.mark.parametrize("place", [1, 2])
def test_pairs_of_whom_one_is_always_ahead_count_least_whoever_is_ahead_now(place: int) -> None:
    met = RatedPlayer(1, CERTAIN, place), RatedPlayer(2, CERTAIN, 3 - place)
    even, one_sided = (abs(gain(*met, known=before(1, 2, results))) for results in ("wl" * 5, "w" * 10))
    assert 0 < one_sided < even / 10


def test_a_game_of_a_minute_gains_hardly_anything_but_its_loser_pays() -> None:
    one, other = RatedPlayer(1, CERTAIN, 1), RatedPlayer(2, CERTAIN, 2)
    assert 0 < gain(one, other, minutes=1) < gain(one, other) / 50
    assert gain(one, other, minutes=10) == gain(one, other, minutes=60) == gain(one, other)
    assert gain(other, one, minutes=1) == gain(other, one)
    assert gain(one, other, minutes=-1) == 0


def test_a_fresh_account_proves_little_to_somebody_certain() -> None:
    certain = RatedPlayer(1, CERTAIN, 1)
    assert 0 < gain(certain, RatedPlayer(2, START_RATING, 2)) < gain(certain, RatedPlayer(2, CERTAIN, 2)) / 10
    assert gain(RatedPlayer(2, START_RATING, 1), RatedPlayer(1, CERTAIN, 2)) > 0.5, (
        "but a newcomer learns from somebody certain"
    )


def test_people_who_have_met_few_others_prove_little() -> None:
    one, other = RatedPlayer(1, CERTAIN, 1), RatedPlayer(2, CERTAIN, 2)
    few = {2: [EarlierMeeting(100 + number, AT - DAY_MS, 0) for number in range(5)]}
    assert 0 < gain(one, other, known=few) < gain(one, other) / 4
    only_me = {2: [EarlierMeeting(1, AT - DAY_MS, 0)] * 50}
    assert gain(one, other, known=only_me) == gain(one, other, known={})


# What is read


@pytest.mark.parametrize(
    "row",
    [
        (float("nan"), 2.0, 3),
        (25.0, float("inf"), 3),
        (25.0, -1.0, 3),
        (25.0, 0.0, 3),
        (25.0, 99.0, 3),
        (1e9, 2.0, 3),
        (25.0, 2.0, -1),
        ("25", 2.0, 3),
        (25.0, None, 3),
        (25.0, 2.0, 3.5),
    ],
    ids=str,
)
def test_a_rating_that_cannot_be_is_that_of_a_newcomer(row: tuple[float, float, int]) -> None:
    assert rating_or_default(*row) == START_RATING
    assert rated(RatedPlayer(1, Rating(*row), 1), RatedPlayer(2, START_RATING, 2)) == rated(
        RatedPlayer(1, START_RATING, 1), RatedPlayer(2, START_RATING, 2)
    )


def test_a_rating_that_can_be_is_left_alone() -> None:
    assert rating_or_default(*CERTAIN) == CERTAIN
    assert rating_or_default(*START_RATING) == START_RATING


def test_points_begin_at_1023_rise_with_certainty_and_are_never_below_0() -> None:
    assert displayed_points(START_RATING) == 1023
    assert displayed_points(START_RATING._replace(sigma=MIN_SIGMA)) == 1274
    assert displayed_points(Rating(-900.0, 3.0, 1)) == 0


def test_100_points_more_is_ahead_in_three_games_of_five() -> None:
    rng = Random("60 %")
    ahead = [honest((1, 2), {1: 100.0, 2: 0.0}, rng)[0] == 1 for _ in range(4000)]
    assert fmean(ahead) == pytest.approx(0.6, abs=0.02)
    better = Rating(25 + 100 / 41.85, MIN_SIGMA, 500)
    level = {1: better, 2: better._replace(mu=25.0)}
    assert displayed_points(level[1]) - displayed_points(level[2]) == 100
    wins = gain(RatedPlayer(1, level[1], 1), RatedPlayer(2, level[2], 2))
    losses = gain(RatedPlayer(1, level[1], 2), RatedPlayer(2, level[2], 1))
    assert 0.6 * wins + 0.4 * losses == pytest.approx(0, abs=wins / 20), "so they keep their ratings"


# Honest people


@cache
def thirty(seed: int) -> tuple[World, dict[int, float], dict[int, int]]:
    """30 people after 100 honest games each."""
    rng = Random(seed)
    strength = strengths(30, rng)
    world, certain = population(strength, 100, 90, rng)
    return world, strength, certain


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(3))
def test_after_100_games_thirty_people_are_in_the_right_order_and_well_apart(seed: int) -> None:
    world, strength, _ = thirty(seed)
    assert correlation(world, strength) >= 0.85
    assert spread(world, strength) >= 300
    assert all(500 < world.points(user) < 2000 for user in strength)


@pytest.mark.one_in(4)
def test_people_with_various_opponents_are_certain_after_10_to_15_games() -> None:
    needed = [certain.get(user, 999) for seed in range(3) for user in range(30) for certain in [thirty(seed)[2]]]
    assert CERTAIN_GAMES <= median(needed) <= 15
    assert sorted(needed)[len(needed) * 9 // 10] <= 20


@pytest.mark.parametrize("how", ["none", "erased"])
async def test_whom_one_has_met_still_counts_when_they_have_deleted_their_rating(process: Process, how: str) -> None:
    for game in range(3):
        await play(process, rated=(100, 101), seed=game)
        await counted(process.store)
        before = await process.store.earlier_meetings(101, GAME)
        if how == "none":
            await process.store.save_preferences(100, Preferences(rated=False))
        else:
            await process.store.erase_person(100, PersonMentions([], [], frozenset()))
        assert await process.store.earlier_meetings(101, GAME) == [it._replace(other=DELETED_USER) for it in before]
        assert len(before) == game + 1
        assert await process.store.earlier_meetings(100, GAME) == []


async def test_two_who_were_at_one_table_may_both_delete_their_rating(process: Process, store_url: str) -> None:
    await play(process, rated=(100, 101))
    await counted(process.store)
    execute(
        store_url,
        "INSERT INTO rating_steps SELECT 102, table_id, guild_id, game, at, 3, mu, sigma FROM rating_steps LIMIT 1",
    )
    await process.store.save_preferences(100, DEFAULTS)
    assert {(it.other, it.ahead) for it in await process.store.earlier_meetings(102, GAME)} == {
        (DELETED_USER, -1),
        (101, -1),
    }
    await process.store.save_preferences(101, DEFAULTS)
    assert {(it.other, it.ahead) for it in await process.store.earlier_meetings(102, GAME)} == {(DELETED_USER, -1)}
    assert len(await process.store.earlier_meetings(102, GAME)) == 2


# Whom somebody has met in rated games, as the next rating is told.

ANNA, BRUNO, CARLA = 1, 2, 3


def met(store_url: str, table: str, at: int, *places: tuple[int, int]) -> None:
    """A rated game was played at *table*: (user, place) of everybody."""
    for user, place in places:
        query(
            store_url,
            "INSERT INTO rating_steps (user_id, table_id, guild_id, game, at, mu, sigma, place) "
            "VALUES (?, ?, 1, ?, ?, 25, 3, ?)",
            user,
            table,
            ANY,
            at,
            place,
        )


@pytest.mark.about(ANY)
async def test_everybody_who_was_met_is_named_with_who_was_ahead(store: Store, store_url: str) -> None:
    met(store_url, "a", 10, (ANNA, 1), (BRUNO, 2), (CARLA, 1))
    found = await store.earlier_meetings(ANNA, ANY)
    assert sorted(found) == [EarlierMeeting(BRUNO, 10, 1), EarlierMeeting(CARLA, 10, 0)]
    assert sorted(await store.earlier_meetings(BRUNO, ANY)) == [
        EarlierMeeting(ANNA, 10, -1),
        EarlierMeeting(CARLA, 10, -1),
    ]


@pytest.mark.about(ANY)
async def test_whoever_has_deleted_their_rating_was_met_all_the_same(store: Store, store_url: str) -> None:
    """Else accounts that delete their ratings could lose to one person again and again."""
    met(store_url, "a", 10, (ANNA, 1), (BRUNO, 2))
    met(store_url, "b", 20, (ANNA, 2), (BRUNO, 1))
    await store.save_preferences(BRUNO, Preferences(rated=False))
    assert sorted(await store.earlier_meetings(ANNA, ANY)) == [
        EarlierMeeting(DELETED_USER, 10, 1),
        EarlierMeeting(DELETED_USER, 20, -1),
    ]


# Farming ratings does not pay: rings of ten accounts that lift one, in every way they could think of.

ALLOWED = 20
"""So many points a ring may gain somebody."""


@pytest.mark.one_in(4)
@pytest.mark.parametrize("boss_before", [0, 30, 100])
def test_a_ring_gains_its_boss_at_most_20_points(boss_before: int) -> None:
    """Every kind of ring, after 5, 10 and 30 games, against the mean of honest twins, over two seeds."""
    found = [gains(scene(f"farm/{seed}", boss_before, 0.0), list(RINGS.values()), 10) for seed in range(2)]
    for number, name in enumerate(RINGS):
        gained = [fmean(values) for values in zip(*(it[number] for it in found), strict=True)]
        assert max(gained) <= ALLOWED, (name, dict(zip(CHECKS, gained, strict=True)))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("true", [-SPREAD, SPREAD])
def test_a_ring_gains_weak_and_strong_people_no_more(true: float) -> None:
    rings = [RINGS["fresh accounts, in turn"], RINGS["the ten have played 100 games before"]]
    for gained in gains(scene("farm/0", 30, true), rings, 6):
        assert max(gained) <= ALLOWED


@pytest.mark.one_in(4)
@pytest.mark.parametrize("ring", [Ring(days=1), Ring(seats=3), Ring(grown=True)], ids=str)
def test_as_many_games_as_they_like_gain_no_more(ring: Ring) -> None:
    """From 30 games with the ring to 1000: an honest player would rise meanwhile, becoming more certain."""
    few, many = farmed(scene("farm/0", 100, 0.0), ring, (30, 1000), Random(0))
    assert displayed_points(many) - displayed_points(few) <= ALLOWED


def test_throwaway_accounts_gain_nothing() -> None:
    """A new account for every game, or the same ones with their ratings deleted in between."""
    world, gone = (scene("farm/0", 0, 0.0).world.copy() for _ in range(2))
    for game in range(1, 101):
        for it in (world, gone):
            it.play([BOSS, 5000 + game], START_DAY + game)
        gone.meetings[BOSS] = [it._replace(other=DELETED_USER) for it in gone.meetings[BOSS]]
    assert world.ratings[BOSS] == gone.ratings[BOSS]
    assert displayed_points(world.ratings[BOSS]) - displayed_points(START_RATING) <= ALLOWED
    assert is_provisional(world.ratings[BOSS])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("ring", [Ring(), Ring(seats=6), Ring(grown=True)], ids=str)
def test_whoever_has_only_played_with_a_ring_is_on_no_board(ring: Ring) -> None:
    """Not after 300 games either, so a weak player, too, gains nothing by never playing honestly."""
    [boss] = farmed(scene("farm/0", 0, 0.0), ring, (300,), Random(0))
    assert boss.games == 300
    assert is_provisional(boss)
