"""One person's page in Chromium: commands, controls, moves, whole games. Controls are found by what their custom_ids
say they do, so every game is played alike."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from playwright.async_api import Browser, Error, Locator, Page

from bot.tables.model import Phase, Table
from bot.ui.custom_ids import PREFIX, Verb
from tests.games import CASES
from tests.process.watch import newest_table
from tests.process.world import World

CHROMIUM: Final = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
PICTURES: Final = Path(__file__).parents[2] / "artifacts"
"""Screenshots go there, to be looked at."""
ARGUMENTS: Final = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PRIVATE: Final = ".message.private"
_ENABLED: Final = ":not([disabled]):not([aria-disabled]):not([aria-busy])"
"""Neither greyed out nor spinning: while a click waits for its answer, another one on the same control does nothing."""
RETRY_SECONDS: Final = 2.0
"""A control may be replaced under the hand, and the click is lost: then the person clicks again."""


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

    async def set_up(self, game: str, players: int) -> None:
        """In the lobby of *game*, with two people: add computers until there are so many *players*; without beats, and
        with the options for a short game."""
        most = CASES[game].rules.seats[-1]
        await self.page.get_by_text(f"(2 of {most})").wait_for()
        for number in range(3, players + 1):
            await self.button(Verb.ADD_COMPUTER).click()
            await self.page.get_by_text(f"({number} of {most})").wait_for()
        await self.set_options(pace="off", **{f"game-{option}": value for option, value in CASES[game].quick.items()})

    async def set_options(self, **chosen: str) -> None:
        """Choose these of the radio buttons in the form of options, by their names, and send it."""
        await self.button(Verb.OPTIONS).click()
        form = self.page.locator("dialog")
        for name, value in chosen.items():
            await form.locator(f"input[name='{name}'][value='{value}']").check()
        await form.locator("button[type='submit']").click()
        await form.wait_for(state="detached")

    def control(self, verb: Verb, kind: str = "", inside: str = "") -> Locator:
        """The enabled controls for *verb*, oldest first: of the HTML element *kind*, *inside* a selector."""
        return self.page.locator(f"{inside} {kind}[data-custom-id^='{PREFIX}{verb.value}/']{_ENABLED}".strip())

    def button(self, verb: Verb) -> Locator:
        """The newest enabled control for *verb*."""
        return self.control(verb).last

    def moves(self, inside: str = PRIVATE) -> Locator:
        """The controls that make a move with one click. (Where cards are picked one by one, the button is greyed out
        until enough are picked, and they are no select.)"""
        return self.control(Verb.MOVE, "button", inside).or_(self.control(Verb.MOVE, "select", inside))

    def picks(self, inside: str = PRIVATE) -> Locator:
        """The controls that lead to a move."""
        return self.control(Verb.PICK, "select", inside)

    async def move(self, call: bool) -> None:
        """Play from the private hand: call if *call*, else make the first move there is.

        Raises:
            Error: Playwright has not found anything to click on in time.
        """
        if call:
            await self.control(Verb.CALL, "button", PRIVATE).first.click(timeout=RETRY_SECONDS * 1000)
            return
        await self.moves().or_(self.picks()).first.wait_for(timeout=RETRY_SECONDS * 1000)
        if not await self.moves().count():
            await use(self.picks().first)
            await self.moves().first.wait_for(timeout=RETRY_SECONDS * 1000)
        await use(self.moves().first)

    async def fits(self) -> bool:
        """Nothing hangs over the right edge."""
        wide: bool = await self.page.evaluate(
            """() => [...document.querySelectorAll('.messages *')]
                .every((node) => node.getBoundingClientRect().right <= innerWidth + 1)"""
        )
        return wide


async def control_text(page: Page) -> str:
    """What the element with the focus says."""
    found: str = await page.evaluate("document.activeElement.textContent")
    return found


async def use(control: Locator) -> None:
    """Click a button, or choose the first entry of a select; above it is what the select asks for."""
    if await control.evaluate("node => node.tagName") == "SELECT":
        await control.select_option(index=1, timeout=RETRY_SECONDS * 1000)
    else:
        await control.click(timeout=RETRY_SECONDS * 1000)


async def open_tab(
    browser: Browser, world: World, index: int, width: int, height: int, scheme: Literal["dark", "light"]
) -> Tab:
    """The page of person number *index*."""
    context = await browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    tab = Tab(await context.new_page())
    await tab.page.goto(world.base)
    await tab.page.locator(".person", has_text=world.people[index].name).click()
    await tab.page.locator("textarea").wait_for()
    await tab.page.locator(".channel").first.wait_for(state="attached")
    return tab


async def play(
    store: Path,
    tabs: Mapping[int, Tab],
    look: Callable[[int], Awaitable[Any]],
    *,
    seconds: float,
) -> dict[int, int]:
    """The people of *tabs* (user -> page) play the newest table to its end, whoever is on turn from the private hand
    on their page; user -> moves made. *look* is called with the number of moves so far, again and again. Where there
    are calls they are made when they are right.

    Raises:
        TimeoutError: the game takes longer than *seconds*.
    """
    made = dict.fromkeys(tabs, 0)
    async with asyncio.timeout(seconds):
        while (table := newest_table(store)).phase is Phase.PLAYING:
            await look(sum(made.values()))
            seat = table.rules.on_turn(table.state)
            user = table.players[seat].user
            if user is None or table.held is not None or table.window is not None:
                await asyncio.sleep(0.02)  # a computer player's turn, or something is about to happen
                continue
            may_call = seat in table.rules.callers(table.state)
            try:
                await tabs[user].move(may_call and CASES[table.game].calls_now(table.state))
            except Error:  # replaced under the hand: the next try finds the new one
                continue
            made[user] += await _goes_on(store, table)
    return made


async def _goes_on(store: Path, before: Table) -> bool:
    """Whether anything happens at the table within the time of a try."""
    until = asyncio.get_running_loop().time() + RETRY_SECONDS
    while asyncio.get_running_loop().time() < until:
        now = newest_table(store)
        if (now.state, now.held, now.window) != (before.state, before.held, before.window):
            return True
        await asyncio.sleep(0.02)
    return False


async def photographed(desk: Tab, phone: Tab, name: str) -> None:
    """Two people's pages as pictures called *name*, with ``phone-`` in it for the second; what that one shows fits."""
    await desk.page.screenshot(path=PICTURES / f"{name.format('')}.png")
    await phone.page.screenshot(path=PICTURES / f"{name.format('phone-')}.png")
    assert await phone.fits()
