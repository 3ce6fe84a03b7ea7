"""Whatever stands in a request: the answer is Discord's, an error with a code, and never a bare 500.

https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

import copy
import io
import json
import math
from collections.abc import Iterator
from typing import Any

import pytest

from tests.local_discord.client import V2, Discord, button, row, text
from tests.local_discord.test_pictures import PNG

DEEP = json.loads("[" * 300 + "]" * 300)
NUMBERS = [-1, 1.5, 10**30, 10**400, math.inf]
ODD: list[Any] = [DEEP, None, True, *NUMBERS, "", "²", "\ud800", "x" * 5000, [], [None], [[]], {}, {"id": []}]
EMBED = {
    "title": "t",
    "timestamp": "2026-01-01T00:00:00Z",
    "fields": [{"name": "n", "value": "v", "inline": True}],
    "footer": {"text": "f", "icon_url": "https://x.y"},
    "author": {"name": "a"},
    "image": {"url": "https://x.y"},
}
MENU = {
    "type": 3,
    "custom_id": "s",
    "max_values": 1,
    "options": [{"label": "l", "value": "v", "emoji": {"name": "✅"}}],
}
MESSAGE = {
    "content": "x",
    "embeds": [EMBED],
    "components": [row(MENU), row(button(emoji={"name": "✅"}))],
    "flags": 0,
    "nonce": "n",
    "enforce_nonce": False,
    "allowed_mentions": {"parse": [], "users": ["1"], "roles": [], "replied_user": False},
    "attachments": [],
    "message_reference": None,
}
GALLERY = {"type": 12, "items": [{"media": {"url": "https://x.y"}, "description": "d", "spoiler": False}]}
LAYOUT = {
    "flags": V2,
    "components": [
        {
            "type": 17,
            "accent_color": 5,
            "components": [
                {"type": 9, "components": [text("x")], "accessory": button("a")},
                {"type": 14, "divider": True, "spacing": 1},
                GALLERY,
            ],
        }
    ],
}
CHOICES = [{"label": "l", "value": "v", "description": "d", "default": True}, {"label": "m", "value": "w"}]
MODAL = {
    "custom_id": "m",
    "title": "T",
    "components": [
        {"type": 18, "label": "l", "component": MENU | {"required": True}},
        {"type": 18, "label": "l", "component": {"type": 22, "custom_id": "g", "min_values": 1, "options": CHOICES}},
        {"type": 18, "label": "l", "component": {"type": 21, "custom_id": "r", "options": CHOICES}},
        {"type": 18, "label": "l", "component": {"type": 23, "custom_id": "c", "default": True}},
        {"type": 18, "label": "l", "component": {"type": 4, "custom_id": "t", "style": 1, "max_length": 5}},
    ],
}
COMMAND = {
    "name": "ping",
    "description": "d",
    "name_localizations": {"de": "ping"},
    "contexts": [0],
    "default_member_permissions": "32",
    "options": [
        {"type": 3, "name": "o", "description": "d", "choices": [{"name": "c", "value": "v"}], "required": False},
        {"type": 10, "name": "n", "description": "d", "min_value": 0.5, "max_value": 9},
        {"type": 4, "name": "i", "description": "d", "choices": [{"name": "c", "value": 1}]},
    ],
}


def changed(body: Any) -> Iterator[Any]:
    """*body* with each of its values in turn replaced by each odd one, and the odd ones themselves."""
    yield from ODD
    paths = list(_paths(body, ()))
    for path in paths:
        for value in ODD:
            copied = copy.deepcopy(body)
            inner = copied
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = value
            yield copied


def _paths(body: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    items = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from _paths(value, (*path, key))


async def throw(discord: Discord, method: str, path: str, token: str, body: Any) -> None:
    """Send *body* in every odd variant; each is taken, or refused with a code."""
    discord.server.limits.off = True
    for variant in changed(body):
        status, answer = await discord.call(method, path, token, variant)
        assert status < 500, (variant, answer)
        assert status < 400 or isinstance(answer["code"], int), (variant, answer)


@pytest.mark.parametrize("body", [MESSAGE, LAYOUT], ids=["message", "layout"])
async def test_odd_messages_and_edits(discord: Discord, body: Any) -> None:
    path = f"/channels/{discord.channel}/messages"
    await throw(discord, "POST", path, discord.bot, body)
    await throw(discord, "POST", path, discord.anna, body)
    status, sent = await discord.call("POST", path, discord.bot, body)
    assert status == 200, sent
    await throw(discord, "PATCH", f"{path}/{sent['id']}", discord.bot, body)


@pytest.mark.parametrize("data", [MESSAGE, LAYOUT, MODAL], ids=["message", "layout", "modal"])
async def test_odd_answers(discord: Discord, data: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("local_discord.interactions.DEADLINE_SECONDS", 60.0)
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    discord.server.limits.off = True
    kind = 9 if data is MODAL else 4
    payload = await discord.pinged(bot, discord.anna)
    for variant in changed({"type": kind, "data": data}):
        status, answer = await discord.answer(payload, variant)
        assert status < 500, (variant, answer)
        if status == 204:  # taken: the next one needs an interaction without an answer
            payload = await discord.pinged(bot, discord.anna)
    await discord.answer(payload, {"type": 4, "data": {"content": "x"}})
    if kind == 4:
        await throw(discord, "POST", discord.webhook(payload), "", data)
        await throw(discord, "PATCH", discord.webhook(payload, "@original"), "", data)


async def test_odd_commands_and_their_use(discord: Discord) -> None:
    path = f"/applications/{discord.session['application_id']}/commands"
    await throw(discord, "PUT", path, discord.bot, [COMMAND])
    options = [{"type": 3, "name": "o", "value": "v"}, {"type": 10, "name": "n", "value": 1.5}]
    use = {"type": 2, "channel_id": discord.channel, "data": {"name": "ping", "options": options}, "nonce": "n"}
    assert (await discord.register(COMMAND))[0] == 200
    await throw(discord, "POST", "/interactions", discord.anna, {**use, "session_id": "s", "guild_id": discord.guild})


async def test_odd_clicks_and_modals(discord: Discord) -> None:
    await discord.ping_command()
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    _, sent = await discord.sends({"components": [row(MENU)]})
    data = {"component_type": 3, "custom_id": "s", "values": ["v"]}
    click = {"type": 3, "channel_id": discord.channel, "message_id": sent["id"], "data": data}
    await throw(discord, "POST", "/interactions", discord.anna, click)
    bot.events.clear()
    await discord.answer(await discord.pinged(bot, discord.anna), {"type": 9, "data": MODAL})
    shown = await anna.event("INTERACTION_MODAL_CREATE")
    given = [
        {"type": 3, "custom_id": "s", "values": ["v"]},
        {"type": 22, "custom_id": "g", "values": ["v", "w"]},
        {"type": 21, "custom_id": "r", "value": "v"},
        {"type": 23, "custom_id": "c", "value": True},
        {"type": 4, "custom_id": "t", "value": "too long: so the modal stays open"},
    ]
    components = [{"type": 18, "component": it} for it in given]
    submit = {"id": shown["id"], "custom_id": "m", "components": components}
    body = {"type": 5, "channel_id": discord.channel, "data": submit}
    await throw(discord, "POST", "/interactions", discord.anna, body)


async def test_odd_bodies_of_other_routes(discord: Discord) -> None:
    emojis = f"/applications/{discord.session['application_id']}/emojis"
    image = f"data:image/png;base64,{PNG}"
    _, made = await discord.call("POST", emojis, discord.bot, {"name": "card", "image": image})
    await throw(discord, "POST", emojis, discord.bot, {"name": "other", "image": image})
    await throw(discord, "PATCH", f"{emojis}/{made['id']}", discord.bot, {"name": "again"})
    await throw(discord, "POST", "/users/@me/channels", discord.bot, {"recipient_id": discord.anna_id})
    start = {"name": "t", "type": 11, "auto_archive_duration": 60}
    threads = f"/channels/{discord.channel}/threads"
    await throw(discord, "POST", threads, discord.anna, start)
    _, thread = await discord.call("POST", threads, discord.anna, start)
    await throw(discord, "PATCH", f"/channels/{thread['id']}", discord.anna, {"archived": False, "name": "u"})
    for path, body in (
        (f"/local/users/{discord.bruno_id}", {"name": "B", "permissions": ["manage_guild"]}),
        (f"/local/channels/{discord.channel}", {"bot_permissions": ["view_channel"]}),
        (f"/local/channels/{thread['id']}", {"archive_seconds": 5, "archived": False}),
        (f"/local/guilds/{discord.guild}", {"locale": "de", "features": ["COMMUNITY"], "unavailable": False}),
        ("/local/application", {"intents": ["message_content"]}),
    ):
        await throw(discord, "POST", path, "", body)


async def test_odd_faults_and_ages(discord: Discord) -> None:
    """Requests afterwards are served too."""
    _, sent = await discord.sends({"content": "x"})
    message = f"/channels/{discord.channel}/messages/{sent['id']}"
    limit = {"limit": 3, "seconds": 6}
    for path, body in (
        (f"/local/messages/{sent['id']}", {"age_seconds": 5}),
        ("/local/faults", {"emojis": {"refuse_percent": 4, "seed": 7}, "gateway": "reconnect"}),
        ("/local/faults", {"old_edits": {**limit, "age_seconds": 0}, "dm_openings": limit}),
        ("/local/faults", {"match": {"method": "GET", "path": "/x"}, "status": 429, "times": 1, "retry_after": 1}),
    ):
        for variant in changed(body):
            await discord.call("DELETE", "/local/faults")
            discord.unhurried()
            status, answer = await discord.call("POST", path, body=variant)
            assert status < 500, (path, variant)
            assert status < 400 or isinstance(answer["code"], int), (path, variant)
            for _ in range(2):
                assert (await discord.call("PATCH", message, discord.bot, {"content": "y"}))[0] != 500, (path, variant)
            opened = await discord.call("POST", "/users/@me/channels", discord.bot, {"recipient_id": discord.anna_id})
            assert opened[0] != 500, (path, variant)


@pytest.mark.parametrize("number", ["²", "x", "-1", "1.5", "9" * 30, "9" * 5000, "%20", "1%0a"])
async def test_odd_numbers_in_paths(discord: Discord, number: str) -> None:
    application = discord.session["application_id"]
    for path in (
        f"/channels/{number}",
        f"/channels/{number}/messages",
        f"/channels/{discord.channel}/messages/{number}",
        f"/channels/{number}/application-commands/search",
        f"/guilds/{number}/channels",
        f"/users/{number}",
        f"/applications/{number}/emojis",
        f"/applications/{application}/emojis/{number}",
        f"/webhooks/{number}/t/messages/@original",
        f"/webhooks/{application}/t/messages/{number}",
        f"/local/requests?after={number}",
    ):
        status, answer = await discord.call("GET", path, discord.bot)
        assert status in (400, 403, 404), (path, answer)
        assert isinstance(answer["code"], int)
    for path in (f"/local/users/{number}", f"/local/channels/{number}", f"/local/guilds/{number}"):
        assert (await discord.call("POST", path, body={}))[0] == 404
    for path in (f"/emojis/{number}.png", f"/attachments/1/{number}/a.png", f"/attachments/{number}/1/a.png"):
        assert (await discord.picture(path))[0] == 404


@pytest.mark.parametrize("raw", [b"{", b"[" * 100_000, b"\xff", b'{"content": NaN}', b"1" * 5000, b"null"])
async def test_bodies_that_are_no_json(discord: Discord, raw: bytes) -> None:
    """50109, and 50035 for JSON that is no object."""
    url = f"{discord.session['api']}/channels/{discord.channel}/messages"
    headers = {"Authorization": discord.bot, "Content-Type": "application/json"}
    async with discord.http.post(url, data=raw, headers=headers) as response:
        code = 50035 if raw == b"null" else 50109
        assert (response.status, (await response.json())["code"]) == (400, code)


async def test_a_body_that_is_too_large(discord: Discord) -> None:
    """40005 Request entity too large. Create Message: the maximum request size is 25 MiB."""
    url = f"{discord.session['api']}/channels/{discord.channel}/messages"
    headers = {"Authorization": discord.bot, "Content-Type": "application/json"}
    body = io.BytesIO(b" " * (26 * 1024 * 1024))
    async with discord.http.post(url, data=body, headers=headers) as response:
        assert (response.status, (await response.json())["code"]) == (413, 40005)
