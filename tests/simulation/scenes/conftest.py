"""A database and a game for each scene. Without simloom, which needs Python 3.12, nothing here is collected."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.games import CASES

if find_spec("simloom") is None:
    collect_ignore_glob = ["*.py"]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The bot's database."""
    return tmp_path / "tables.sqlite3"


@pytest.fixture(params=sorted(CASES))
def game(request: pytest.FixtureRequest) -> str:
    """Every game."""
    name: str = request.param
    return name
