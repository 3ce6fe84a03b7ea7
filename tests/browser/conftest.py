"""A local Discord, with a bot on it or alone, and Chromium."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

from local_discord.server import Server
from tests.browser.tab import ARGUMENTS, CHROMIUM
from tests.local_discord.client import Discord
from tests.process.world import World, local_world

PICTURES = Path(__file__).parents[2] / "artifacts"
"""Screenshots go there, to be looked at."""


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


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    """A running server in this process, and its client; no bot."""
    async with Discord.running(Server()) as discord:
        yield discord


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Chromium without a window. A machine that has none skips the test, but under CI it fails."""
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("no Chromium on this machine")
    assert CHROMIUM is not None, "install chromium"
    PICTURES.mkdir(exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        await browser.close()
