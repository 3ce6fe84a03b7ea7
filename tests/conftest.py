"""What a test is about: ``-k GAME`` selects every test that depends on the game, also where its id names none. Which
cases ``--sample`` draws. And where a test that runs on both databases has its own."""

import gc
import os
import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from tests import fresh, postgres
from tests.games import CASES

DATABASES: Final = ("sqlite", "postgresql")
MOST_CASES: Final = 2
"""So many cases of one test ``--sample`` draws."""

settings.register_profile("whole", max_examples=20, deadline=None)
settings.register_profile("sample", max_examples=8, deadline=None)
settings.load_profile("whole")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--sample``, ``--most`` and ``--whole``."""
    parser.addoption(
        "--sample",
        metavar="SEED",
        help="run a part of the tests, drawn by SEED: one case of each that runs for every game or on both databases, "
        "and two at most of one with many cases",
    )
    parser.addoption("--most", metavar="N", type=int, help="of what --sample has drawn, run N tests at most")
    parser.addoption("--whole", metavar="FILE", action="append", default=[], help="but all that it has drawn of FILE")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what ``--sample`` has not drawn, and begin with what takes long."""
    seed = config.getoption("--sample")
    if seed is not None:
        _draw(config, items, seed)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = _dealt(items, workers)


def _dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """*items* in the order in which *workers* begin, each with an equal part of the list.

    Half of them begin with tests of real processes, and one with those in a browser: what takes longest does not come
    last, and no more than half of them wait for processes at a time.
    """
    files = [[*tests] for _, tests in groupby(items, key=lambda item: item.path)]
    processes = [tests for tests in files if "process" in tests[0].path.parts]
    browser = [tests for tests in files if "browser" in tests[0].path.parts]
    others = [item for tests in files if tests not in processes and tests not in browser for item in tests]
    parts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for number, tests in enumerate(processes):
        parts[number % max(1, workers // 2)] += tests
    for tests in browser:
        parts[-1] += tests
    size = -(-len(items) // workers)
    for part in parts:
        room = max(0, size - len(part))
        part += others[:room]
        del others[:room]
    return [item for part in parts for item in part] + others


def _draw(config: pytest.Config, items: list[pytest.Item], seed: str) -> None:
    """Leave of *items* what *seed* draws."""
    alike: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if any(random.Random(f"{seed} {item.nodeid}").randrange(it.args[0]) for it in item.iter_markers("one_in")):
            continue
        alike[_without_game_and_database(item.nodeid)].append(item)
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for test, cases in sorted(alike.items()):
        tests[test.partition("[")[0]].append(random.Random(f"{seed} {test}").choice(cases))
    drawn = {it for test, cases in tests.items() for it in _some(cases, f"{seed} {test}")}
    if (most := config.getoption("--most")) is not None and most < len(drawn):
        whole = {it for it in drawn if it.nodeid.partition("::")[0] in config.getoption("--whole")}
        others = sorted(drawn - whole, key=lambda item: item.nodeid)
        drawn = whole | {*random.Random(seed).sample(others, min(len(others), max(0, most - len(whole))))}
    config.hook.pytest_deselected(items=[item for item in items if item not in drawn])
    items[:] = [item for item in items if item in drawn]


def _some(cases: list[pytest.Item], seed: str) -> list[pytest.Item]:
    """At most ``MOST_CASES`` of the *cases* of one test, drawn by *seed*; all of a check of the whole repository."""
    if len(cases) <= MOST_CASES or cases[0].path.parent == Path(__file__).parent:
        return cases
    return random.Random(seed).sample(cases, MOST_CASES)


def _without_game_and_database(test: str) -> str:
    """The id of a *test* without the game that it plays and the database on which it runs."""
    function, bracket, case = test.partition("[")
    return function + bracket + "-".join(it for it in case.rstrip("]").split("-") if it not in {*CASES, *DATABASES})


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Let ``-k`` find a test by the games that it is marked to be ``about``."""
    for marker in item.iter_markers("about"):
        item.extra_keyword_matches.update(marker.args)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let the garbage collector forget ten thousand tests and all modules: to look at them again and again takes a
    tenth of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(params=DATABASES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database with nothing in it, of either kind, a test each."""
    yield from _address(request.param, tmp_path, migrated=True)


@pytest.fixture(params=DATABASES)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The same, without any schema yet: an old one can be made there."""
    yield from _address(request.param, tmp_path, migrated=False)


def _address(kind: str, folder: Path, *, migrated: bool) -> Iterator[str]:
    """The address of an empty database of this *kind*, which is deleted afterwards."""
    if kind == "sqlite":
        if migrated:
            fresh.database(folder / "t.sqlite3")
        yield f"sqlite+aiosqlite:///{folder}/t.sqlite3"
        return
    url = postgres.fresh(migrated=migrated)
    yield url
    postgres.drop(url)
