"""What the page shows of Discord itself: commands in one's language, notifications, threads. No other page gets in.

There is no bot's process: the tests send what a bot would.
"""

from pathlib import Path

import pytest
from aiohttp import web
from playwright.async_api import Browser, WebSocketRoute, expect

from tests.browser.alone import ANNA, CARLA, page_of, private
from tests.browser.tab import PICTURES
from tests.local_discord.client import EPHEMERAL, V2, Discord, button, row, text
from tests.process.waiting import eventually


async def test_commands_are_in_the_persons_language_and_only_those_on_offer(browser: Browser, discord: Discord) -> None:
    """https://discord.com/developers/docs/interactions/application-commands#localization"""
    option = {"type": 3, "name": "game", "description": "Which one", "name_localizations": {"de": "spiel"}}
    commands = [
        {
            "name": "play", "description": "Open a table", "name_localizations": {"de": "spielen"},
            "description_localizations": {"de": "Einen Tisch aufmachen"}, "contexts": [0], "options": [option],
        },
        {"name": "help", "description": "Help", "name_localizations": {"it": "aiuto"}},
    ]  # fmt: skip
    path = f"/applications/{discord.session['application_id']}/commands"
    assert (await discord.call("PUT", path, discord.bot, commands))[0] == 200
    bot = await discord.connect(discord.bot)
    carla = await page_of(browser, discord, CARLA)
    await carla.locator("textarea").press_sequentially("/")
    offered = carla.locator(".commands li")
    await expect(offered).to_have_count(2)
    await expect(offered.first).to_contain_text("/spielen")
    await expect(offered.first).to_contain_text("Einen Tisch aufmachen")
    await carla.screenshot(path=PICTURES / "commands-de.png")
    for typed in ("/pla", "/spi"):
        await carla.locator("textarea").fill(typed)
        await expect(offered).to_have_count(1)
        await expect(offered.first).to_contain_text("/spielen")
    await carla.keyboard.press("Enter")
    await expect(carla.locator(".option")).to_contain_text("spiel")
    await carla.locator(".option input").fill("17")
    await carla.keyboard.press("Enter")
    payload = await bot.event("INTERACTION_CREATE")
    assert payload["data"]["name"] == "play"
    assert payload["data"]["options"] == [{"name": "game", "value": "17", "type": 3}]
    await private(discord, CARLA)
    await carla.locator(".channel", has_text="Seventeen").click()
    await carla.locator("textarea").fill("/")
    await expect(offered).to_have_count(1)
    await expect(offered.first).to_contain_text("/help")
    await bot.ws.close()


@pytest.mark.parametrize("width", [380, 1100])
async def test_the_bots_direct_messages_are_listed_from_the_start_and_offer_its_commands(
    browser: Browser, discord: Discord, width: int
) -> None:
    """A person opens them; they need not wait until the bot writes first. There only context 1 counts."""
    await discord.register({"name": "help", "contexts": [0, 1]}, {"name": "table", "contexts": [0]})
    bot = await discord.connect(discord.bot)
    anna = await page_of(browser, discord, ANNA, width)
    bots = anna.locator(".channel", has_text="Seventeen")
    await expect(bots).to_have_count(1)
    if width == 380:
        await anna.locator(".menu").click()
    await bots.focus()
    await anna.keyboard.press("Enter")
    await expect(anna.locator(".top h2")).to_have_text("✉ Seventeen")
    await expect(bots).to_have_count(1)
    await expect(bots).to_have_attribute("aria-current", "true")
    await anna.locator("textarea").press("/")
    offered = anna.locator(".commands li")
    await expect(offered).to_have_count(1)
    await expect(offered.first).to_contain_text("/help")
    await anna.screenshot(path=PICTURES / f"bot-commands-{width}.png")
    await anna.keyboard.press("Enter")
    payload = await bot.event("INTERACTION_CREATE")
    assert (payload["context"], payload["authorizing_integration_owners"]) == (1, {"0": "0"})
    await discord.answer(payload, {"type": 4, "data": {"content": "This is what I can do.", "flags": EPHEMERAL}})
    await anna.get_by_text("This is what I can do.").wait_for()
    await anna.screenshot(path=PICTURES / f"bot-direct-{width}.png")
    await bot.ws.close()


@pytest.mark.parametrize("width", [380, 1100])
async def test_a_file_is_picked_for_a_command_and_sent_with_it(browser: Browser, discord: Discord, width: int) -> None:
    options = [
        {"type": 11, "name": "record", "description": "A file", "required": True},
        {"type": 3, "name": "code", "description": "d"},
    ]
    await discord.register({"name": "verify", "options": options})
    bot = await discord.connect(discord.bot)
    anna = await page_of(browser, discord, ANNA, width)
    await anna.locator("textarea").fill("/ver")
    await expect(anna.locator(".commands li")).to_have_count(1)
    await anna.keyboard.press("Enter")
    file = anna.locator(".option input[type=file]")
    await anna.get_by_role("button", name="Send").click()
    await expect(file).to_be_focused()  # it is required
    await file.set_input_files({"name": "my game.json", "mimeType": "application/json", "buffer": b'{"v":1}'})
    await anna.locator(".option input[name=code]").fill("abc")
    box = await file.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= width
    await anna.screenshot(path=PICTURES / f"file-{width}.png")
    await anna.get_by_role("button", name="Send").click()
    data = (await bot.event("INTERACTION_CREATE"))["data"]
    chosen, code = data["options"]
    assert (code["name"], code["value"]) == ("code", "abc")
    found = data["resolved"]["attachments"][chosen["value"]]
    assert found["filename"] == "my_game.json"
    async with discord.http.get(found["url"]) as response:
        assert await response.read() == b'{"v":1}'
    await bot.ws.close()


