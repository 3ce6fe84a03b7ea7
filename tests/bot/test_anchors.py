"""Computer players as anchors of the ratings: how strong they are, what games against them tell, why farming them does
not pay."""

import re
from collections.abc import Sequence
from itertools import pairwise
from math import exp
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from bot.present.registry import PRESENTERS
from bot.results.anchors import MIDDLE_SHARE, anchors
from bot.results.ratings import (
    COMPUTERS,
    LEAST_SIGMA,
    NOISE,
    START,
    Earlier,
    Met,
    Rating,
    computer,
    opponent,
    rate,
)
from bot.tables.characters import MIDDLE_LEVEL
from engine.registry import GAMES
from tests.bot.alone import FARMS, LEVELS, course, gained, nearest, strength_of
from tests.bot.ring import DAY_MS
from tests.games import CASES

AT = 400 * DAY_MS
CERTAIN = Rating(25.0, 1.5, 100)
LADDERS = sorted(game for game in CASES if CASES[game].rules.ladder)
"""The games that say how strong their computer players are."""
GAME = GAMES[LADDERS[0]]
every_ladder = pytest.mark.parametrize("game", LADDERS)


def after(
    mine: Rating, *results: tuple[int, int], known: Sequence[Earlier] = (), luck: float = 1.0, minutes: float = 20
) -> Rating:
    """The rating of somebody after a game against computer players: (their level, by how many places they came in
    behind)."""
    levels = anchors(GAME)
    met = [Met(1, mine, 10)]
    met += [Met(computer(it, n), levels[it - 1], 10 + places) for n, (it, places) in enumerate(results)]
    began = AT - round(minutes * 60_000)
    new = rate(met, lambda user: known, began=began, at=AT, usual_minutes=20, luck=luck)
    assert set(new) == {1}
    return new[1]


def gain(*results: tuple[int, int], known: Sequence[Earlier] = (), luck: float = 1.0, minutes: float = 20) -> float:
    """What the game changes in the strength of somebody certain."""
    return after(CERTAIN, *results, known=known, luck=luck, minutes=minutes).mu - CERTAIN.mu


def chance(one: Rating, other: Rating) -> float:
    """How often the certain *one* is ahead of the certain *other*."""
    return 1 / (1 + exp((other.mu - one.mu) / NOISE))


# How strong they are


@pytest.mark.parametrize("game", sorted(CASES))
def test_a_game_says_of_all_its_levels_how_strong_they_are_or_of_none(game: str) -> None:
    rules = CASES[game].rules
    assert len(rules.ladder) in (0, rules.levels - 1)
    assert len(anchors(rules)) == (rules.levels if rules.ladder else 0)
    assert all(0.5 < share < 1 for share in rules.ladder), "a level that is no stronger than the one below"
    for seats in rules.seats:
        for values in rules.options.values() or [("",)]:
            for value in values:
                options = rules.check_options({name: value for name, it in rules.options.items() if value in it})
                assert rules.luck(seats, options) >= 1


@every_ladder
def test_each_level_beats_the_one_below_as_often_as_was_measured(game: str) -> None:
    known = anchors(GAMES[game])
    for (lower, upper), share in zip(pairwise(known), GAMES[game].ladder, strict=True):
        assert chance(upper, lower) == pytest.approx(share)
    assert {it.sigma for it in known} == {LEAST_SIGMA}


@every_ladder
def test_the_middle_level_is_a_little_weaker_than_the_average_person(game: str) -> None:
    middle = anchors(GAMES[game])[MIDDLE_LEVEL - 1]
    assert chance(middle, START) == pytest.approx(MIDDLE_SHARE)
    assert MIDDLE_SHARE < 0.5


def test_the_ladders_are_those_of_the_guide() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "computer-players.md").read_text("utf-8")
    rows = re.findall(r"^\| [②-⑥] against [①-⑤].*?\| ([\d.]+) ± .*?\| ([\d.]+) ±", guide, re.MULTILINE)
    columns = {tuple(float(row[column]) / 100 for row in rows) for column in range(2)}
    assert {GAMES[game].ladder for game in LADDERS} == {tuple(round(it, 3) for it in column) for column in columns}


def test_the_anchors_are_those_of_the_guide() -> None:
    """In points above the average person, as in the table of docs/ratings.md."""
    guide = (Path(__file__).parents[2] / "docs" / "ratings.md").read_text("utf-8")
    _, _, below = guide.partition("| points above the average person |")
    rows = re.findall(r"^\| ([\w ]+) \| (-?\d.*) \|$", below.partition("\n\n")[0], re.MULTILINE)
    said = {title: [int(it) for it in cells.split(" | ")] for title, cells in rows}
    titles = {game: PRESENTERS[game].title.partition(" (")[0] for game in LADDERS}
    assert said == {titles[game]: [round(strength_of(it)) for it in anchors(GAMES[game])] for game in LADDERS}


def test_computer_players_of_one_level_are_one_opponent() -> None:
    ids = {computer(level, number): level for level in range(1, 10) for number in (0, 1, 7)}
    assert len(ids) == 27
    assert max(ids) <= COMPUTERS
    assert all(opponent(user) == computer(level) for user, level in ids.items())


