"""A bot on a local Discord of its own, and a game at its only table."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.games import CASES
from tests.process.person import Person
from tests.process.world import World, local_world


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The bot's database."""
    return tmp_path / "tables.sqlite3"


@pytest.fixture
async def world(store: Path) -> AsyncIterator[World]:
    """A local Discord with the bot on it."""
    async with local_world() as world:
        await world.start_bot(store)
        yield world


@pytest.fixture(params=sorted(CASES))
def game(request: pytest.FixtureRequest) -> str:
    """Every game."""
    name: str = request.param
    return name


@pytest.fixture
async def people(world: World, game: str) -> list[Person]:
    """As few people as *game* takes, at a running table where nothing has to be waited for."""
    seated = world.players(game)
    await world.open_game(game, *seated, pace="off")
    return seated
