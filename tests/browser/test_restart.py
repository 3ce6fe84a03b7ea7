"""The local Discord starts again under an open page: with a file it goes on, without one it starts anew."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Browser, expect

from local_discord.server import Server
from tests.browser.alone import ANNA, page_of, private
from tests.local_discord.client import EPHEMERAL, Discord

RECONNECT_MS = 10_000


@pytest_asyncio.fixture(loop_scope="session")
async def keeping(tmp_path: Path) -> AsyncIterator[Discord]:
    """A running server that keeps its state in a file, and its client."""
    async with Discord.running(Server(state=tmp_path / "state.sqlite3")) as discord:
        yield discord


async def test_with_a_file_the_page_goes_on_where_it_was(browser: Browser, keeping: Discord, tmp_path: Path) -> None:
    """History, private messages, half a text, the direct messages of the bot: once."""
    discord = keeping
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    direct = await private(discord, ANNA)
    anna = await page_of(browser, discord, ANNA)
    await discord.sends({"content": "for everybody"})
    await anna.locator("textarea").fill("/ping")
    await anna.locator(".commands li").first.wait_for()
    await anna.keyboard.press("Enter")
    answer = {"type": 4, "data": {"content": "for you alone", "flags": EPHEMERAL}}
    await discord.answer(await bot.event("INTERACTION_CREATE"), answer)
    await anna.get_by_text("for you alone").wait_for()
    await anna.locator("textarea").fill("half a te")
    port = discord.server.port
    await bot.ws.close()
    await discord.server.stop()
    await expect(anna.locator(".offline")).to_be_visible()
    again = Server(state=tmp_path / "state.sqlite3")
    await again.start(port)
    await expect(anna.locator(".offline")).to_be_hidden(timeout=RECONNECT_MS)
    await discord.call("POST", direct, discord.bot, {"content": "psst"})
    await expect(anna.locator(".channel", has_text="Seventeen").locator(".badge")).to_contain_text("1")
    await expect(anna.locator(".channel", has_text="Seventeen")).to_have_count(1)
    await expect(anna.locator(".message .md")).to_have_text(["for everybody", "for you alone"])
    await expect(anna.locator("textarea")).to_have_value("half a te")
    await anna.keyboard.press("Enter")
    await expect(anna.locator(".message .md").last).to_have_text("half a te")
    await anna.reload()
    await expect(anna.locator(".message .md")).to_have_text(["for everybody", "half a te"])
    await again.stop()


async def test_without_a_file_the_page_starts_anew(browser: Browser, discord: Discord) -> None:
    """Nothing of before is left: not the direct messages that are open, nor what was written anywhere."""
    direct = await private(discord, ANNA)
    anna = await page_of(browser, discord, ANNA)
    await discord.sends({"content": "in the channel"})
    await anna.get_by_text("in the channel").wait_for()
    await discord.call("POST", direct, discord.bot, {"content": "in direct messages"})
    await anna.locator(".channel", has_text="Seventeen").click()
    await anna.locator(".message", has_text="in direct messages").wait_for()
    port = discord.server.port
    await discord.server.stop()
    await expect(anna.locator(".offline")).to_be_visible()
    again = Server()
    await again.start(port)
    await expect(anna.locator(".top h2")).to_contain_text("card-table", timeout=RECONNECT_MS)
    await expect(anna.locator(".message .md")).to_have_count(0)
    assert anna.url.endswith(f"#{discord.channel}")
    await anna.locator(".channel", has_text="Seventeen").click()
    await expect(anna.locator(".top h2")).to_contain_text("Seventeen")
    await expect(anna.locator(".message .md")).to_have_count(0)
    await again.stop()
