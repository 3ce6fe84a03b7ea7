"""The changes are what they are said to be, and the tests that run a changed line are what tells."""

import ast
import os
from pathlib import Path

import pytest

from tests.mutants.__main__ import GOALS, all_mutants, sample
from tests.mutants.known import known
from tests.mutants.lines import TESTS, Timed, folders
from tests.mutants.operators import Mutant, changed, mutants, of_source
from tests.mutants.trying import begin

RULES = "engine/games/diciassette/rules.py"
RIGHT_CALL = "17_or_more_penalises_the_last_player_and_rewards_the_caller_d14"


def made(source: str) -> list[str]:
    """Every change to *source*, in words."""
    return [f"{it.before} -> {it.after}" for it in of_source("some.py", source)]


@pytest.mark.parametrize(
    ("source", "changes"),
    [
        ("a < b", ["a < b -> a <= b"]),
        ("a >= b", ["a >= b -> a > b"]),
        ("a == b", ["a == b -> a != b"]),
        ("a is not b", ["a is not b -> a is b"]),
        ("a in b", ["a in b -> a not in b"]),
        ("a + b", ["a + b -> a - b"]),
        ("-a", ["-a -> a"]),
        ("-1", ["-1 -> 1"]),
        ("x = 3", ["x = 3 -> x = 4"]),
        ("x = 60_000", ["x = 60000 -> x = 120000"]),
        ("x = 0.5", ["x = 0.5 -> x = 1.0"]),
        ("x = True", ["x = True -> x = False"]),
        ("a and b", ["a and b -> a or b", "a and b -> b", "a and b -> a"]),
        ("not a", ["not a -> a"]),
        ("x if c else y", ["x if c else y -> x if not c else y"]),
        ("x = min(a)", ["x = min(a) -> x = max(a)"]),
        ("x = any(a)", ["x = any(a) -> x = all(a)"]),
        ("if a:\n    b", ["a -> not a"]),
        ("x: Final = 1", ["x: Final = 1 -> x: Final = 2"]),
        ("class Kept(NamedTuple):\n    away: bool = False", ["away: bool = False -> away: bool = True"]),
        ("def f(a=1):\n    pass", ["1 -> 2"]),
        ("def f(a):\n    if a:\n        return\n    g()", ["a -> not a", "return -> (nothing)", "g() -> (nothing)"]),
        ("def f(a):\n    a = 1", ["a = 1 -> (nothing)", "a = 1 -> a = 2"]),
        ("def f():\n    n = 0\n    n += a", ["n = 0 -> n = 1", "n += a -> n -= a", "n += a -> (nothing)"]),
    ],
)  # fmt: skip
def test_each_operator_makes_the_change_that_it_says(source: str, changes: list[str]) -> None:
    assert made(source) == changes


@pytest.mark.parametrize(
    "source",
    [
        '"""Two < three."""',
        "assert a < b",
        "def __repr__(self):\n    return a + b",
        "def f(a: Literal[1]) -> Literal[2]:\n    b = a\n    return b",
        "if TYPE_CHECKING:\n    x = 1",
        'def f():\n    log.info("%s", 1)',
        "def f():\n    print(1)",
        "x = t('{n}', n=1)",
        "@lru_cache(4096)\ndef f(): ...",
        "raise ValueError(f'{a + 1}')",
        "x = zip(a, b, strict=True)",
        "x = 'a' + b",
        "from a import b",
    ],
)
def test_what_is_for_people_or_for_types_is_left_alone(source: str) -> None:
    assert made(source) == []


def test_every_change_is_a_program_and_another_one() -> None:
    for path in (RULES, "bot/tables/timers.py", "cogs/router.py"):
        source = Path(path).read_text("utf-8")
        for mutant in mutants(path)[::7]:
            tree = changed(source, mutant.number)
            compile(tree, path, "exec")
            assert ast.dump(tree) != ast.dump(ast.parse(source)), mutant


def test_the_same_seed_gives_the_same_sample_and_a_new_line_changes_little_of_it() -> None:
    found = all_mutants(["engine/games"])
    chosen = sample(found, 50, "17")
    assert sample(found, 50, "17") == chosen
    assert sample(found, 50, "18") != chosen
    fewer = [it for it in found if it.function != "_play"]
    still = set(chosen) & set(sample(fewer, 50, "17"))
    assert len(still) == len([it for it in chosen if it.function != "_play"])


def test_every_module_has_tests() -> None:
    assert all(Path(folder).is_dir() for folders in TESTS.values() for folder in folders)
    assert all(Path(part).exists() for part in TESTS)
    assert all(folders(it.path) for it in all_mutants(list(GOALS)))


def status(mutant: Mutant | None, folder: Path) -> int:
    """With which status the process ends in which the tests of the rules of 17 meet *mutant*."""
    file = "tests/engine/games/diciassette/test_rules.py"
    tests = [Timed(f"{file}::test_{name}", 0.0) for name in ("play_goes_clockwise", RIGHT_CALL)]
    _, status = os.waitpid(begin(mutant, [tests], folder), 0)
    return os.waitstatus_to_exitcode(status)


def test_a_change_is_noticed_and_no_change_is_not(tmp_path: Path) -> None:
    edge = next(it for it in mutants(RULES) if it.function == "_resolve_call" and it.before == "value >= TARGET")
    assert status(None, tmp_path / "none") == 0
    assert status(edge, tmp_path / "edge") == 1


def test_what_is_named_is_there_once_and_has_a_reason() -> None:
    named = known()
    assert len({(it.file, it.function, it.change) for it in named}) == len(named)
    assert all(len(it.reason) > 20 for it in named)
    there = {(it.path, it.function, f"{it.before} -> {it.after}") for it in all_mutants(list(GOALS))}
    gone = [it for it in named if (it.file, it.function, it.change) not in there]
    assert not gone, gone
