"""The application's own emojis, and files that come with messages."""

import base64
from typing import Any

from tests.local_discord.client import V2, Discord, text

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
"""One pixel."""


async def test_the_applications_own_emojis(discord: Discord) -> None:
    path = "/applications/" + discord.session["application_id"] + "/emojis"
    image = f"data:image/png;base64,{PNG}"
    status, made = await discord.call("POST", path, discord.bot, {"name": "card_1", "image": image})
    assert (status, made["name"], made["animated"]) == (201, "card_1", False)
    assert (await discord.call("GET", path, discord.bot))[1]["items"] == [made]
    assert (await discord.call("GET", f"{path}/{made['id']}", discord.bot))[1] == made
    for wrong in ({"name": "x", "image": image}, {"name": "card_1", "image": image}, {"name": "ok", "image": "data:,"}):
        status, refused = await discord.call("POST", path, discord.bot, wrong)
        assert (status, refused["code"]) == (400, 50035)
    status, renamed = await discord.call("PATCH", f"{path}/{made['id']}", discord.bot, {"name": "other"})
    assert renamed["name"] == "other"
    assert (await discord.picture(f"/emojis/{made['id']}.png"))[0] == 200
    assert (await discord.call("DELETE", f"{path}/{made['id']}", discord.bot))[0] == 204
    assert (await discord.call("GET", f"{path}/{made['id']}", discord.bot))[1]["code"] == 10014
    assert (await discord.picture(f"/emojis/{made['id']}.png"))[0] == 404


async def test_attachments_are_shown_by_galleries_and_go_when_they_are_not_named(discord: Discord) -> None:
    def shows(url: str) -> dict[str, Any]:
        return {"type": 12, "items": [{"media": {"url": url}, "description": "a picture"}]}

    path = f"/channels/{discord.channel}/messages"
    payload = {
        "flags": V2,
        "components": [shows("attachment://a.png")],
        "attachments": [{"id": "0", "filename": "a.png", "description": "a picture"}],
    }
    status, message = await discord.upload("POST", path, payload, "a.png", base64.b64decode(PNG))
    assert status == 200, message
    (attachment,) = message["attachments"]
    assert (attachment["filename"], attachment["description"]) == ("a.png", "a picture")
    url = message["components"][0]["items"][0]["media"]["url"]
    assert url == attachment["url"]
    status, data = await discord.picture(url.removeprefix(discord.session["api"].removesuffix("/api/v10")))
    assert (status, data) == (200, base64.b64decode(PNG))
    status, refused = await discord.call(
        "POST", path, discord.bot, {"flags": V2, "components": [shows("attachment://b.png")]}
    )
    assert (status, refused["code"]) == (400, 50035)
    edit = {"components": [text("done")], "attachments": []}
    status, message = await discord.call("PATCH", f"{path}/{message['id']}", discord.bot, edit)
    assert message["attachments"] == []
