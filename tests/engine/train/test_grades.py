"""What computer players lose is measured as the coach judges it."""

import pytest

from engine.registry import GAMES
from engine.train.grades import lost, main


def test_shares_are_measured_for_every_seat_of_every_game() -> None:
    game = GAMES["diciassette"]
    shares = lost(game, 2, 3, 2)
    assert len(shares) == 6
    assert all(0 <= share <= 1 for share in shares)
    assert shares == lost(game, 2, 3, 2)


def test_a_line_is_printed_for_every_level(capsys: pytest.CaptureFixture[str]) -> None:
    main(["diciassette", "--seats", "2", "--games", "2"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        f"2 seats, level {level}" for level in range(1, GAMES["diciassette"].levels + 1)
    ]
