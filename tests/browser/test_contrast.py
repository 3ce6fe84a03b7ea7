"""Every text on the page can be read, light and dark: WCAG 2.2 asks for a contrast of 4.5."""

from pathlib import Path
from typing import Any, Final, Literal

import pytest
from playwright.async_api import Browser, Page, expect

from local_discord import interactions
from tests.browser.alone import ANNA, page_of, private, shown
from tests.browser.tab import PICTURES
from tests.browser.test_view import pictured
from tests.local_discord.client import EPHEMERAL, V2, Discord, button, row, text

LEAST: Final = 4.5
CHECK: Final = (Path(__file__).parent / "contrast.js").read_text()
WORDS: Final = """# A heading
## A smaller one
### The smallest
-# a note
> a quote
**bold**, *slanted*, `code`, ||shown||, <#{channel}>, <@{anna}>, </play:1>, https://example.org, <t:1700000000:R>
```
a block of code
```"""
SCHEMES: Final = ("dark", "light")
Scheme = Literal["dark", "light"]


async def readable(page: Page, least_texts: int) -> None:
    """Every text on *page* can be read; there are at least so many."""
    await page.mouse.move(0, 0)
    found = await page.evaluate(CHECK, LEAST)
    assert found["wrong"] == []
    assert found["count"] >= least_texts


def controls() -> list[dict[str, Any]]:
    """Every kind of control, enabled and disabled."""
    buttons = [button(f"{style}{off}", label=f"style {style}", style=style, disabled=off) for off in (True, False)
               for style in (1, 2, 3, 4)]  # fmt: skip
    link = {"type": 2, "style": 5, "label": "a link", "url": "https://discord.com/channels/@me/1"}
    options = [{"label": f"choice {number}", "value": str(number), "description": "what for"} for number in range(3)]
    menus = [
        {
            "type": 3,
            "custom_id": f"m{most}{off}",
            "options": options,
            "max_values": most,
            "placeholder": "Choose",
            "disabled": off,
        }
        for most in (1, 2)
        for off in (False, True)
    ]
    return [row(*buttons[:4], link), row(*buttons[4:]), *(row(menu) for menu in menus)]


@pytest.fixture(params=SCHEMES)
def scheme(request: pytest.FixtureRequest) -> Scheme:
    """Dark and light."""
    found: Scheme = request.param
    return found


async def test_messages_and_their_controls(browser: Browser, discord: Discord, scheme: Scheme) -> None:
    discord.unhurried()
    words = WORDS.format(channel=discord.channel, anna=discord.anna_id)
    await discord.sends({"content": words, "allowed_mentions": {"parse": []}})
    await discord.sends(
        {"content": "for everybody", "embeds": [{"title": "t", "description": "d", "footer": {"text": "f"}}]}
    )
    await discord.sends({"content": f"<@{discord.anna_id}>, it is **your** turn"})
    container = {"type": 17, "components": [text(words), *controls()], "accent_color": 0x207050}
    for components in ([container], controls()):
        path = await shown(discord, *components)
        await discord.call("PATCH", path, discord.bot, {"components": components})
    await pictured(discord, "POST", f"/channels/{discord.channel}/messages", "x", 40, 40)
    anna = await page_of(browser, discord, ANNA, scheme=scheme)
    await anna.get_by_text("it is your turn").wait_for()
    for spoiler in await anna.locator(".spoiler").all():
        await spoiler.click()
    for many in await anna.locator("summary", has_text="Choose").all():
        await many.click()
    await readable(anna, 60)
    for style in (1, 2, 3, 4):
        pointed = anna.locator(f".button.s{style}:not([disabled])", has_text="style").first
        await pointed.hover()
        assert (await anna.evaluate(CHECK, LEAST))["wrong"] == []
    await anna.locator(".message.mentioned").last.hover()
    assert (await anna.evaluate(CHECK, LEAST))["wrong"] == []
    await anna.screenshot(path=PICTURES / f"contrast-{scheme}.png")


