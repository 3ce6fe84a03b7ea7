"""What the coach of 17 said of calls is compared with what happened."""

import pytest

from engine.train.diciassette.told import main, played

pytestmark = pytest.mark.one_in(4)


def test_every_call_is_compared_with_what_its_player_got() -> None:
    found = [row for number in range(10) for row in played(2, number)]
    assert {it.kind for it, _ in found} == {"calls", "cards that show 17"}
    assert all(0 < it.coach <= 1 and 0 < it.network < 1 for it, _ in found)
    assert {happened for _, happened in found} == {0, 1}
    assert found == [row for number in range(10) for row in played(2, number)]


def test_a_line_is_printed_for_each_kind(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--seats", "2", "--games", "10"])
    calls, cards = capsys.readouterr().out.splitlines()
    assert calls.startswith("2 seats: ") and " calls, coach " in calls
    assert " cards that show 17, coach " in cards and ", network alone " in cards
