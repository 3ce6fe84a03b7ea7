"""One change, tried: in a process of its own, where the changed module stands in place of the file."""

import os
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import count
from pathlib import Path
from types import CodeType
from typing import Any, Final

import pytest

from tests.mutants.imports import SOURCES
from tests.mutants.lines import Lines, Timed
from tests.mutants.measuring import PYTEST, file_of, forked
from tests.mutants.operators import ROOT, Mutant, changed

AT_ONCE: Final = 2
"""So many changes are tried at the same time."""
MOST_SECONDS: Final = 60.0
"""Of tests for one change: the quickest ones first."""
MOST_BYTES: Final = 4 << 30
"""A change that takes more memory is noticed."""
NEAR: Final = 3
"""The test files that are tried first, alone, since reading all of them takes longer than most tests."""


IMPORTING_SECONDS: Final = 60
"""A process that takes longer than this between two tests hangs."""


class Outcome(Enum):
    """What came of a change."""

    NOTICED = "noticed"
    SURVIVED = "survived"
    NO_TEST = "no test runs it"


class Changed(MetaPathFinder, SourceFileLoader):
    """Finds the module of *mutant* in place of the one in the file."""

    def __init__(self, mutant: Mutant) -> None:
        module = mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        super().__init__(module, str(ROOT / mutant.path))
        self._number = mutant.number

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        """What is found for the module; ``None`` for every other."""
        if name != self.name:
            return None
        spec = PathFinder.find_spec(name, path)
        assert spec is not None
        spec.loader = self
        return spec

    def get_code(self, fullname: str) -> CodeType:
        """The code with the change. It is never kept in a file."""
        tree = changed(Path(self.path).read_text("utf-8"), self._number)
        return compile(tree, self.path, "exec", dont_inherit=True)


class _Chosen:
    """A plugin of pytest that runs the *tests*, in their order, and ends the process when one hangs. It notes the file
    of a test that fails in *place*."""

    def __init__(self, tests: Sequence[Timed], place: Path) -> None:
        self._place = place
        self._order = {test.name: number for number, test in enumerate(tests)}
        self._seconds = {test.name: test.seconds for test in tests}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        signal.alarm(10 + int(10 * self._seconds[item.nodeid]))
        result = yield
        signal.alarm(IMPORTING_SECONDS)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            (self._place / "noticed_by").write_text(report.nodeid.partition("::")[0], "utf-8")


def tried(mutants: Iterable[Mutant], lines: Callable[[Mutant], Lines]) -> Iterator[tuple[Mutant, Outcome]]:
    """Every one of *mutants* and what came of it, as they are done; *lines* says which tests belong to it."""
    waiting, running = iter(mutants), dict[int, tuple[Mutant, Path, list[Timed]]]()
    noticing, numbers = dict[str, Counter[str]](), count()
    with tempfile.TemporaryDirectory(prefix="mutants") as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
        more = True
        while more or running:
            while more and len(running) < AT_ONCE:
                mutant = next(waiting, None)
                if mutant is None:
                    more = False
                    break
                tests = _affordable(lines(mutant).tests(mutant))
                if not tests:
                    yield mutant, Outcome.NO_TEST
                    continue
                place = Path(folder) / str(next(numbers))
                child = begin(mutant, _batches(tests, noticing.setdefault(mutant.path, Counter())), place)
                running[child] = (mutant, place, tests)
            if running:
                child, status = os.waitpid(-1, 0)
                mutant, place, tests = running.pop(child)
                _end_group(child)
                if (by := place / "noticed_by").exists():
                    noticing[mutant.path][by.read_text("utf-8")] += 1
                shutil.rmtree(place, ignore_errors=True)
                yield mutant, Outcome.SURVIVED if status == 0 else Outcome.NOTICED


def _affordable(tests: Sequence[Timed]) -> list[Timed]:
    """The first of *tests*, as many as may be run."""
    chosen, left = [], MOST_SECONDS
    for test in tests:
        if test.seconds <= left:
            chosen.append(test)
            left -= test.seconds
    return chosen


def _batches(tests: Sequence[Timed], noticing: Counter[str]) -> list[list[Timed]]:
    """*tests* in two parts: those in the files that noticed the most of this module so far, or whose tests come first;
    and the others."""
    first: dict[str, int] = {}
    for place, test in enumerate(tests):
        first.setdefault(file_of(test.name), place)
    near = sorted(first, key=lambda file: (-noticing[file], first[file]))[:NEAR]
    parts = (
        [test for test in tests if file_of(test.name) in near],
        [test for test in tests if file_of(test.name) not in near],
    )
    return [part for part in parts if part]


def begin(mutant: Mutant | None, batches: Sequence[Sequence[Timed]], place: Path) -> int:
    """Begin a process that makes the change *mutant* (``None``: no change) and runs *batches* of tests, one after the
    other, until a test fails. Its number; it ends with status 0 if none does. Temporary files go below *place*."""
    place.mkdir()
    return forked(partial(_work, mutant, batches, place))


def _work(mutant: Mutant | None, batches: Sequence[Sequence[Timed]], place: Path) -> int:
    """What the process does that ``begin`` begins; the status with which it ends."""
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    signal.alarm(IMPORTING_SECONDS)
    for name in [name for name in sys.modules if name.split(".")[0] in (*SOURCES, "tests")]:
        del sys.modules[name]
    if mutant is not None:
        sys.meta_path.insert(0, Changed(mutant))
    for batch in batches:
        options = (f"--basetemp={place}/tmp", "-x", *sorted({file_of(test.name) for test in batch}))
        status = pytest.main([*PYTEST, *options], plugins=[_Chosen(batch, place)])
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return 1
    return 0


def _end_group(child: int) -> None:
    """End what the process *child*, which is over, has begun."""
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
