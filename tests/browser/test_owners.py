"""What owners and moderators see, on a phone: /settings, /doctor, /tables."""

from typing import Final

import pytest
from playwright.async_api import Browser

from bot.ui.custom_ids import Verb
from tests.browser.tab import PICTURES, PRIVATE, Tab, open_tab
from tests.games import ANY
from tests.process.world import World

pytestmark = pytest.mark.about(ANY)

PHONE: Final = (380, 780)
LIST: Final = "[data-custom-id$='/{name}']"


async def picture(tab: Tab, name: str) -> None:
    """Nothing hangs over the edge; a screenshot of the newest private message."""
    assert await tab.fits(), name
    await tab.page.locator(PRIVATE).last.screenshot(path=PICTURES / f"owners-{name}.png")


async def several(tab: Tab, name: str, *entries: str) -> None:
    """Choose *entries* in the list *name*, which takes several."""
    box = tab.page.locator(".many", has=tab.page.locator(LIST.format(name=name)))
    await box.locator("summary").click()
    for entry in entries:
        await box.locator("label", has_text=entry).locator("input").check()
    await box.locator("button").click()
    await tab.page.locator(".many summary", has_text=entries[0]).wait_for()


async def test_an_owner_chooses_looks_and_bans(browser: Browser, world: World) -> None:
    tab = await open_tab(browser, world, 0, *PHONE, "dark")
    await tab.command("settings")
    await tab.page.locator(LIST.format(name="pace")).wait_for()
    await picture(tab, "settings")
    await tab.page.locator(LIST.format(name="pace")).select_option("slow")
    await several(tab, "channels", "#card-table")
    await several(tab, "roles", "Manage messages")
    await tab.button(Verb.NUMBERS).click()
    await tab.page.locator("dialog input").first.fill("999")
    await tab.page.screenshot(path=PICTURES / "owners-numbers.png")
    await tab.page.locator("dialog button[type=submit]").click()
    await tab.page.locator(PRIVATE, has_text="999").wait_for()
    await picture(tab, "refused")
    await tab.button(Verb.NUMBERS).click()
    await tab.page.locator("dialog input").first.fill("5")
    await tab.page.locator("dialog button[type=submit]").click()
    await tab.page.locator(PRIVATE, has=tab.control(Verb.NUMBERS), has_text="Tables at a time: 5").wait_for()
    await tab.page.locator(LIST.format(name="threads")).select_option("yes")
    await tab.page.screenshot(path=PICTURES / "owners-chosen.png", full_page=True)

    await tab.command("play", game=ANY)
    other = tab.page.locator(".channel", has_text=world.people[0].name)
    await tab.page.locator(".message:not(.private)", has_text=world.people[0].name).first.wait_for()
    await other.first.wait_for(state="attached")

    await tab.command("tables")
    await tab.control(Verb.CLOSE).wait_for()
    await picture(tab, "tables")
    await tab.control(Verb.BAN, "select").last.select_option(label=f"@{world.people[2].name}")
    await tab.control(Verb.BAN_FOR).first.wait_for()
    await picture(tab, "ban")
    await tab.control(Verb.BAN_FOR).nth(1).click()
    await tab.page.locator("dialog input, dialog textarea").first.fill("too loud")
    await tab.page.locator("dialog button[type=submit]").click()
    await tab.control(Verb.LIFT).wait_for()
    await picture(tab, "bans")

    await tab.command("doctor")
    await tab.page.locator(PRIVATE, has_text="✅").last.wait_for()
    await picture(tab, "doctor")
    assert tab.errors == []
