"""Tournaments: what a duel plays, and what its figures mean."""

import pytest

from engine.policies import find_policy, policy_names
from engine.registry import GAMES
from engine.tournament import Duel, DuelResult, duel_result, duel_result_line, level_duels, play_deals, run_duels
from tests.games import CASES

every_game = pytest.mark.parametrize("name", sorted(CASES))


@every_game
def test_alike_players_win_their_part_of_every_deal(name: str) -> None:
    """The one plays all seats of a deal in turn; nobody is preferred."""
    case = CASES[name]
    for seats in {case.rules.seats[0], min(4, case.rules.seats[-1])}:
        duel = Duel(name, seats, "random", "random")
        shares = play_deals(duel, case.quick, "x", range(30))
        it = duel_result(duel, shares)
        assert it.games == 30 * seats
        assert abs(it.share - 1 / seats) < 4 * max(it.error, 0.01)


@every_game
def test_the_same_seed_plays_the_same_games_however_many_processes_there_are(name: str) -> None:
    duel = Duel(name, CASES[name].rules.seats[0], "random", "random")
    options = GAMES[name].check_options({})
    (alone,) = run_duels([duel], 24, "seed", 1)
    (together,) = run_duels([duel], 24, "seed", 2)
    deals = -(-24 // duel.seats)
    assert alone == together == duel_result(duel, play_deals(duel, options, "seed", range(deals)))
    assert play_deals(duel, options, "other", range(deals)) != play_deals(duel, options, "seed", range(deals))


@every_game
def test_every_level_meets_the_one_below_it(name: str) -> None:
    game = CASES[name].rules
    ladder = [(it.one, it.others) for it in level_duels(game)]
    assert ladder == [(f"computer:{level + 1}", f"computer:{level}") for level in range(1, game.computers.LEVELS)]
    for duel in level_duels(game):
        assert duel.seats in game.seats
        assert {duel.one, duel.others} <= set(policy_names(game))


def test_a_policy_that_there_is_not_is_named_with_those_that_there_are() -> None:
    game = next(iter(GAMES.values()))
    with pytest.raises(ValueError, match="it has random, computer"):
        find_policy(game, "genius")


def test_an_error_is_that_of_the_mean_over_deals() -> None:
    duel = Duel("a game", 2, "one", "other")
    assert duel_result(duel, [1.0, 0.0, 1.0, 0.0]) == DuelResult(duel, 4, 0.5, pytest.approx((1 / 3 / 4) ** 0.5))
    assert duel_result_line(DuelResult(duel._replace(seats=4), 10, 0.25, 0.05)) == (
        "a game: one against 3 of other, 4 players: 25.0 ± 5.0 % of 40 games"
    )


@pytest.mark.parametrize(
    ("share", "elo"), [(0.5, " (+0 Elo)"), (0.91, " (+402 Elo)"), (0.09, " (-402 Elo)"), (1.0, ""), (0.0, "")]
)
def test_two_players_are_compared_in_elo_points_if_each_has_won_something(share: float, elo: str) -> None:
    line = duel_result_line(DuelResult(Duel("a game", 2, "one", "other"), 10, share, 0.05))
    assert line == f"a game: one against other, 2 players: {100 * share:.1f} ± 5.0 % of 20 games{elo}"
