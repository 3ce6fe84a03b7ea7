"""Files that come with requests: in which forms, under which names, and what is refused.

https://discord.com/developers/docs/reference#uploading-files
"""

import base64
import json
from typing import Any

import aiohttp
import pytest

from tests.local_discord.client import V2, Discord, at, text

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
"""One pixel."""
PICTURE = base64.b64decode(PNG)
GIF = b"GIF89a\x02\x00\x03\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00"
GIF += b"\x02\x00\x03\x00\x00\x02\x02D\x01\x00;"


def form(payload: Any = None, *files: tuple[str, str, bytes], kind: str | None = None) -> aiohttp.FormData:
    """A form with *payload* (its part has the content type *kind*) and *files*: (field, name, data)."""
    made = aiohttp.FormData(quote_fields=False, default_to_multipart=True)
    if payload is not None:
        made.add_field("payload_json", json.dumps(payload), content_type=kind)
    for field, name, data in files:
        made.add_field(field, data, filename=name, content_type="image/png")
    return made


async def sends(discord: Discord, body: aiohttp.FormData) -> tuple[int, Any]:
    """The status and the answer when the bot sends a message as a form."""
    return await discord.form("POST", f"/channels/{discord.channel}/messages", body)


async def test_a_form_without_payload_json(discord: Discord) -> None:
    """The first example: "the endpoint without ``payload_json``"."""
    body = aiohttp.FormData({"content": "Hello, World!", "tts": "false"}, quote_fields=False)
    body.add_field("files[0]", PICTURE, filename="a.png", content_type="image/png")
    status, message = await sends(discord, body)
    assert (status, message["content"]) == (200, "Hello, World!")


async def test_a_form_that_is_none_is_refused(discord: Discord) -> None:
    """50109 for a payload that is no JSON, 50035 for a body of another type or a broken form."""
    body = form(None, ("files[0]", "a.png", PICTURE))
    body.add_field("payload_json", "{")
    assert (await sends(discord, body))[1]["code"] == 50109
    url = f"{discord.session['api']}/channels/{discord.channel}/messages"
    for kind, code in (
        ("text/plain", 50035),
        ("multipart/form-data", 50035),
        ("multipart/form-data; boundary=b", 50035),
    ):
        headers = {"Authorization": discord.bot, "Content-Type": kind}
        async with discord.http.post(url, data=b"--x\r\nnonsense", headers=headers) as response:
            assert (response.status, (await response.json())["code"]) == (400, code)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("hello (world).png", "hello_world.png"),
        ("_bug1.png", "bug1.png"),
        ("../../etc/passwd.png", "etc_passwd.png"),
        ("ärger?.png", "arger.png"),
        ("a b\tc.png", "a_b_c.png"),
        ("<b>.png", "b.png"),
        ("画像.png", "unknown.png"),
        ("画像", "unknown"),
    ],
)
async def test_names_of_files_are_made_safe(discord: Discord, given: str, name: str) -> None:
    """Attachment Structure: a name with special characters is changed and stays as ``title``. ``attachment://`` is
    changed in the same way (discord-api-docs#7754)."""
    gallery = {"type": 12, "items": [{"media": {"url": f"attachment://{given}"}}]}
    payload = {"flags": V2, "components": [gallery], "attachments": [{"id": "0", "filename": given}]}
    status, message = await sends(discord, form(payload, ("files[0]", "x.png", PICTURE)))
    assert status == 200, message
    (attachment,) = message["attachments"]
    assert (attachment["filename"], attachment["url"].rsplit("/", 1)[1]) == (name, name)
    assert attachment["title"] == given.rpartition(".")[0] or "." not in given
    assert message["components"][0]["items"][0]["media"]["url"] == attachment["url"]


