"""Runs the tests of a folder and notes which lines each runs, and how long it takes. That is kept until a file has
changed. If that is a file of tests that no other one uses, only its own tests are measured again.

Python 3.12 says that a line runs only once in a test, if it is told so; so measuring hardly makes the tests slower.
https://docs.python.org/3/library/sys.monitoring.html
"""

import functools
import gc
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Set
from functools import partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple

import pytest

from tests.mutants.imports import SOURCES, used
from tests.mutants.operators import ROOT

FOLDER: Final = ROOT / ".mutants"
"""Measurements are kept here; git ignores it."""
SHARES: Final = 2
"""Processes that measure at the same time."""
ELSEWHERE: Final = (
    "tests/bot/test_clock.py", "tests/bot/test_damaged_store.py", "tests/bot/test_limits.py",
    "tests/bot/test_locked_store.py", "tests/bot/test_log.py", "tests/bot/test_settings.py",
    "tests/bot/test_store.py", "tests/bot/test_store_files.py", "tests/bot/test_symbols.py",
    "tests/bot/test_texts.py",
)  # fmt: skip
"""Tests of other parts that run most lines of these by the way; slow ones, in real time or with processes."""
STATISTICS: Final = ("test_a_computer_player_beats_random_ones", "test_long_random_games_end")
"""Tests that play so many games that they take longer than all others, and notice no more of a single change."""
PYTEST: Final = (
    "-p", "no:xdist", "-p", "no:terminal", "--hypothesis-seed=0", "-W", "ignore::pytest.PytestAssertRewriteWarning",
)  # fmt: skip
"""How pytest is called: quietly, always with the same chance, and with libraries that are imported already."""


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


class Batch(NamedTuple):
    """What was measured at one time: the tests in some files of one folder."""

    lines: list[dict[str, dict[str, list[int]]]]
    """For each share: test (empty: none, a module was imported) -> file in the repository -> the lines that ran."""
    passed: dict[str, float]
    """Test -> the seconds that it takes."""


def measured(folder: str) -> Iterator[Batch]:
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


def _batch(index: Path, files: Set[str]) -> Batch:
    """What was measured with *index*, as far as it is about tests in *files*."""
    lines, passed = [], dict[str, float]()
    for share in range(SHARES):
        ran, seconds = json.loads(index.with_suffix(f".{share}.json").read_text("utf-8"))
        lines.append(ran)
        passed |= seconds
    return Batch(lines, {test: seconds for test, seconds in passed.items() if file_of(test) in files})


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
        for other in sorted(used(name)):
            whole.update(f"{other}\0".encode() + (ROOT / other).read_bytes())
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
    """Run *share* of the tests in *files* of *folder* and note which lines they run. Gives 0, also if some of them
    fail."""
    ran = _Ran()
    plugin = _Measuring(ran, share, files)
    left_out = [f"--ignore={path}" for path in ELSEWHERE]
    left_out += [f"--deselect=tests/engine/test_every_game.py::{name}" for name in STATISTICS]
    status = pytest.main([*PYTEST, *left_out, folder], plugins=[plugin])
    index.with_suffix(f".{share}.json").write_text(json.dumps([ran.lines(), plugin.passed]), "utf-8")
    return 0 if status in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED) else 1


class _Ran:
    """Notes which lines of the sources and the tests run, and in which test. Needs Python 3.12."""

    def __init__(self) -> None:
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        self._tool = self._monitoring.COVERAGE_ID
        self._tops = tuple(str(ROOT / top) + os.sep for top in SOURCES)
        self._found = dict[str, set[tuple[str, int]]]()
        self._now = self._found.setdefault("", set())
        events = self._monitoring.events
        self._monitoring.use_tool_id(self._tool, "mutants")
        self._monitoring.register_callback(self._tool, events.PY_START, self._begins)
        self._monitoring.register_callback(self._tool, events.LINE, self._runs)
        self._monitoring.set_events(self._tool, events.PY_START)

    def switch(self, test: str) -> None:
        """What runs from now on belongs to *test*; empty: to none."""
        self._now = self._found.setdefault(test, set())
        self._monitoring.restart_events()

    def _begins(self, code: CodeType, offset: int) -> object:
        """Watch the lines of *code* if it belongs to us; Python calls this when a function begins."""
        if code.co_filename.startswith(self._tops):
            self._monitoring.set_local_events(self._tool, code, self._monitoring.events.LINE)
        return self._monitoring.DISABLE

    def _runs(self, code: CodeType, line: int) -> object:
        """Note that *line* of *code* has run; Python calls this the first time in a test."""
        self._now.add((code.co_filename, line))
        return self._monitoring.DISABLE

    def lines(self) -> dict[str, dict[str, list[int]]]:
        """Give what ran: test -> file in the repository -> lines."""
        found = dict[str, dict[str, list[int]]]()
        for test, ran in self._found.items():
            files = found.setdefault(test, {})
            for file, line in ran:
                files.setdefault(file.removeprefix(f"{ROOT}{os.sep}"), []).append(line)
        return found


class _Measuring:
    """A plugin of pytest that runs one share of the tests and tells *ran* which test runs."""

    def __init__(self, ran: _Ran, share: int, files: Set[str]) -> None:
        self._ran = ran
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
        self._ran.switch(item.nodeid)
        began = time.process_time()  # other programs that run meanwhile make no test seem slow
        result = yield
        if item.nodeid not in self._failed:
            self.passed[item.nodeid] = round(time.process_time() - began, 4)
        self._ran.switch("")
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
