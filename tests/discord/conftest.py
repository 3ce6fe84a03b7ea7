"""A bot on SimCord with a real SQLite file and a stepped clock."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.discord.play import Club, open_club


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """A server with a channel, four people and the bot; no waits, so that a move lands at once."""
    async with open_club(tmp_path) as club:
        yield club
