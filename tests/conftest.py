"""What a test is about: ``-k GAME`` selects every test that depends on the game, also where its id names none. And
where a test that runs on both databases has its own."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import fresh, postgres


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


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database with nothing in it, of either kind, a test each."""
    yield from _address(request.param, tmp_path, migrated=True)


@pytest.fixture(params=["sqlite", "postgresql"])
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
