"""What one sees stays what one wants to see: the newest message, the place one goes back to, who is who."""

import asyncio
import io

from PIL import Image
from playwright.async_api import Browser, Page, Route, expect

from tests.browser.alone import ANNA, page_of, shown, until
from tests.local_discord.client import V2, Discord, button, row, text
from tests.local_discord.test_refusals import made

BOTTOM = (
    "[...document.querySelectorAll('.messages')].every((it) => it.scrollHeight - it.scrollTop - it.clientHeight < 2)"
)
MUCH = "a line\n" * 60
"""More than fits on a screen."""


def picture(width: int, height: int) -> bytes:
    """A PNG of that size."""
    file = io.BytesIO()
    Image.new("RGB", (width, height), "#207050").save(file, "PNG")
    return file.getvalue()


async def pictured(discord: Discord, method: str, path: str, label: str, width: int = 600, height: int = 900) -> str:
    """The id of a message with a picture of that size, and one button below it: sent, or changed."""
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://p.png"}, "description": "a picture"}]}
    payload = {"flags": V2, "components": [text("look"), gallery, row(button("b", label=label))]}
    status, message = await discord.upload(method, path, payload, "p.png", picture(width, height))
    assert status == 200, message
    found: str = message["id"]
    return found


class Slow:
    """Pictures that come when they are let through."""

    def __init__(self) -> None:
        self.go = asyncio.Event()

    async def hold(self, page: Page) -> None:
        """Hold up the pictures of messages that *page* loads."""
        await page.route("**/attachments/**", self._wait)

    async def _wait(self, route: Route) -> None:
        await self.go.wait()
        await route.continue_()


async def test_a_picture_has_its_place_before_it_is_loaded(browser: Browser, discord: Discord) -> None:
    anna = await page_of(browser, discord, ANNA, 380, 780)
    slow = Slow()
    await slow.hold(anna)
    await pictured(discord, "POST", f"/channels/{discord.channel}/messages", "Go on")
    await anna.locator(".gallery img").wait_for(state="attached")
    before = await anna.locator(".message").bounding_box()
    await expect(anna.get_by_text("Go on")).to_be_in_viewport()
    slow.go.set()
    await until(anna, "document.querySelector('.gallery img').complete")
    assert await anna.locator(".message").bounding_box() == before
    assert before is not None
    assert before["height"] > 500


async def test_the_button_below_a_picture_stays_in_view(browser: Browser, discord: Discord) -> None:
    """Step by step, as a lesson goes: the same message with another picture."""
    await discord.sends({"content": MUCH})
    anna = await page_of(browser, discord, ANNA, 380, 780)
    path = f"/channels/{discord.channel}/messages"
    lesson = await pictured(discord, "POST", path, "Step 1", 600, 300)
    await expect(anna.get_by_text("Step 1")).to_be_in_viewport()
    for step, height in enumerate((900, 200, 1200, 700), 2):
        await pictured(discord, "PATCH", f"{path}/{lesson}", f"Step {step}", 600, height)
        await expect(anna.get_by_text(f"Step {step}")).to_be_in_viewport()
    await anna.set_viewport_size({"width": 380, "height": 500})
    await expect(anna.get_by_text("Step 5")).to_be_in_viewport()


async def test_at_the_first_look_one_is_at_the_bottom(browser: Browser, discord: Discord) -> None:
    path = f"/channels/{discord.channel}/messages"
    for number in range(3):
        await pictured(discord, "POST", path, f"Button {number}")
    anna = await page_of(browser, discord, ANNA, 380, 780)
    await expect(anna.get_by_text("Button 2")).to_be_in_viewport()
    await until(anna, "[...document.images].every((image) => image.complete)")
    assert await anna.evaluate(BOTTOM)


async def test_who_reads_further_up_is_left_there(browser: Browser, discord: Discord) -> None:
    await discord.sends({"content": MUCH})
    _, last = await discord.sends({"content": "the last one"})
    anna = await page_of(browser, discord, ANNA, 380, 780)
    await expect(anna.get_by_text("the last one")).to_be_in_viewport()
    await anna.locator(".messages").hover()
    await anna.mouse.wheel(0, -1000)
    await until(anna, f"!{BOTTOM}")
    top = await anna.evaluate("document.querySelector('.messages').scrollTop")
    path = f"/channels/{discord.channel}/messages/{last['id']}"
    await discord.call("PATCH", path, discord.bot, {"content": MUCH})
    await discord.sends({"content": "the newest"})
    await expect(anna.get_by_text("the newest")).to_be_attached()
    assert await anna.evaluate("document.querySelector('.messages').scrollTop") == top
    await anna.get_by_role("button", name="New messages").click()
    await expect(anna.get_by_text("the newest")).to_be_in_viewport()
    await expect(anna.get_by_role("button", name="New messages")).to_be_hidden()


async def test_back_goes_back(browser: Browser, discord: Discord) -> None:
    """The address and what one sees agree, also after Back and Forward."""
    anna = await page_of(browser, discord, ANNA)
    title = anna.locator(".top h2")
    for name in ("second-table", "lounge"):
        await anna.locator(".channel", has_text=name).click()
        await expect(title).to_contain_text(name)
    ids = {it["name"]: it["id"] for it in discord.session["guilds"][0]["channels"]}
    for go, name in ((anna.go_back, "second-table"), (anna.go_back, "card-table"), (anna.go_forward, "second-table")):
        await go()
        await expect(title).to_contain_text(name)
        assert anna.url.endswith(f"#{ids[name]}")
    await anna.reload()
    await expect(title).to_contain_text("second-table")


async def test_emojis_are_read_aloud_by_clean_names(browser: Browser, discord: Discord) -> None:
    """Without colons and underscores."""
    emoji = await made(discord, "three_back")
    partial = {"name": emoji["name"], "id": emoji["id"]}
    await shown(discord, text(f"# <:{emoji['name']}:{emoji['id']}>"), row(button("b", label="Lay", emoji=partial)))
    anna = await page_of(browser, discord, ANNA)
    await expect(anna.get_by_role("heading", name="three back", exact=True)).to_be_visible()
    await expect(anna.get_by_role("button", name="three back Lay", exact=True)).to_be_visible()
