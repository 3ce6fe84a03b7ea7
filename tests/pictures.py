"""The pictures in ``docs/pictures``: every game in Chromium, on a desktop and 380 px wide, dark and light, in the
longest language, with few and with many players. ``make pictures``; look at them afterwards.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from engine.registry import GAMES
from tests.browser.test_page import CHROMIUM, PRIVATE, Tab, fits, move, open_tab
from tests.process.world import local_world

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
SIZES = {"desktop": (1280, 900), "phone": (380, 780)}
TURNS = 6
WIDE = "W" * 32
"""The widest name there is: 32 characters."""


async def play(tab: Tab, game: str, computers: int, name: str, folder: Path) -> None:
    """One game by a person and *computers*: a picture of the lobby, some turns, the end of a round, the standings."""

    async def picture(what: str) -> None:
        await tab.page.wait_for_timeout(700)  # pictures and emojis come in their own time
        assert await fits(tab.page), f"{name} {what} hangs over the edge"
        await tab.page.screenshot(path=folder / f"{name}_{what}.png")

    await tab.command("play", game=game)
    for _ in range(computers):
        await tab.button("add").click()
        await tab.page.wait_for_timeout(150)
    await tab.page.locator("[data-custom-id*='/pace/']").last.select_option("fast")
    for option in await tab.page.locator("select[data-custom-id*='/option/']").all():
        await option.select_option(index=await option.locator("option").count() - 1)
    await picture("lobby")
    await tab.button("start").click()
    await tab.button("hand").click()
    await tab.page.locator(PRIVATE).wait_for()
    turns, shown = 0, False
    while not await tab.page.locator("[data-custom-id*='/again/']").count():
        over = await tab.page.locator(".message:not(.private) .gallery").count()
        if over and not shown:
            shown = True
            await picture("end_of_round")
        if await move(tab, turns > TURNS):
            turns += 1
            if turns == TURNS:
                await picture("table")
        await tab.page.wait_for_timeout(60)
    await picture("standings")
    assert not tab.errors, tab.errors


async def one(browser: Browser, game: str, size: str, scheme: str, locale: str, computers: int, folder: Path) -> None:
    """One game in a fresh world."""
    async with local_world() as world:
        if computers > 3:
            await world.call("POST", f"/local/users/{world.people[0].id}", {"name": WIDE})
            world.people[0].name = WIDE
        await world.call("POST", f"/local/users/{world.people[0].id}", {"locale": locale})
        await world.call("POST", f"/local/guilds/{world.guild}", {"locale": locale})
        with tempfile.TemporaryDirectory() as store:
            await world.start_bot(Path(store) / "tables.sqlite3")
            tab = await open_tab(browser, world, 0, *SIZES[size], scheme)
            await play(tab, game, computers, f"{game}_{size}_{scheme}_{locale}", folder)
            await world.kill_bot()


async def everything(only: Sequence[str], folder: Path) -> None:
    """Every picture, or those of the games in *only*."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for game in only or GAMES:
            most = GAMES[game].seats[-1]
            await one(browser, game, "desktop", "dark", "en-US", 1, folder)
            await one(browser, game, "phone", "light", "de", most - 1, folder)
        await browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    arguments.folder.mkdir(exist_ok=True)
    asyncio.run(everything(arguments.games, arguments.folder))


if __name__ == "__main__":
    main()
