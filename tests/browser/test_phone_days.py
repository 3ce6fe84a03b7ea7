"""12 Days on a phone, in German, with four players: the end of a hand and what a turn needs fit on the screen."""

from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Browser, expect

from bot.tables import play
from bot.tables.model import Player
from bot.ui.custom_ids import Verb
from engine.game import Seat
from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.state import State
from tests.browser.tab import PICTURES, Tab, open_tab
from tests.browser.test_phone import HEIGHT, WIDTH, at_the_phone, height, running
from tests.games.twelve_days import CASE, FAIR, cards, state
from tests.process.world import World, local_world

pytestmark = pytest.mark.about("twelve_days")

CHAT: Final = 690
"""How high the part of the screen is in which messages are, in pixels."""
RESULT: Final = 26
"""How high one line of bold text is at most, in pixels."""
LAST_TRICK: Final = state(["3 3", "5 8", "", "9 9 9 12"], lies="1:11 11, 2:10 10, 3:-", gifts=(2, 0, 3, 1), hand=7)
TRICK: Final = state(["3 3 9", "5 8", "1", "9 9 9 12"], lies="1:11 11, 2:10 10, 3:9 9", gifts=(2, 0, 3, 1), hand=7)


async def resumed(world: World, store: Path, before: State) -> None:
    """The bot, started on a store with a game in which the first person has just played two 3s."""
    table = running(world, "twelve_days", [Player(person.name, person.id, "de") for person in world.people[:4]], before)
    played = CASE.rules.apply(before, Play(Seat(0), cards("3 3")), FAIR)
    await at_the_phone(world, store, play.apply_step(table, played, table.turn_began))


async def hand(tab: Tab) -> None:
    """Open the private hand at the table, and wait for its drawings."""
    await tab.button(Verb.HAND).click()
    await tab.page.locator(".message.private img.emoji").first.wait_for()


async def test_the_end_of_a_hand_fits_on_a_phone(tmp_path: Path, browser: Browser) -> None:
    async with local_world() as world:
        await resumed(world, tmp_path / "t.sqlite3", LAST_TRICK)
        tab = await open_tab(browser, world, 1, WIDTH, HEIGHT, "dark")
        await tab.page.locator(".message img.emoji").first.wait_for()
        await expect(tab.page.locator(".message").last).to_contain_text("🎉")
        await tab.page.screenshot(path=PICTURES / "phone-days-out.png")
        assert await height(tab, ".message") <= CHAT
        assert await tab.fits()


@pytest.mark.parametrize("before", [TRICK, LAST_TRICK], ids=["trick", "hand"])
async def test_what_a_trick_or_a_hand_meant_to_a_player_is_one_line_and_the_turn_fits(
    tmp_path: Path, browser: Browser, before: State
) -> None:
    async with local_world() as world:
        await resumed(world, tmp_path / "t.sqlite3", before)
        for person in (0, 3):
            tab = await open_tab(browser, world, person, WIDTH, HEIGHT, "dark")
            await hand(tab)
            await tab.page.screenshot(path=PICTURES / f"phone-days-{before.hand_number}-{person}.png")
            assert await height(tab, ".message.private") <= CHAT
            said = tab.page.locator(".message.private strong").nth(1)  # the first is the author
            assert await said.inner_text() != "Seventeen"
            result = await said.bounding_box()
            assert result is not None
            assert result["height"] <= RESULT
            assert await tab.fits()
