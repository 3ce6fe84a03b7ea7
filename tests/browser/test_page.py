"""The local Discord's page: private messages, a dead bot, the keyboard, two people side by side."""

import pytest
from playwright.async_api import Browser

from bot.ui.custom_ids import Verb
from tests.browser.tab import PICTURES, open_tab
from tests.games import ANY
from tests.process.waiting import eventually
from tests.process.world import World


@pytest.mark.about(ANY)  # the page knows no games
async def test_unread_marks_private_messages_and_a_dead_bot(world: World, browser: Browser) -> None:
    anna = await open_tab(browser, world, 0, 1100, 900, "light")
    await anna.command("play", game=ANY)
    await anna.button(Verb.ADD_COMPUTER).click()
    await anna.button(Verb.START).click()
    unread = anna.page.locator(".channel.unread .badge")
    await unread.wait_for()
    assert (await unread.inner_text()).startswith("1")
    await anna.page.locator(".channel", has_text="Seventeen").click()
    await anna.moves("").or_(anna.picks("")).first.wait_for()
    assert not await anna.page.locator(".channel.unread").count()
    await anna.page.locator(".message h3 a").last.click()
    await anna.page.locator(".message.found").or_(anna.control(Verb.MENU)).first.wait_for()
    await world.kill_bot()
    await anna.button(Verb.MENU).click()
    await anna.page.get_by_text("This interaction failed").wait_for(timeout=6000)
    await anna.page.screenshot(path=PICTURES / "failed.png")
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
    await anna.page.keyboard.press("ArrowDown")  # the first game
    await anna.page.keyboard.press("Tab")
    await anna.page.keyboard.press("Enter")
    add = anna.button(Verb.ADD_COMPUTER)
    await add.wait_for()
    await add.focus()
    await anna.page.keyboard.press("Enter")
    await eventually(lambda: world.people[0].newest_text("🤖"), "a computer player")
    assert await anna.page.evaluate("document.activeElement.dataset.customId.includes('/add/')")
    assert anna.errors == []


async def test_two_people_side_by_side_in_one_window(world: World, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 1400, "height": 900})
    await page.goto(world.base)
    await page.get_by_text("side by side").click()
    left, right = page.frame_locator("iframe").first, page.frame_locator("iframe").last
    for side in (left, right):  # before they are connected there is nowhere to write to
        await side.locator(".channel").first.wait_for(state="attached")
    await left.locator("textarea").fill("hello from the left")
    await left.locator("textarea").press("Enter")
    await right.get_by_text("hello from the left").wait_for()
    await page.screenshot(path=PICTURES / "side-by-side.png")
