"""Which tests run a line, and how long they take: measured once, and again when a file has changed.

If that is a file of tests that no other file uses, only its own tests are measured again.
"""

import ast
import functools
import gc
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

import coverage
import pytest

from tests.mutants.operators import ROOT, Mutant

FOLDER: Final = ROOT / ".mutants"
"""Measurements are kept here; git ignores it."""
SOURCES: Final = ("engine", "bot", "cogs")
SHARES: Final = 2
"""Processes that measure at the same time."""
TESTS: Final = {
    "engine": ("tests/engine", "engine"),
    "bot/tables": ("tests/bot", "bot/tables"),
    "bot/tables/fresh.py": ("tests/bot", "tests/discord"),
    "bot/tables/preferences.py": ("tests/bot", "tests/discord"),
    "bot/tables/service.py": ("tests/bot", "tests/discord"),
    "bot/tables/storage.py": ("tests/bot", "tests/discord"),
    "bot/tables/uptime.py": ("tests/bot", "tests/discord"),
    "bot/delivery": ("tests/bot", "tests/discord"),
    "cogs": ("tests/bot", "tests/discord"),
}
"""Part of the program -> the folders with the tests that belong to it. All run in the process itself."""
ELSEWHERE: Final = (
    "tests/bot/test_clock.py", "tests/bot/test_damaged_store.py", "tests/bot/test_limits.py",
    "tests/bot/test_locked_store.py", "tests/bot/test_log.py", "tests/bot/test_settings.py",
    "tests/bot/test_store.py", "tests/bot/test_store_files.py", "tests/bot/test_symbols.py",
    "tests/bot/test_texts.py", "tests/bot/test_words.py",
)  # fmt: skip
"""Tests of other parts that run most lines of these by the way; slow ones, in real time or with processes."""


READING_SECONDS: Final = 0.2
"""What a test costs besides its own time."""
STATISTICS: Final = ("test_a_computer_player_beats_random_ones", "test_long_random_games_end")
"""Tests that play so many games that they take longer than all others, and notice no more of a single change."""
PYTEST: Final = (
    "-p", "no:xdist", "-p", "no:terminal", "--hypothesis-seed=0", "-W", "ignore::pytest.PytestAssertRewriteWarning",
)  # fmt: skip
"""How pytest is called: quietly, always with the same chance, and with libraries that are imported already."""


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
            for batch in _measured(folder):
                self._seconds |= batch.passed
                for data in batch.data:
                    self._add(data)

    def _add(self, data: coverage.CoverageData) -> None:
        """Take over from *data* which tests run which lines."""
        for path in data.measured_files():
            lines = self._tests.setdefault(Path(path).relative_to(ROOT).as_posix(), {})
            for line, names in data.contexts_by_lineno(path).items():
                lines.setdefault(line, set()).update(names)

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


