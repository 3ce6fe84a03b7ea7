"""The fixture of every test here: a local Discord of its own, over real sockets."""

from collections.abc import AsyncIterator

import pytest

from local_discord import interactions
from local_discord.server import Server
from tests.local_discord.client import Discord


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    """A running server and its client. Interactions fail after 0.4 seconds instead of 3, to save time."""
    monkeypatch.setattr(interactions, "DEADLINE_SECONDS", 0.4)
    async with Discord.running(Server()) as discord:
        yield discord
