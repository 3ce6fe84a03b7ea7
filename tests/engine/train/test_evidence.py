"""What ``make tournament`` measures and prints."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from math import isnan

import pytest

from engine.registry import GAMES
from engine.tournament import DuelResult
from engine.train import grades
from engine.train.diciassette.evidence import count_hopeless_calls
from engine.train.figures import Figure
from engine.train.grades import balances
from engine.train.reference import duels
from engine.train.tournament import find_evidence_module, strength

pytestmark = pytest.mark.one_in(4)


def test_a_goal_is_met_on_its_bounds_and_within() -> None:
    assert [Figure("x", value, least=60, most=68).met for value in (59.9, 60, 64, 68, 68.1)] == [
        False, True, True, True, False,
    ]  # fmt: skip
    assert Figure("x", -1.0).met


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_duel_has_a_goal(name: str) -> None:
    """The strongest level against version 0.2, and every level against the next lower one."""
    own = find_evidence_module(GAMES[name])
    for duel in duels(GAMES[name]):
        it = strength(DuelResult(duel, 10, 0.65, 0.01), own.REFERENCE_GOALS if own else {})
        assert (it.value, it.error) == (65.0, 1.0)
        goals = (it.least, it.most)
        assert goals == ((60, 68) if duel.others != "reference" else (own and own.REFERENCE_GOALS[duel.seats], None))


def test_calls_are_counted_and_none_is_hopeless_d10() -> None:
    found = count_hopeless_calls(2, 3, 4, 1)
    assert found.all >= 12
    assert found.hopeless == 0


def test_everything_can_be_measured_in_a_trial() -> None:
    """As threads, since the processes of a test would take longer to start than to measure."""
    with ThreadPoolExecutor(2) as pool:
        for name, evidence in ((name, find_evidence_module(game)) for name, game in GAMES.items()):
            if evidence is not None:
                found = list(evidence.evidence(pool, 1, 0.001))
                assert any(it.most is not None for it in found), name
                assert not any(isnan(it.value) for it in found)


def test_the_command_line_counts_the_goals_that_are_not_met() -> None:
    command = [sys.executable, "-m", "engine.train", "tournament", "twelve_days", "--part", "0.001", "--processes", "1"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, env=os.environ, check=True)
    *lines, last = ran.stdout.splitlines()
    missed = sum(it.endswith("NOT MET") for it in lines)
    assert last.startswith(f"{missed or 'no'} goals are not met by more than the error")
    assert sum("goal:" in it for it in lines) > 10


def test_every_seat_of_every_game_is_measured() -> None:
    game = GAMES["diciassette"]
    found = balances(game, 2, 3, 2)
    assert len(found) == 6
    assert all(0 <= it.cost <= it.stake for it in found)
    assert found == balances(game, 2, 3, 2)


def test_a_line_is_printed_for_every_level(capsys: pytest.CaptureFixture[str]) -> None:
    grades.main(["diciassette", "--seats", "2", "--games", "2"])
    lines = capsys.readouterr().out.splitlines()
    levels = range(1, GAMES["diciassette"].computers.LEVELS + 1)
    assert [line.partition(":")[0] for line in lines] == [*(f"2 seats, level {level}" for level in levels), "2 seats"]
    assert lines[-1].endswith(f"% of {2 * 2 * len(levels)} players")