async def test_embeds_and_file_components_show_attachments(discord: Discord) -> None:
    """Using Attachments within Embeds; the File component "only supports using the ``attachment://`` protocol"."""
    embed = {"title": "t", "image": {"url": "attachment://a.png"}}
    _, message = await sends(discord, form({"embeds": [embed]}, ("files[0]", "a.png", PICTURE)))
    assert message["embeds"][0]["image"]["url"] == message["attachments"][0]["url"]
    shown = {"type": 13, "file": {"url": "attachment://a.txt"}}
    _, message = await sends(discord, form({"flags": V2, "components": [shown]}, ("files[0]", "a.txt", b"abc")))
    assert message["components"][0]["file"]["url"] == message["attachments"][0]["url"]
    assert (message["components"][0]["name"], message["components"][0]["size"]) == ("a.txt", 3)


async def test_an_edit_names_what_stays_and_what_is_new(discord: Discord) -> None:
    """Editing Message Attachments: with API v10 the array holds all that should be there afterwards, retained and new;
    without it, new files replace the old ones (discord-api-docs#5170)."""
    discord.server.limits.off = True
    files = (("files[0]", "a.png", PICTURE), ("files[1]", "b.png", PICTURE))
    _, sent = await sends(discord, form({"content": "x"}, *files))
    path = f"/channels/{discord.channel}/messages/{sent['id']}"
    first, second = (attachment["id"] for attachment in sent["attachments"])

    async def edited(payload: Any, *files: tuple[str, str, bytes]) -> list[str]:
        status, message = await discord.form("PATCH", path, form(payload, *files))
        assert status == 200, message
        return [attachment["filename"] for attachment in message["attachments"]]

    new = ("files[0]", "c.png", PICTURE)
    assert await edited({"content": "y"}) == ["a.png", "b.png"]
    kept = [{"id": second, "description": "d"}, {"id": "0"}]
    assert await edited({"attachments": kept}, new) == ["b.png", "c.png"]
    assert await edited({"attachments": [{"id": second}]}, new) == ["b.png"]
    assert await edited({"content": "z"}, new) == ["c.png"]
    refused = await discord.refused("PATCH", path, discord.bot, {"attachments": [{"id": first}]}, 50035)
    assert at(refused, "attachments.0") == ["ATTACHMENT_NOT_FOUND"]
    v2 = {"flags": V2, "content": None, "components": [text("v2")]}
    status, message = await discord.call("PATCH", path, discord.bot, v2)
    assert (status, len(message["attachments"])) == (200, 1)


@pytest.mark.parametrize(
    ("kind", "data", "right"),
    [
        ("image/png", PICTURE, True),
        ("image/jpg", PICTURE, True),
        ("image/gif", GIF, True),
        ("image/png", b"no picture", False),
        ("image/png", PICTURE[:20], False),
        ("image/svg+xml", b"<svg/>", False),
        ("text/plain", PICTURE, False),
    ],
)
async def test_an_emoji_is_a_picture(discord: Discord, kind: str, data: bytes, right: bool) -> None:
    """Image Data: a data URI of a JPG, GIF or PNG (clients write ``image/jpg`` too); what counts are the bytes."""
    path = f"/applications/{discord.session['application_id']}/emojis"
    image = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    status, made = await discord.call("POST", path, discord.bot, {"name": "card", "image": image})
    assert (status == 201) is right, made
    if not right:
        assert at(made, "image")


# The application's own emojis, and files that come with messages.


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
    status, message = await discord.upload("POST", path, payload, "a.png", PICTURE)
    assert status == 200, message
    (attachment,) = message["attachments"]
    assert (attachment["filename"], attachment["description"]) == ("a.png", "a picture")
    url = message["components"][0]["items"][0]["media"]["url"]
    assert url == attachment["url"]
    status, data = await discord.picture(url.removeprefix(discord.session["api"].removesuffix("/api/v10")))
    assert (status, data) == (200, PICTURE)
    status, refused = await discord.call(
        "POST", path, discord.bot, {"flags": V2, "components": [shows("attachment://b.png")]}
    )
    assert (status, refused["code"]) == (400, 50035)
    edit = {"components": [text("done")], "attachments": []}
    status, message = await discord.call("PATCH", f"{path}/{message['id']}", discord.bot, edit)
    assert message["attachments"] == []
