"""A local Discord, with a bot on it or alone, and Chromium."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Playwright, async_playwright

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


class Chromium:
    """Chromium without a window. It is started once, and again if it has crashed: that fails one test, not all that
    follow."""

    def __init__(self, playwright: Playwright) -> None:
        self._playwright = playwright
        self._browser: Browser | None = None

    async def running(self) -> Browser:
        """The browser; it is started if it does not run."""
        if self._browser is None or not self._browser.is_connected():
            self._browser = await self._playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        return self._browser

    async def close(self) -> None:
        """End it."""
        if self._browser is not None:
            await self._browser.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Chromium]:
    """A machine without Chromium skips the tests, but under CI they fail."""
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("no Chromium on this machine")
    assert CHROMIUM is not None, "install chromium"
    PICTURES.mkdir(exist_ok=True)
    async with async_playwright() as playwright:
        chromium = Chromium(playwright)
        yield chromium
        await chromium.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Chromium) -> AsyncIterator[Browser]:
    """Chromium as if just started: every page belongs to a context, and those of other tests are closed."""
    browser = await chromium.running()
    yield browser
    for context in browser.contexts:
        await context.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One event loop for all tests here, since Chromium is driven by the one in which it was started."""
    for item in items:
        if item.path.parent == Path(__file__).parent and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