async def test_private_answers_and_failures(
    browser: Browser, discord: Discord, scheme: Scheme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interactions, "DEADLINE_SECONDS", 0.4)
    await discord.register({"name": "ping"})
    bot = await discord.connect(discord.bot)
    anna = await page_of(browser, discord, ANNA, scheme=scheme)
    await anna.locator("textarea").fill("/ping")
    await anna.locator(".commands li").first.wait_for()
    await anna.keyboard.press("Enter")
    data = {"flags": EPHEMERAL | V2, "components": [text(WORDS.format(channel=1, anna=1)), *controls()]}
    await discord.answer(await bot.event("INTERACTION_CREATE"), {"type": 4, "data": data})
    await anna.get_by_text("Dismiss message").wait_for()
    await anna.locator(".message.private .button.s1:not([disabled])", has_text="style").click()
    interaction = await bot.event("INTERACTION_CREATE")
    message = anna.locator(".message.private")
    await readable(anna, 30)
    await anna.get_by_text("This interaction failed").wait_for()
    assert interaction
    await message.get_by_text("a note").hover()
    assert (await anna.evaluate(CHECK, LEAST))["wrong"] == []
    await anna.screenshot(path=PICTURES / f"contrast-private-{scheme}.png")


async def test_everything_around_the_messages(browser: Browser, discord: Discord, scheme: Scheme) -> None:
    option = {"type": 3, "name": "word", "description": "a placeholder"}
    choices = [{"name": "17", "value": "17"}]
    game = {"type": 3, "name": "game", "description": "d", "choices": choices}
    await discord.register({"name": "play", "options": [game, option]}, {"name": "help"})
    anna = await page_of(browser, discord, ANNA, scheme=scheme)
    direct = await private(discord, ANNA)
    for content in ("a word", ""):
        body = {"content": content} if content else {"flags": V2, "components": [text("x")]}
        await discord.call("POST", direct, discord.bot, body)
    await anna.locator(".channel.unread .badge", has_text="2").wait_for()
    await anna.locator(".phone summary").click()
    await anna.locator("textarea").fill("/no such")
    await anna.keyboard.press("Enter")
    await anna.get_by_text("No such command").wait_for()
    await readable(anna, 20)
    await anna.locator(".channel", has_text="lounge").hover()
    assert (await anna.evaluate(CHECK, LEAST))["wrong"] == []
    await anna.locator("textarea").fill("/")
    await anna.locator(".commands li", has_text="play").hover()
    assert (await anna.evaluate(CHECK, LEAST))["wrong"] == []
    await anna.locator(".commands li", has_text="play").click()
    await anna.locator(".option input").wait_for()
    await readable(anna, 20)
    await anna.evaluate("document.querySelector('.offline').classList.remove('hidden')")
    await readable(anna, 20)


async def test_the_form_of_a_modal(browser: Browser, discord: Discord, scheme: Scheme) -> None:
    await shown(discord, row(button("b")))
    bot = await discord.connect(discord.bot)
    anna = await page_of(browser, discord, ANNA, scheme=scheme)
    await anna.locator(".message .button").click()
    field = {"type": 4, "custom_id": "i", "label": "A number", "style": 1, "placeholder": "from 1 to 9"}
    options = [{"label": f"option {number}", "value": str(number), "description": "what for"} for number in range(3)]
    groups = [
        {"type": 18, "label": "Which?", "description": "at least one", "component": it}
        for it in (
            {"type": 3, "custom_id": "s", "options": options, "placeholder": "Choose"},
            {"type": 21, "custom_id": "r", "options": options},
            {"type": 23, "custom_id": "c"},
        )
    ]
    modal = {"title": "A form", "custom_id": "m", "components": [row(field), *groups]}
    await discord.answer(await bot.event("INTERACTION_CREATE"), {"type": 9, "data": modal})
    await anna.locator("dialog").wait_for()
    await expect(anna.get_by_label("A number")).to_be_focused()
    await readable(anna, 20)
