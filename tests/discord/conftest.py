"""A bot on SimCord with a real SQLite file and a stepped clock."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.discord.play import Club, open_club
from tests.games import CASES


@pytest.fixture(params=sorted(CASES))
async def any_club(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Club]:
    """As ``club``, once for every game there is."""
    async with open_club(tmp_path, game=request.param) as club:
        yield club


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """A server with a channel, eight people and the bot, playing 17; no waits, so that a move lands at once."""
    async with open_club(tmp_path) as club:
        yield club
