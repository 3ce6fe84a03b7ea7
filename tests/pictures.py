"""The pictures in ``docs/pictures``: every game in Chromium, on a desktop and 380 px wide, dark and light, in the
longest language, with few and with many players. ``make pictures``; look at them afterwards.
"""

import argparse
import asyncio
import contextlib
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from playwright.async_api import Browser, Error, async_playwright

from bot.tables.model import Phase
from bot.ui.custom_ids import Verb
from bot.ui.registry import PRESENTERS
from engine.registry import GAMES
from tests.browser.alone import until
from tests.browser.tab import ARGUMENTS, CHROMIUM, PRIVATE, Tab, open_tab, play, use
from tests.games import CASES
from tests.process.waiting import eventually
from tests.process.watch import newest_table
from tests.process.world import local_world

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"
SIZES: Final = {"desktop": (1280, 900), "phone": (380, 780)}
TURNS: Final = 6
"""After so many moves the table is shown."""
SECONDS: Final = 1800
"""No game takes longer."""
OPEN: Final = ".message:not(.private)"
"""What is no private answer: in direct messages, the table."""
LONG: Final = "Maximiliane Freifrau von Hohenau"
"""A name as long as a name can be: 32 characters."""


class Album:
    """The pictures of one game, each taken once."""

    def __init__(self, tab: Tab, folder: Path, name: str) -> None:
        self.tab = tab
        self.folder = folder
        self.name = name
        self.taken: set[str] = set()
        self.parts = 0
        """The fewest parts that the table message has had."""

    async def take(self, what: str) -> None:
        """A picture of *what* is on the page now, unless there is one."""
        if what in self.taken:
            return
        self.taken.add(what)
        await until(self.tab.page, "[...document.images].every((image) => image.complete)")
        await self.tab.page.evaluate("Promise.all([...document.images].map((image) => image.decode()))")
        assert await self.tab.fits(), f"{self.name} {what} hangs over the edge"
        await self.tab.page.screenshot(path=self.folder / f"{self.name}_{what}.png")

    async def look(self, moves: int) -> None:
        """Take what there is to be seen after so many *moves*."""
        if moves >= TURNS:
            await self.take("table")
        parts = await self.tab.page.locator(".message:not(.private) .container > *").count()
        self.parts = min(parts, self.parts or parts)
        if parts > self.parts:  # how the round ended stands above the rest
            await self.take("end_of_round")


async def one_game(store: Path, tab: Tab, user: int, game: str, computers: int, album: Album) -> None:
    """One game by *user*, on *tab*, and *computers*: the lobby, the table, the end of a round, the standings,
    what the coach says."""
    page = tab.page
    await tab.command("play", game=game)
    for players in range(2, computers + 2):
        await tab.button(Verb.ADD_COMPUTER).click()
        await page.get_by_text(re.compile(rf"\({players} \w+ {GAMES[game].seats[-1]}\)")).wait_for()
    last = {f"game-{name}": list(option.values)[-1] for name, option in PRESENTERS[game].options.items()}
    await tab.set_options(pace="fast", **last)
    await album.take("lobby")
    await tab.button(Verb.START).click()
    await tab.button(Verb.HAND).click()
    await page.locator(PRIVATE).wait_for()
    if PRESENTERS[game].drawings:
        await page.locator("img.emoji").first.wait_for()  # they are uploaded in their own time
    await play(store, {user: tab}, album.look, seconds=SECONDS)
    await tab.control(Verb.REMATCH, inside=".message:not(.private)").wait_for()
    await album.take("standings")
    if GAMES[game].coach is not None:
        await tab.control(Verb.REVIEW, inside=".message:not(.private)").last.click()
        await page.locator("[data-custom-id$='/coach.coach']").click()
        await page.locator("[data-custom-id$='/figures.figures']").wait_for()
        await album.take("coach")
    assert not tab.errors, tab.errors


