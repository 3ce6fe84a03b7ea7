"""The page without a bot's process: the tests send what a bot would."""

import asyncio
from typing import Any, Final, Literal

from playwright.async_api import Browser, Page

from tests.local_discord.client import V2, Discord

ANNA: Final = 0
BRUNO: Final = 1
CARLA: Final = 2
PATIENCE_SECONDS: Final = 10.0


async def page_of(
    browser: Browser,
    discord: Discord,
    person: int,
    width: int = 1100,
    height: int = 800,
    scheme: Literal["dark", "light"] = "light",
) -> Page:
    """The page of person number *person*."""
    page = await browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    await page.goto(f"http://127.0.0.1:{discord.server.port}/?user={discord.session['users'][person]['id']}")
    await page.locator("textarea").wait_for()
    await page.locator(".channel").first.wait_for(state="attached")
    return page


async def private(discord: Discord, person: int) -> str:
    """Where the bot sends direct messages to person number *person*."""
    recipient = {"recipient_id": discord.session["users"][person]["id"]}
    _, channel = await discord.call("POST", "/users/@me/channels", discord.bot, recipient)
    return f"/channels/{channel['id']}/messages"


async def shown(discord: Discord, *components: dict[str, Any]) -> str:
    """The path of a new message of *components* in the first channel."""
    status, message = await discord.sends({"flags": V2, "components": list(components)})
    assert status == 200, message
    return f"/channels/{discord.channel}/messages/{message['id']}"


async def change(discord: Discord, path: str, *components: dict[str, Any]) -> None:
    """The message at *path* consists of *components* from now on."""
    status, answer = await discord.call("PATCH", path, discord.bot, {"components": list(components)})
    assert status == 200, answer


async def until(page: Page, condition: str) -> None:
    """Wait until the JavaScript *condition* holds. (Playwright's own way evaluates text: the page's policy forbids it.)

    Raises:
        AssertionError: it does not hold in time.
    """
    deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    while not await page.evaluate(condition):
        assert asyncio.get_running_loop().time() < deadline, f"waited in vain: {condition}"
        await asyncio.sleep(0.02)
