"""A local Discord, with a bot on it or alone, and Chromium."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from local_discord.server import Server
from tests.browser.tab import ARGUMENTS, CHROMIUM, PICTURES
from tests.local_discord.client import Discord
from tests.process.world import World, local_world


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The bot's database."""
    return tmp_path / "tables.sqlite3"


@pytest_asyncio.fixture(loop_scope="session")
async def world(store: Path) -> AsyncIterator[World]:
    """A local Discord with the bot on it."""
    async with local_world() as world:
        await world.start_bot(store)
        yield world


@pytest_asyncio.fixture(loop_scope="session")
async def discord() -> AsyncIterator[Discord]:
    """A running server in this process, and its client; no bot."""
    async with Discord.running(Server()) as discord:
        yield discord


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """Chromium without a window, started once. A machine that has none skips the tests, but under CI they fail."""
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("no Chromium on this machine")
    assert CHROMIUM is not None, "install chromium"
    PICTURES.mkdir(exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Browser) -> AsyncIterator[Browser]:
    """Chromium as if just started: every page belongs to a context, and those of other tests are closed."""
    yield chromium
    for context in chromium.contexts:
        await context.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One event loop for all tests here, since Chromium is driven by the one in which it was started."""
    for item in items:
        if item.path.parent == Path(__file__).parent and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