# One game


@pytest.mark.parametrize("level", LEVELS)
def test_a_win_gains_a_loss_costs_and_the_computer_stays_as_it_is(level: int) -> None:
    won, lost = after(START, (level, 1)), after(START, (level, -1))
    assert lost.mu < START.mu < won.mu
    assert won.sigma == lost.sigma < START.sigma
    assert won.games == lost.games == 1


def test_the_stronger_the_computer_the_more_a_win_gains_and_the_less_a_loss_costs() -> None:
    gains = [gain((level, 1)) for level in LEVELS]
    losses = [gain((level, -1)) for level in LEVELS]
    assert gains == sorted(gains)
    assert losses == sorted(losses)
    assert gains[-1] > 3 * gains[0]


def test_several_computers_tell_more_than_one_and_less_than_so_many_games() -> None:
    one, three = gain((3, 1)), gain((3, 1), (3, 1), (3, 1))
    assert one < three < 3 * one
    assert abs(gain((3, 1), (3, -1), (2, -1), (4, 1))) < one


def test_the_more_is_luck_the_less_a_game_tells() -> None:
    assert 0 < gain((3, 1), luck=3) < gain((3, 1), luck=1.5) < gain((3, 1))
    start = after(START, (3, 1)), after(START, (3, 1), luck=3)
    assert start[0].sigma < start[1].sigma < START.sigma


def test_a_short_game_counts_as_any_other_since_a_computer_loses_none_on_purpose() -> None:
    assert gain((3, 1), minutes=1) == gain((3, 1))
    assert gain((3, -1), minutes=1) == gain((3, -1))


# What counts less


def played(level: int, results: str, days_ago: float = 1) -> list[Earlier]:
    """Earlier games against *level*: a letter each, w: the person was ahead, l: the computer."""
    at = round(AT - days_ago * DAY_MS)
    return [Earlier(computer(level), at, 1 if it == "w" else -1) for it in results]


def test_the_same_level_again_and_again_counts_less_and_recovers_slowly() -> None:
    often, long_ago = gain((3, 1), known=played(3, "wl" * 30)), gain((3, 1), known=played(3, "wl" * 30, 365))
    assert 0 < often < gain((3, 1)) / 2
    assert often < long_ago < gain((3, 1))


@pytest.mark.parametrize("behind", [1, -1])
def test_a_level_that_is_always_beaten_counts_next_to_nothing_whoever_wins_now(behind: int) -> None:
    once, again = abs(gain((3, behind))), abs(gain((3, behind), known=played(3, "www")))
    assert 0 < again <= once / 8


def test_to_take_another_level_each_time_is_no_way_around_that() -> None:
    known = [it for level in (1, 2, 4, 5, 6) for it in played(level, "www")]
    assert gain((3, 1), known=known) < gain((3, 1)) / 50
    even = [it for level in (1, 2) for it in played(level, "www")]
    even += [it for level in (5, 6) for it in played(level, "lll")]
    assert gain((3, 1), known=even) == gain((3, 1))


def test_games_against_computers_make_nobody_a_witness_and_no_difference_to_games_with_people() -> None:
    one, other = Met(1, CERTAIN, 1), Met(2, CERTAIN, 2)
    many = [it for level in LEVELS for it in played(level, "w" * 20)]

    def new(*known: Earlier) -> Rating:
        return rate((one, other), lambda user: known, began=0, at=AT, usual_minutes=20)[1]

    assert new(*many) == new()


# Over many games


@every_ladder
@pytest.mark.parametrize("true", [-200.0, 0.0, 200.0])
def test_who_plays_only_computers_comes_near_their_true_strength(game: str, true: float) -> None:
    """Against computers of about their strength; the mean of 8 people."""
    level = nearest(GAMES[game], true)
    runs = [list(course(GAMES[game], true, lambda *_: [level], 300, Random(f"{seed}"))) for seed in range(8)]
    after_100, after_300 = (fmean(strength_of(run[games - 1]) for run in runs) for games in (100, 300))
    assert abs(after_100 - true) <= 90
    assert abs(after_300 - true) <= 60
    assert abs(after_300 - true) <= max(30, abs(after_100 - true))


@pytest.mark.parametrize("before", [0, 30, 100])
@pytest.mark.parametrize("farm", ["level 1, honestly", "level 1, always won"])
def test_to_farm_the_weakest_computer_gains_at_most_20_points(farm: str, before: int) -> None:
    """After 10 to 300 games, over honest twins of the same strength who play with people meanwhile."""
    worlds, twins = (2, 4) if before else (4, 6)  # somebody new owes much to luck
    assert max(gained(FARMS[farm], GAME, before, 0.0, (10, 30), worlds, twins)) <= 20
    assert max(gained(FARMS[farm], GAME, before, 0.0, (100, 300), 2, 4)) <= 20


@pytest.mark.parametrize("farm", sorted(FARMS))
def test_no_other_way_to_farm_computers_pays_for_300_games(farm: str) -> None:
    """Not either if a friend takes the computer's seat whenever the person is about to lose."""
    assert gained(FARMS[farm], GAME, 30, 0.0, (10, 30, 100, 300), 2, 4)[-1] <= 20