@pytest.mark.parametrize("width", [380, 1100])
async def test_the_page_shows_what_a_phone_would(browser: Browser, discord: Discord, width: int) -> None:
    """https://github.com/discord/discord-api-docs/issues/7854"""
    anna = await page_of(browser, discord, ANNA, width)
    path = await private(discord, ANNA)
    toast = anna.locator(".phone-toast")
    await discord.call("POST", path, discord.bot, {"content": "Anna, **it is your turn**"})
    await expect(toast).to_contain_text("Anna, **it is your turn**")
    await anna.screenshot(path=PICTURES / f"phone-toast-{width}.png")
    await discord.call("POST", path, discord.bot, {"flags": V2, "components": [text("a hand")]})
    await expect(toast).to_contain_text("(no words)")
    await expect(toast).not_to_contain_text("a hand")
    if width < 700:
        await anna.locator(".menu").click()
    await anna.locator(".phone summary").click()
    await expect(anna.locator(".phone li")).to_have_count(2)
    await expect(anna.locator(".phone li").last).to_contain_text("it is your turn")
    await anna.screenshot(path=PICTURES / f"phone-{width}.png")
    await anna.reload()
    await expect(anna.locator(".phone li")).to_have_count(2)
    assert not await toast.is_visible()


async def test_threads_archive_and_a_click_reopens_them(browser: Browser, discord: Discord) -> None:
    """Discord's clients reopen an archived thread first: https://github.com/discord/discord-api-docs/issues/8474"""
    anna = await page_of(browser, discord, ANNA)
    thread = discord.session["guilds"][0]["channels"][-1]["id"]
    body = {"content": "x", "components": [row(button("b", label="Press"))]}
    await discord.call("POST", f"/channels/{thread}/messages", discord.bot, body)
    bot = await discord.connect(discord.bot)
    await anna.locator(".channel", has_text="a thread").click()
    await discord.call("POST", f"/local/channels/{thread}", body={"archived": True})
    await expect(anna.locator(".top h2")).to_contain_text("archived")
    await anna.screenshot(path=PICTURES / "archived.png")
    await anna.locator("button", has_text="Press").click()
    assert (await bot.event("INTERACTION_CREATE"))["channel"]["thread_metadata"]["archived"] is False
    await expect(anna.locator(".top h2")).not_to_contain_text("archived")
    await discord.call("POST", f"/local/channels/{thread}", body={"archived": True})
    await anna.locator(".channel", has_text="lounge").click()
    await discord.call("POST", f"/local/channels/{thread}", body={"archived": True})
    await expect(anna.locator(".channel", has_text="a thread")).to_have_count(0)
    await discord.call("POST", f"/channels/{thread}/messages", discord.bot, {"content": "awake"})
    await expect(anna.locator(".channel.unread", has_text="a thread")).to_have_count(1)
    secret = {"name": "secrets", "type": 12}
    _, hidden = await discord.call("POST", f"/channels/{discord.channel}/threads", discord.bruno, secret)
    await discord.call("POST", f"/channels/{hidden['id']}/messages", discord.bruno, {"content": "psst"})
    await expect(anna.locator(".channel", has_text="secrets")).to_contain_text("🔒")
    await bot.ws.close()


async def test_what_is_written_before_the_page_is_connected_is_sent_then(browser: Browser, discord: Discord) -> None:
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    through: list[bool] = []

    def hold(page_side: WebSocketRoute) -> None:
        server = page_side.connect_to_server()
        server.on_message(lambda frame: page_side.send(frame) if through else held.append((page_side, frame)))

    page = await browser.new_page()
    await page.route_web_socket("**/gateway**", hold)
    await page.goto(f"http://127.0.0.1:{discord.server.port}/?user={discord.anna_id}")
    await page.locator("textarea").fill("early")
    await page.locator("textarea").press("Enter")
    await eventually(lambda: held, "the gateway to say hello")
    through.append(True)
    for page_side, frame in held:
        page_side.send(frame)
    await expect(page.locator(".message")).to_contain_text("early")


ATTACK = (Path(__file__).parent / "attack.js").read_text()


async def test_another_page_in_the_same_browser_gets_nothing(browser: Browser, discord: Discord) -> None:
    """As an attacker would try it, in a real browser."""
    app = web.Application()

    async def evil(request: web.Request) -> web.Response:
        return web.Response(text="<!doctype html><title>evil</title>", content_type="text/html")

    app.router.add_get("/", evil)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    page = await browser.new_page()
    # A page at the other name of this machine is of another site, at the same name only of another origin.
    for name in ("127.0.0.1", "localhost"):
        await page.goto(f"http://{name}:{runner.addresses[0][1]}/")
        here = f"http://127.0.0.1:{discord.server.port}"
        given = {"here": here, "gateway": discord.session["gateway"], "anna": discord.anna_id}
        found = await page.evaluate(ATTACK, given)
        assert {found[key] for key in ("session", "json", "socket", "script")} == {"refused"}
        for frame in page.frames[1:]:
            assert not await frame.locator("textarea").count(), "the page does not run in a frame of others"
        assert (await discord.call("GET", "/users/@me", discord.bot))[0] == 200, "no fault was set"
    await runner.cleanup()