@functools.cache
def users(path: str) -> tuple[str, ...]:
    """The modules that import something from the one at *path*."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return tuple(user for user, imported in _imports().items() if module in imported)


@functools.cache
def _imports() -> dict[str, set[str]]:
    """Module, by its path -> the modules that it imports from."""
    found: dict[str, set[str]] = {}
    for top in (*SOURCES, "tests"):
        for path in sorted((ROOT / top).rglob("*.py")):
            nodes = ast.walk(ast.parse(path.read_text("utf-8")))
            froms = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
            names = {node.module for node in froms} | {
                f"{node.module}.{it.name}" for node in froms for it in node.names
            }
            found[path.relative_to(ROOT).as_posix()] = names
    return found


# Measuring


def forked(work: Callable[[], int]) -> int:
    """Begin a process that does *work*, silently, and ends with the status that *work* gives. Gives its number."""
    child = os.fork()
    if child:
        return child
    try:
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        os._exit(work())
    finally:
        os._exit(70)


class _Batch(NamedTuple):
    """What was measured at one time: the tests in some files of one folder."""

    data: list[coverage.CoverageData]
    passed: dict[str, float]
    """Test -> the seconds that it takes."""


def _measured(folder: str) -> Iterator[_Batch]:
    """What the tests in *folder* run that are in files which have not changed since; what has changed is measured
    first."""
    now = _digests(folder)
    FOLDER.mkdir(exist_ok=True)
    known = set[str]()
    for index in FOLDER.glob(f"{_prefix(folder)}.*.files"):
        there = json.loads(index.read_text("utf-8"))
        if current := {file for file, digest in there.items() if now.get(file) == digest}:
            known |= current
            yield _batch(index, current)
        else:
            for old in FOLDER.glob(f"{index.stem}.*"):
                old.unlink()
    if missing := now.keys() - known:
        yield _batch(_measure(folder, {file: now[file] for file in missing}), missing)


def _prefix(folder: str) -> str:
    return folder.replace("/", "-")


def _batch(index: Path, files: Set[str]) -> _Batch:
    """What was measured with *index*, as far as it is about tests in *files*."""
    measured, passed = [], dict[str, float]()
    for share in range(SHARES):
        data = coverage.CoverageData(str(index.with_suffix(f".{share}.coverage")))
        data.read()
        measured.append(data)
        passed |= json.loads(index.with_suffix(f".{share}.json").read_text("utf-8"))
    return _Batch(measured, {test: seconds for test, seconds in passed.items() if file_of(test) in files})


def file_of(test: str) -> str:
    """The file with *test*, which is named as pytest names it."""
    return test.partition("::")[0]


def _digests(folder: str) -> dict[str, str]:
    """File in *folder* that may hold tests -> a short name for what all sources say now, it, and what it uses of other
    tests."""
    found = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        whole = hashlib.sha256(_sources())
        for used in sorted(_used(name)):
            whole.update(f"{used}\0".encode() + (ROOT / used).read_bytes())
        found[name] = whole.hexdigest()[:12]
    return found


@functools.cache
def _sources() -> bytes:
    """What all sources say now, in short."""
    whole = hashlib.sha256()
    for top in SOURCES:
        for path in sorted((ROOT / top).rglob("*.py")):
            whole.update(f"{path.relative_to(ROOT).as_posix()}\0".encode() + path.read_bytes())
    return whole.digest()


def _used(name: str) -> set[str]:
    """The files of tests that tests in the file *name* use, directly or not; with itself."""
    waiting, found = {name}, set[str]()
    while waiting:
        path = waiting.pop()
        found.add(path)
        parents = [parent.as_posix() for parent in Path(path).parents]
        conftests = {f"{parent}/conftest.py" for parent in parents} & _imports().keys()
        imported = set().union(*(_files_of(module) for module in _imports()[path]))
        waiting |= (conftests | imported) & _imports().keys() - found
    return found


def _files_of(module: str) -> set[str]:
    """Where *module* is, if it is one of tests; of a package all that is in it, as it may import that by name."""
    path = Path(module.replace(".", "/"))
    if path.parts[0] != "tests":
        return set()
    return {f"{path}.py", *(it.relative_to(ROOT).as_posix() for it in (ROOT / path).glob("*.py"))}


def _measure(folder: str, files: dict[str, str]) -> Path:
    """Measure the tests in *files* (-> digest) of *folder*, every share in a process. Gives where that is noted."""
    sys.stderr.write(f"Measuring which lines the tests in {len(files)} files of {folder} run ...\n")
    name = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:12]
    index = FOLDER / f"{_prefix(folder)}.{name}.files"
    children = [forked(partial(_measure_share, folder, share, index, files.keys())) for share in range(SHARES)]
    if any(os.waitpid(child, 0)[1] for child in children):
        raise RuntimeError(f"the tests in {folder} cannot be run")
    index.write_text(json.dumps(files), "utf-8")
    return index


def _measure_share(folder: str, share: int, index: Path, files: Set[str]) -> int:
    """Run *share* of the tests in *files* of *folder* under coverage. Gives 0, also if some of them fail."""
    data = index.with_suffix(f".{share}.coverage")
    measuring = coverage.Coverage(data_file=str(data), config_file=False, source=list(SOURCES))
    measuring.start()
    plugin = _Measuring(measuring, share, files)
    left_out = [f"--ignore={path}" for path in ELSEWHERE]
    left_out += [f"--deselect=tests/engine/test_every_game.py::{name}" for name in STATISTICS]
    status = pytest.main([*PYTEST, *left_out, folder], plugins=[plugin])
    measuring.stop()
    measuring.save()
    index.with_suffix(f".{share}.json").write_text(json.dumps(plugin.passed), "utf-8")
    return 0 if status in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED) else 1


class _Measuring:
    """A plugin of pytest that runs one share of the tests and tells coverage which test runs."""

    def __init__(self, measuring: coverage.Coverage, share: int, files: Set[str]) -> None:
        self._measuring = measuring
        self._share = share
        self._files = files
        self._caches: list[functools._lru_cache_wrapper[object]] = []
        self._failed: set[str] = set()
        self.passed: dict[str, float] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if file_of(item.nodeid) in self._files][self._share :: SHARES]
        wrappers = [it for it in gc.get_objects() if isinstance(it, functools._lru_cache_wrapper)]
        self._caches = [it for it in wrappers if str(it.__module__).split(".")[0] in SOURCES]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        for cached in self._caches:  # else only the first test would run what is behind it
            cached.cache_clear()
        self._measuring.switch_context(item.nodeid)
        began = time.process_time()  # other programs that run meanwhile make no test seem slow
        result = yield
        if item.nodeid not in self._failed:
            self.passed[item.nodeid] = round(time.process_time() - began, 4)
        self._measuring.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self._failed.add(report.nodeid)


def preload() -> list[ModuleType]:
    """Import the libraries, so that the processes begun from here need not."""
    import aiosqlite
    import alembic.command
    import babel.messages.pofile
    import discord.ext.commands
    import hypothesis
    import PIL.ImageFont
    import simcord
    import sqlalchemy.ext.asyncio

    return [aiosqlite, alembic, babel, discord, hypothesis, PIL, simcord, sqlalchemy]
