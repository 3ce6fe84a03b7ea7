"""What computer players lose is measured as the coach judges it."""

import pytest

from engine.registry import GAMES
from engine.train.grades import balances, main

pytestmark = pytest.mark.one_in(4)


def test_every_seat_of_every_game_is_measured() -> None:
    game = GAMES["diciassette"]
    found = balances(game, 2, 3, 2)
    assert len(found) == 6
    assert all(0 <= it.cost <= it.stake for it in found)
    assert found == balances(game, 2, 3, 2)


def test_a_line_is_printed_for_every_level(capsys: pytest.CaptureFixture[str]) -> None:
    main(["diciassette", "--seats", "2", "--games", "2"])
    lines = capsys.readouterr().out.splitlines()
    levels = range(1, GAMES["diciassette"].levels + 1)
    assert [line.partition(":")[0] for line in lines] == [*(f"2 seats, level {level}" for level in levels), "2 seats"]
    assert lines[-1].endswith(f"% of {2 * 2 * len(levels)} players")
