"""The local Discord's page in Chromium: two people play a whole game through its buttons.

Screenshots go to ``artifacts/``, to be looked at.
"""

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Browser, Error, Page, async_playwright

from tests.games import CASES
from tests.process.world import World, eventually, local_world

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "artifacts"
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium on this machine (under CI this fails instead)"
)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with local_world() as world:
        await world.start_bot(tmp_path / "tables.sqlite3")
        yield world


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    assert CHROMIUM is not None, "install chromium"
    PICTURES.mkdir(exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield browser
        await browser.close()


class Tab:
    """One person's page, and every error it reported."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self._said(message.type, message.text))

    def _said(self, kind: str, text: str) -> None:
        """A 400 is a control that was replaced under the hand: the page says so, and it is no error of the page."""
        if kind == "error" and "400 (Bad Request)" not in text:
            self.errors.append(text)

    async def command(self, name: str, **options: str) -> None:
        """Type a slash command, choose it from the list, fill in its *options*, send it."""
        box = self.page.locator("textarea")
        await box.click()
        await box.press_sequentially(f"/{name}")
        await self.page.locator(".commands li").first.wait_for()
        await self.page.keyboard.press("Enter")
        if await self.page.locator(".option").count():
            for option, value in options.items():
                await self.page.locator(f".option select[name='{option}']").select_option(value)
            await self.page.locator("button:has-text('Send')").click()

    def button(self, verb: str) -> Any:
        """The newest enabled control for *verb*."""
        return self.page.locator(f"[data-custom-id*='/{verb}/']:not([disabled])").last

    async def press(self, verb: str) -> bool:
        """Click it if it is there; it may be replaced under the hand, then the next try finds the new one."""
        try:
            await self.button(verb).click(timeout=1000)
        except Error:
            return False
        return True

    async def picture(self, name: str) -> None:
        await self.page.screenshot(path=PICTURES / f"{name}.png")


async def open_tab(
    browser: Browser, world: World, index: int, width: int, height: int, scheme: Literal["dark", "light"]
) -> Tab:
    context = await browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    tab = Tab(await context.new_page())
    await tab.page.goto(world.base)
    await tab.page.locator(".person", has_text=world.people[index].name).click()
    await tab.page.locator("textarea").wait_for()
    await tab.page.locator(".channel").first.wait_for(state="attached")
    return tab


async def fits(page: Page) -> bool:
    """Nothing hangs over the right edge."""
    wide: bool = await page.evaluate(
        """() => [...document.querySelectorAll('.messages *')]
            .every((node) => node.getBoundingClientRect().right <= innerWidth + 1)"""
    )
    return wide


PRIVATE = ".message.private"


async def move(tab: Tab, call: bool) -> bool:
    """Play from the private hand: interrupt if *call*, else the first thing on offer; whether anything was."""
    page = tab.page
    shout = page.locator(f"{PRIVATE} [data-custom-id*='/call/']:not([disabled])")
    types = page.locator(f"{PRIVATE} select[data-custom-id*='/pick/']")
    plays = page.locator(f"{PRIVATE} select[data-custom-id*='/play']")
    cards = page.locator(f"{PRIVATE} button[data-custom-id*='/move/']:not([disabled]):not([data-custom-id$='/cards'])")
    try:
        if call and await shout.count():
            await shout.first.click(timeout=1000)
        elif await plays.count():
            await plays.first.select_option(index=1, timeout=1000)
        elif await types.count():
            await types.first.select_option(index=1, timeout=1000)
        elif await cards.count():
            await cards.first.click(timeout=1000)
        else:
            return False
    except Error:  # replaced under the hand: the next try finds the new one
        return False
    return True


@pytest.mark.parametrize("game", sorted(CASES))
async def test_two_people_and_a_computer_play_a_whole_game_through_the_page(
    world: World, browser: Browser, game: str
) -> None:
    anna = await open_tab(browser, world, 0, 1100, 900, "dark")
    bruno = await open_tab(browser, world, 1, 380, 780, "light")
    await anna.command("play", game=game)
    await bruno.button("join").click()
    await anna.page.get_by_text("Bruno").first.wait_for()
    await anna.button("add").click()
    await anna.page.get_by_text("Ada").first.wait_for()
    await anna.page.locator("[data-custom-id*='/pace/']").select_option("off")
    for option, value in CASES[game].quick:
        await anna.page.locator(f"[data-custom-id*='/option/'][data-custom-id$='/{option}']").select_option(value)
    await anna.picture(f"{game}-lobby")
    await bruno.picture(f"{game}-lobby-phone")
    await anna.button("start").click()
    for tab in (anna, bruno):
        await tab.button("hand").click()
        await tab.page.locator(PRIVATE).wait_for()
    moves = 0
    while not await anna.page.locator("[data-custom-id*='/again/']").count():
        for tab in (anna, bruno):
            moved = await move(tab, _enough(world))
            moves += moved
            if moved and moves in (3, 4, 11, 12):
                await anna.picture(f"{game}-{moves}")
                await bruno.picture(f"{game}-phone-{moves}")
                assert await fits(bruno.page)
        await anna.page.wait_for_timeout(50)
        assert moves < 400
    assert moves > 4
    for tab, name in ((anna, "end"), (bruno, "end-phone")):
        await tab.button("again").wait_for()
        await tab.picture(f"{game}-{name}")
        assert await fits(tab.page)
        assert tab.errors == []


def _enough(world: World) -> bool:
    """Whether the visible sum under the table is enough to call 17."""
    table = world.people[0].table()
    for line in table.text.splitlines() if table else ():
        if line.startswith(("Visible", "Visibile")):
            return int(line.split("**")[1]) >= 17
    return False


async def test_unread_marks_private_messages_and_a_dead_bot(world: World, browser: Browser, tmp_path: Path) -> None:
    anna = await open_tab(browser, world, 0, 1100, 900, "light")
    await anna.command("play")
    await anna.button("add").click()
    await anna.button("start").click()
    unread = anna.page.locator(".channel.unread .badge")
    await unread.wait_for()
    assert (await unread.inner_text()).startswith("1")
    await anna.page.locator(".channel", has_text="Seventeen").click()
    await anna.page.locator("[data-custom-id*='/move/']").first.wait_for()
    assert not await anna.page.locator(".channel.unread").count()
    await anna.page.get_by_text("To the table").last.click()
    await anna.page.locator(".message.found, [data-custom-id*='/menu/']").first.wait_for()
    await world.kill_bot()
    await anna.button("menu").click()
    await anna.page.get_by_text("This interaction failed").wait_for(timeout=6000)
    await anna.picture("failed")
    assert anna.errors == []


async def test_the_keyboard_is_enough(world: World, browser: Browser) -> None:
    anna = await open_tab(browser, world, 0, 1100, 900, "dark")
    await anna.page.locator("textarea").focus()
    await anna.page.keyboard.type("/he")
    await anna.page.locator(".commands li").first.wait_for()
    await anna.page.keyboard.press("Enter")
    await anna.page.locator(".message.private").wait_for()
    await anna.page.keyboard.type("/play")
    await anna.page.locator(".commands li").first.wait_for()
    await anna.page.keyboard.press("Enter")
    await anna.page.keyboard.press("Tab")
    await anna.page.keyboard.press("Enter")
    start = anna.page.locator("[data-custom-id*='/add/']")
    await start.wait_for()
    await start.focus()
    await anna.page.keyboard.press("Enter")
    await eventually(lambda: world.people[0].newest_text("Ada"), "a computer player")
    assert await anna.page.evaluate("document.activeElement.dataset.customId.includes('/add/')")
    assert anna.errors == []


async def test_two_people_side_by_side_in_one_window(world: World, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 1400, "height": 900})
    await page.goto(world.base)
    await page.get_by_text("side by side").click()
    left, right = page.frame_locator("iframe").first, page.frame_locator("iframe").last
    await left.locator("textarea").fill("hello from the left")
    await left.locator("textarea").press("Enter")
    await right.get_by_text("hello from the left").wait_for()
    await page.screenshot(path=PICTURES / "side-by-side.png")