async def one(
    browser: Browser,
    game: str,
    size: str,
    scheme: Literal["dark", "light"],
    locale: str,
    computers: int,
    folder: Path,
) -> None:
    """One game in a fresh world."""
    async with local_world() as world:
        person = world.people[0]
        if computers > 3:
            await world.call("POST", f"/local/users/{person.id}", {"name": LONG})
            person.name = LONG
        await world.call("POST", f"/local/users/{person.id}", {"locale": locale})
        await world.call("POST", f"/local/guilds/{world.guild}", {"locale": locale})
        with tempfile.TemporaryDirectory() as database:
            store = Path(database) / "tables.sqlite3"
            await world.start_bot(store)
            tab = await open_tab(browser, world, 0, *SIZES[size], scheme)
            album = Album(tab, folder, f"{game}_{size}_{scheme}_{locale}")
            await one_game(store, tab, person.id, game, computers, album)
            await world.kill_bot()


async def alone(browser: Browser, game: str, folder: Path) -> None:
    """A solo table of *game* on a phone, and the deal of the day: its lobby, the end, the shared lines."""
    async with local_world() as world:
        with tempfile.TemporaryDirectory() as database:
            store = Path(database) / "tables.sqlite3"
            await world.start_bot(store)
            tab = await open_tab(browser, world, 0, *SIZES["phone"], "dark")
            album, page = Album(tab, folder, f"{game}_phone_dark_en-US"), tab.page
            await page.locator("button.menu").click()
            await page.locator(".channel", has_text="Seventeen").click()
            await tab.command("play", game=game)
            await tab.button(Verb.START).wait_for()
            await album.take("solo_lobby")
            await tab.button(Verb.START).click()
            await tab.moves(OPEN).or_(tab.picks(OPEN)).first.wait_for()
            if PRESENTERS[game].drawings:
                await page.locator("img.emoji").first.wait_for()
            await album.take("solo_hand")
            await page.locator("button.menu").click()
            await page.locator(".channel", has_text=re.compile("card")).first.click()
            await tab.command("daily", game=game)
            await page.locator("a", has_text="Go there").click()
            await tab.button(Verb.START_DAY).wait_for()
            await album.take("day_lobby")
            await tab.button(Verb.START_DAY).click()
            await to_the_end(store, tab)
            await album.take("day_end")
            await page.locator("button.menu").click()
            await page.locator(".channel", has_text=re.compile("card")).first.click()
            await tab.command("daily", game=game)
            await tab.button(Verb.TELL).click()
            await tab.control(Verb.DAY, inside=OPEN).last.wait_for()
            await album.take("day_shared")
            assert not tab.errors, tab.errors
            await world.kill_bot()


async def to_the_end(store: Path, tab: Tab) -> None:
    """The person of *tab* plays the newest table, a day's deal in direct messages, until they see how it ended."""
    async with asyncio.timeout(SECONDS):
        await eventually(lambda: newest_table(store).phase is Phase.PLAYING, "the cards are not dealt")
        while (table := newest_table(store)).phase is Phase.PLAYING:
            calls_now = table.rules.calls is not None and CASES[table.game].calls_now(table.state)
            wanted = [tab.control(Verb.CALL, "button", OPEN)] if calls_now else []
            for control in (*wanted, tab.control(Verb.NEXT, "button", OPEN), tab.moves(OPEN), tab.picks(OPEN)):
                if await control.count():
                    with contextlib.suppress(Error):  # replaced under the hand
                        await use(control.last)
                    break
            await asyncio.sleep(0.1)
    await tab.button(Verb.RESULT).wait_for()


async def everything(only: Sequence[str], folder: Path) -> None:
    """Every picture, or those of the games in *only*."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for game in only or GAMES:
            seats = GAMES[game].seats
            await one(browser, game, "desktop", "dark", "en-US", seats[0] - 1, folder)
            await one(browser, game, "phone", "light", "de", seats[-1] - 1, folder)
            if GAMES[game].daily is not None:
                await alone(browser, game, folder)
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
