"""How long a game usually takes, which ratings need to know."""

from itertools import product

import pytest

from engine.simulate import simulate_games
from tests.games import CASES


@pytest.mark.one_in(4)
@pytest.mark.parametrize("game", sorted(CASES))
def test_the_usual_minutes_are_those_of_computer_players_at_9_seconds_an_action(game: str) -> None:
    rules = CASES[game].rules
    for seats, options in product((rules.seats[0], rules.seats[-1]), CASES[game].options):
        minutes = simulate_games(rules, seats, 4, "pace", ["computer"] * seats, options).actions / 4 * 9 / 60
        assert 0.6 < minutes / rules.usual_minutes(seats, rules.check_options(options)) < 1.6
