"""The programs in ``examples/`` run."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.games import CASES

ROOT = Path(__file__).parents[1]


def run(*arguments: str, typed: str) -> subprocess.CompletedProcess[str]:
    """``examples/console.py`` with *arguments*, somebody typing *typed*."""
    command = [sys.executable, str(ROOT / "examples" / "console.py"), *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("game", sorted(CASES))
def test_a_whole_game_in_the_terminal(game: str) -> None:
    result = run(game, "--players", "2", "--seed", "00" * 32, typed="nonsense\n99\n1\n" + "\n" * 2000)
    assert result.returncode == 0, result.stderr
    assert "or Enter." in result.stdout
    assert "\n1. seat " in result.stdout


def test_whoever_types_no_more_ends_the_game() -> None:
    result = run("diciassette", typed="\n")
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith("The game is ended.\n")


@pytest.mark.parametrize("arguments", [("chess",), ("diciassette", "--players", "9"), ("diciassette", "--seed", "x")])
def test_a_bad_call_says_what_is_allowed(arguments: tuple[str, ...]) -> None:
    result = run(*arguments, typed="")
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
