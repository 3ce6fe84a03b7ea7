"""The keyboard: the focus stays where the hand is, whatever is drawn anew, and no key does more than it says."""

from typing import Any

from playwright.async_api import Browser, expect

from tests.browser.alone import ANNA, change, page_of, shown
from tests.browser.tab import control_text
from tests.local_discord.client import Discord, button, row, text


def cards(ply: int, *numbers: int, **more: Any) -> dict[str, Any]:
    """A row of cards; every action renews all custom_ids."""
    return row(*(button(f"{ply}/{place}", label=f"card {number}", **more) for place, number in enumerate(numbers)))


async def test_focus_stays_at_the_card_that_was_laid(browser: Browser, discord: Discord) -> None:
    """Also while the hand waits, disabled, for the next turn."""
    anna = await page_of(browser, discord, ANNA)
    path = await shown(discord, text("your turn"), cards(0, 1, 2, 3), row(button("0/menu", label="Menu", style=2)))
    await anna.get_by_text("card 2").focus()
    await change(
        discord, path, text("wait"), cards(1, 1, 3, 4, disabled=True), row(button("1/menu", label="Menu", style=2))
    )
    await expect(anna.locator(".message")).to_contain_text("wait")
    assert await control_text(anna) == "card 3"
    await expect(anna.get_by_text("card 3")).to_be_disabled()
    await change(discord, path, text("your turn"), cards(2, 1, 3, 4), row(button("2/menu", label="Menu", style=2)))
    await expect(anna.get_by_text("card 3")).to_be_enabled()
    assert await control_text(anna) == "card 3"


async def test_a_disabled_control_with_the_focus_does_nothing(browser: Browser, discord: Discord) -> None:
    anna = await page_of(browser, discord, ANNA)
    bot = await discord.connect(discord.bot)
    path = await shown(discord, cards(0, 1, 2))
    await anna.get_by_text("card 2").focus()
    await change(discord, path, cards(1, 1, 2, disabled=True))
    await expect(anna.get_by_text("card 2")).to_be_disabled()
    await anna.keyboard.press("Enter")
    await anna.keyboard.press("Tab")
    await expect(anna.locator("button", has_text="card 2")).to_have_attribute("disabled", "")
    assert not bot.named("INTERACTION_CREATE")


async def test_what_one_has_opened_stays_open(browser: Browser, discord: Discord) -> None:
    """Menus of several choices, spoilers, and pictures that are loaded already."""
    anna = await page_of(browser, discord, ANNA)
    options = [{"label": f"choice {number}", "value": str(number)} for number in range(4)]
    menu = row({"type": 3, "custom_id": "m", "options": options, "min_values": 2, "max_values": 3})
    path = await shown(discord, text("before ||hidden||"), menu)
    await anna.locator("summary", has_text="Make a selection").click()
    await anna.get_by_label("choice 1").check()
    await anna.locator(".spoiler").focus()
    await anna.keyboard.press("Enter")
    await change(discord, path, text("after ||hidden||"), menu)
    await expect(anna.locator(".message")).to_contain_text("after")
    await expect(anna.get_by_label("choice 1")).to_be_checked()
    await expect(anna.locator(".spoiler")).to_have_attribute("data-open", "")
    bot = await discord.connect(discord.bot)
    await anna.get_by_label("choice 3").check()
    await anna.locator(".many button").click()
    assert (await bot.event("INTERACTION_CREATE"))["data"]["values"] == ["1", "3"]


async def test_enter_sends_the_option_of_a_command(browser: Browser, discord: Discord) -> None:
    choices = [{"name": "17", "value": "diciassette"}, {"name": "12 Days", "value": "days"}]
    option = {"type": 3, "name": "game", "description": "d", "required": True, "choices": choices}
    await discord.register({"name": "play", "options": [option]})
    bot = await discord.connect(discord.bot)
    anna = await page_of(browser, discord, ANNA)
    await anna.locator("textarea").press_sequentially("/play")
    await anna.locator(".commands li").first.wait_for()
    await anna.keyboard.press("Enter")
    await anna.keyboard.press("Escape")
    await expect(anna.locator(".option")).to_have_count(0)
    await expect(anna.locator("textarea")).to_be_focused()
    await anna.locator("textarea").press_sequentially("/play")
    await anna.locator(".commands li").first.wait_for()
    await anna.keyboard.press("Enter")
    await anna.keyboard.press("1")
    await anna.keyboard.press("2")
    await anna.keyboard.press("Enter")
    payload = await bot.event("INTERACTION_CREATE")
    assert payload["data"]["options"][0]["value"] == "days"
    await expect(anna.locator("textarea")).to_be_focused()


async def test_arrows_send_no_choice_before_it_is_made(browser: Browser, discord: Discord) -> None:
    """A closed menu would take the next entry at each arrow, and send it."""
    anna = await page_of(browser, discord, ANNA)
    options = [{"label": f"choice {number}", "value": str(number)} for number in range(4)]
    await shown(discord, row({"type": 3, "custom_id": "m", "options": options}))
    bot = await discord.connect(discord.bot)
    await anna.locator(".message select").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Enter"):
        await anna.keyboard.press(key)
    payload = await bot.event("INTERACTION_CREATE")
    assert payload["data"]["values"] in (["1"], ["2"], ["3"])
    assert not bot.named("INTERACTION_CREATE")
