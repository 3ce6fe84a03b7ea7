"""The form of a modal: every kind of control, by mouse and by keyboard, on a phone and on a desk."""

from typing import Any, Final

from playwright.async_api import Browser, Page, expect

from tests.browser.alone import ANNA, page_of, shown, until
from tests.browser.tab import PICTURES
from tests.local_discord.client import Discord, Socket, button, row

FITS: Final = "(() => { const it = document.querySelector('dialog'); return it.scrollWidth <= it.clientWidth; })()"
"""Nothing in the form is wider than it."""
NOT_BEHIND: Final = """(() => {
    const [it, actions] = [document.activeElement, document.querySelector('dialog .actions')];
    const [place, below] = [it.getBoundingClientRect(), actions.getBoundingClientRect()];
    return actions.contains(it) || (place.top >= 0 && place.bottom <= below.top);
})()"""
"""The control with the focus can be seen."""


def label(component: dict[str, Any], name: str, description: str | None = None) -> dict[str, Any]:
    """A label with *component*."""
    return {"type": 18, "label": name, "description": description, "component": component}


def options(*labels: str, **more: Any) -> list[dict[str, Any]]:
    """Options whose values are their labels; each has *more* fields."""
    return [{"label": it, "value": it.lower(), **more} for it in labels]


PACE: Final = {"type": 3, "custom_id": "pace", "placeholder": "How fast?", "options": options("Slow", "Fast")}
VARIANT: Final = {
    "type": 21,
    "custom_id": "variant",
    "options": [*options("Plain"), *options("Wild", default=True, description="Every trap counts twice. " * 4)],
}
EXTRAS: Final = {
    "type": 22,
    "custom_id": "extras",
    "max_values": 2,
    "options": options("Traps", "Jokers", "Mirrors", description="A card more for everybody"),
}
LEARN: Final = {"type": 23, "custom_id": "learn"}
NAME: Final = {"type": 4, "custom_id": "name", "style": 1, "required": False}
FORM: Final = {
    "custom_id": "m",
    "title": "How do you want to play?",
    "components": [
        label(PACE, "Pace", "How long everybody has for a turn"),
        label(VARIANT, "Variant"),
        label(EXTRAS, "Extras", "At most two of them"),
        label(LEARN, "Explain everything", "For people who play for the first time"),
        label(NAME, "Name of the table"),
    ],
}


async def opened(browser: Browser, discord: Discord, form: Any, width: int, height: int = 780) -> tuple[Page, Socket]:
    """Anna's page with the modal *form* open, and the bot."""
    await shown(discord, row(button("open")))
    bot = await discord.connect(discord.bot)
    page = await page_of(browser, discord, ANNA, width, height, "dark")
    await page.locator(".message .button").click()
    assert await discord.answer(await bot.event("INTERACTION_CREATE"), {"type": 9, "data": form}) == (204, None)
    await page.locator("dialog").wait_for()
    return page, bot


async def told(bot: Socket) -> dict[str, Any]:
    """What the bot is told of the submitted form: custom_id -> value or values."""
    data = (await bot.event("INTERACTION_CREATE"))["data"]
    controls = [it["component"] for it in data["components"] if "component" in it]
    return {it["custom_id"]: it.get("value", it.get("values")) for it in controls}


async def test_a_form_of_all_kinds_by_mouse(browser: Browser, discord: Discord) -> None:
    page, bot = await opened(browser, discord, FORM, 1100)
    submit = page.get_by_role("button", name="Submit")
    await page.screenshot(path=PICTURES / "form.png")
    assert await page.evaluate(FITS)
    await submit.click()  # the browser asks for what is missing
    await page.get_by_label("Pace").select_option("Fast")
    await submit.click()
    await page.get_by_text("Mirrors").click()
    await page.get_by_text("Traps").click()
    await page.get_by_text("Jokers").click()
    await submit.click()
    assert not bot.named("INTERACTION_CREATE")
    await page.get_by_text("Traps").click()
    await page.get_by_text("Plain", exact=True).click()
    await page.get_by_text("Explain everything").click()
    await page.get_by_label("Name of the table").fill("Ours")
    await page.screenshot(path=PICTURES / "form-filled.png")
    await submit.click()
    assert await told(bot) == {
        "pace": ["fast"],
        "variant": "plain",
        "extras": ["mirrors", "jokers"],
        "learn": True,
        "name": "Ours",
    }
    await expect(page.locator("dialog")).to_have_count(0)


async def test_a_form_of_all_kinds_by_keyboard(browser: Browser, discord: Discord) -> None:
    """The screen is low: what has the focus is scrolled into sight, and not behind the buttons."""
    page, bot = await opened(browser, discord, FORM, 380, 400)
    assert await page.evaluate(FITS)
    await expect(page.get_by_label("Pace")).to_be_focused()
    for key in ("ArrowDown", "Tab", "ArrowUp", "Tab", "Space", "Tab", "Tab", "Space", "Tab", "Tab", "Enter"):
        await page.keyboard.press(key)
        if key == "Tab":
            await until(page, NOT_BEHIND)
    assert await told(bot) == {
        "pace": ["slow"],
        "variant": "plain",
        "extras": ["traps", "mirrors"],
        "learn": False,
        "name": "",
    }
