"""Which tests run a line, and how long they take."""

import ast
import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.mutants.imports import users
from tests.mutants.measuring import measured
from tests.mutants.operators import ROOT, Mutant

TESTS: Final = {
    "engine": ("tests/engine",),
    "bot/tables": ("tests/bot",),
    "bot/tables/model.py": ("tests/bot", "tests/discord"),
    "bot/tables/preferences.py": ("tests/bot", "tests/discord"),
    "bot/tables/service.py": ("tests/bot", "tests/discord"),
    "bot/tables/errors.py": ("tests/bot", "tests/discord"),
    "bot/tables/outages.py": ("tests/bot", "tests/discord"),
    "bot/review": ("tests/bot",),
    "bot/delivery": ("tests/bot", "tests/discord"),
    "cogs": ("tests/bot", "tests/discord"),
}
"""Part of the program -> the folders with the tests that belong to it. All run in the process itself."""
READING_SECONDS: Final = 0.2
"""What a test costs besides its own time."""


class Timed(NamedTuple):
    """A test that runs a line."""

    name: str
    """As pytest names it."""
    seconds: float


def folders(path: str) -> tuple[str, ...]:
    """The folders with the tests that belong to the module at *path*."""
    return TESTS[max((part for part in TESTS if Path(path).is_relative_to(part)), key=len)]


class Lines:
    """Which tests of *folders* run which lines. Measures that first if it is not known: some minutes."""

    def __init__(self, folders: Sequence[str]) -> None:
        self._seconds: dict[str, float] = {}
        self._tests: dict[str, dict[int, set[str]]] = {}
        for folder in folders:
            for batch in measured(folder):
                self._seconds |= batch.passed
                for ran in batch.lines:
                    self._add(ran)

    def _add(self, ran: dict[str, dict[str, list[int]]]) -> None:
        """Take over from *ran* which tests run which lines: test -> file -> lines."""
        for test, files in ran.items():
            for path, lines in files.items():
                tests = self._tests.setdefault(path, {})
                for line in lines:
                    tests.setdefault(line, set()).add(test)

    def tests(self, mutant: Mutant) -> list[Timed]:
        """The tests that run the line of *mutant*, in the order in which they should be tried: of every test function
        one case first, then a second of each; among them those that run what few others run of the same function.

        What runs when a module is imported may matter wherever it is used. For that first the tests that run a line
        which names what is set there, then all that run anything in the module or in one that imports from it, or whose
        own file does.
        """
        lines = self._tests.get(mutant.path, {})
        names = set().union(*(lines.get(line, set()) for line in mutant.lines))
        if names != {""}:
            return self._ranked(names, self._rarities(mutant))
        near, far = set[str](), set[str]().union(*lines.values())
        name = _set_at(mutant.path, mutant.line)
        for user in (mutant.path, *users(mutant.path)):
            there = self._tests.get(user, {})
            far |= set().union(*there.values())
            naming = _naming(user).get(name, set())
            near |= set().union(*(there.get(line, set()) for line in naming))
            if user.startswith("tests/"):
                own = {test for test in self._seconds if test.startswith(f"{user}::")}
                far |= own
                near |= own if naming else set()
        near -= {""}
        return [*self._ranked(near, {}), *self._ranked(far - near, {})]

    def _rarities(self, mutant: Mutant) -> dict[str, float]:
        """Test -> how much it runs that few others run, in the function of *mutant*: such a test is about that."""
        found: dict[str, float] = {}
        lines = self._tests.get(mutant.path, {})
        for line in _function(mutant.path, mutant.line):
            names = lines.get(line, set())
            for name in names:
                found[name] = found.get(name, 0.0) + 1 / len(names)
        return found

    def _ranked(self, names: Iterable[str], rarities: dict[str, float]) -> list[Timed]:
        """The tests called *names*, in the order in which they should be tried."""

        def worth(test: Timed) -> tuple[float, float, str]:
            return -rarities.get(test.name, 0.0) / (test.seconds + READING_SECONDS), test.seconds, test.name

        found = sorted((Timed(name, self._seconds[name]) for name in names if name in self._seconds), key=worth)
        cases: dict[str, int] = {}
        ranked = []
        for place, test in enumerate(found):
            function = test.name.partition("[")[0]
            cases[function] = cases.get(function, 0) + 1
            ranked.append((cases[function], place, test))
        return [test for _, _, test in sorted(ranked)]


@functools.cache
def _tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text("utf-8"))


@functools.cache
def _function(path: str, line: int) -> range:
    """The lines of the innermost function or class around that *line* of the module at *path*; none: there is none."""
    around = [
        range(node.lineno, (node.end_lineno or 0) + 1)
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    return min((lines for lines in around if line in lines), key=len, default=range(0))


def _set_at(path: str, line: int) -> str:
    """The name that is set in that *line* of the module at *path*; empty: none is."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Assign | ast.AnnAssign) and line in range(node.lineno, (node.end_lineno or 0) + 1):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                return target.id
    return ""


@functools.cache
def _naming(path: str) -> dict[str, set[int]]:
    """Name -> the lines of the module at *path* in which it is used."""
    found: dict[str, set[int]] = {}
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Attribute):
            found.setdefault(node.attr, set()).add(node.lineno)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, set()).add(node.lineno)
    return found
