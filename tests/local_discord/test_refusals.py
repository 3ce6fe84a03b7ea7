"""What is refused in messages: Discord's limits on contents, embeds and components, and what is not here at all.

https://discord.com/developers/docs/resources/message and .../components/reference
"""

from typing import Any

import pytest

from tests.local_discord.client import V2, Discord, at, button, row, text
from tests.local_discord.test_uploads import PNG


def select(count: int = 3, **more: Any) -> dict[str, Any]:
    """A row with a select of so many options."""
    options = [{"label": "l", "value": str(number)} for number in range(count)]
    return row({"type": 3, "custom_id": "s", "options": options, **more})


def link(url: Any) -> dict[str, Any]:
    """A row with a link."""
    return row({"type": 2, "style": 5, "label": "l", "url": url})


def media(url: Any) -> dict[str, Any]:
    """A gallery with one picture."""
    return {"type": 12, "items": [{"media": {"url": url}}]}


FIRST = "components.0.components.0"
CHANNELS = {"type": 8, "custom_id": "s"}


@pytest.mark.parametrize(
    ("components", "where"),
    [
        ([row(button(label=None))], FIRST),
        ([row({"type": 5, "custom_id": "s"}, {"type": 6, "custom_id": "t"})], "components.0.components"),
        ([row({**CHANNELS, "channel_types": ["text"]})], f"{FIRST}.channel_types"),
        ([row({**CHANNELS, "default_values": [{"id": "1", "type": "role"}]})], f"{FIRST}.default_values.0.type"),
        ([row({**CHANNELS, "default_values": [{"id": "1", "type": "channel"}] * 2})], f"{FIRST}.default_values"),
        ([select(options=[{"label": "l", "value": it, "default": True} for it in "vw"])], f"{FIRST}.options"),
        ([row(button(emoji={"id": "1", "name": "x"}))], f"{FIRST}.emoji.id"),
        ([row(button(emoji={"name": "smile"}))], f"{FIRST}.emoji.name"),
        ([row(button(emoji={}))], f"{FIRST}.emoji.name"),
        ([row(button(emoji="x"))], f"{FIRST}.emoji"),
        ([row(button(emoji={"id": "²"}))], f"{FIRST}.emoji.id"),
        ([select(options=[{"label": "l", "value": "v", "emoji": {"id": "1"}}])], f"{FIRST}.options.0.emoji.id"),
        ([media("attachment://none.png")], "components.0.items.0.media.url"),
        ([{"type": 13, "file": {"url": "attachment://none.txt"}}], "components.0.file.url"),
        ([{"type": 13, "file": {"url": "https://example.org/x"}}], "components.0.file.url"),
        ([media("javascript:alert(1)")], "components.0.items.0.media.url"),
        ([media("no address")], "components.0.items.0.media.url"),
        ([link("javascript:alert(1)")], f"{FIRST}.url"),
        ([link("data:text/html,x")], f"{FIRST}.url"),
        ([link("http://[::1")], f"{FIRST}.url"),
        ([link("https://")], f"{FIRST}.url"),
        ([link(5)], f"{FIRST}.url"),
        ([row(button(url="https://example.org"))], FIRST),
        ([row({**button(), "style": 5, "url": "https://example.org"})], FIRST),
        ([row({"type": 2, "style": 6, "sku_id": "1"})], f"{FIRST}.style"),
        ([row(button(id=7), button("c", id=7))], "components.0.components.1.id"),
        ([{**text("x"), "id": -1}], "components.0.id"),
        ([row(button("a")), row(button("a"))], "components.1.components.0.custom_id"),
        ([row(button(disabled=1))], f"{FIRST}.disabled"),
        ([select(min_values=2)], f"{FIRST}.min_values"),
        ([select(min_values=3, max_values=2)], f"{FIRST}.min_values"),
        ([select(max_values=4)], f"{FIRST}.options"),
        ([select(max_values=0)], f"{FIRST}.max_values"),
        ([select(max_values=26)], f"{FIRST}.max_values"),
        ([select(min_values=-1)], f"{FIRST}.min_values"),
        ([select(options=[{"label": "l", "value": 5}])], f"{FIRST}.options.0.value"),
        ([select(options=[{"label": "l", "value": "v", "default": "yes"}])], f"{FIRST}.options.0.default"),
        ([select(options=[5])], f"{FIRST}.options.0"),
        ([row({"type": 7, "custom_id": "s"})], f"{FIRST}.type"),
        ([row({"type": 4, "custom_id": "t", "style": 1})], f"{FIRST}.type"),
        ([{"type": 18, "label": "l", "component": {}}], "components.0.type"),
        ([{"type": 14, "spacing": 3}], "components.0.spacing"),
        ([{"type": 14, "divider": "no"}], "components.0.divider"),
        ([{"type": 17, "components": [text("x")], "accent_color": 1 << 24}], "components.0.accent_color"),
        ([{"type": 9, "components": [text("x")]}], "components.0.accessory"),
        ([{"type": True}], "components.0.type"),
        ([{"type": [1]}], "components.0.type"),
        ([1], "components.0"),
        ({"type": 10}, "components"),
        ("x", "components"),
    ],
)
async def test_components_are_refused(discord: Discord, components: Any, where: str) -> None:
    """The component reference. Selects of users, roles, mentionables and channels need data about what was chosen, and
    premium buttons a shop; neither is here."""
    status, refused = await discord.sends({"flags": V2, "components": components})
    assert (status, refused.get("code")) == (400, 50035)
    assert at(refused, where), refused


EMBED = {"title": "t"}


@pytest.mark.parametrize(
    ("embeds", "where"),
    [
        ([{"title": "x" * 257}], "0.title"),
        ([{"title": 5}], "0.title"),
        ([{"description": "x" * 4097}], "0.description"),
        ([{}], "0.description"),
        ([{"color": 1}], "0.description"),
        ([{**EMBED, "color": 1 << 24}], "0.color"),
        ([{**EMBED, "color": "red"}], "0.color"),
        ([{**EMBED, "url": "javascript:x"}], "0.url"),
        ([{**EMBED, "timestamp": "now"}], "0.timestamp"),
        ([{**EMBED, "fields": [{"name": "n", "value": "v"}] * 26}], "0.fields"),
        ([{**EMBED, "fields": [{"name": "n" * 257, "value": "v"}]}], "0.fields.0.name"),
        ([{**EMBED, "fields": [{"name": "n"}]}], "0.fields.0.value"),
        ([{**EMBED, "fields": [{"name": "n", "value": "v" * 1025}]}], "0.fields.0.value"),
        ([{**EMBED, "fields": [{"name": "n", "value": "v", "inline": 1}]}], "0.fields.0.inline"),
        ([{**EMBED, "footer": {"text": "x" * 2049}}], "0.footer.text"),
        ([{**EMBED, "footer": "x"}], "0.footer"),
        ([{**EMBED, "author": {"name": "x" * 257}}], "0.author.name"),
        ([{**EMBED, "author": {"name": "x", "url": "ftp://x"}}], "0.author.url"),
        ([{**EMBED, "image": {"url": "ftp://x"}}], "0.image.url"),
        ([{**EMBED, "image": {"url": "attachment://none.png"}}], "0.image.url"),
        ([{**EMBED, "thumbnail": {}}], "0.thumbnail.url"),
        ([{"description": "x" * 3001}, {"description": "x" * 3000}], ""),
        ([EMBED] * 11, ""),
        ([5], "0"),
        ("x", ""),
    ],
)
async def test_embeds_are_refused(discord: Discord, embeds: Any, where: str) -> None:
    """Embed Limits, and the tables of an embed's parts."""
    status, refused = await discord.sends({"embeds": embeds})
    assert (status, refused.get("code")) == (400, 50035)
    assert at(refused, ".".join(part for part in ("embeds", where) if part)), refused


async def test_an_embed_comes_back_as_rich(discord: Discord) -> None:
    """Create Message: of an embed everything can be set but ``type``, ``provider``, ``video`` and sizes."""
    given = {**EMBED, "type": "video", "video": {"url": "https://x"}, "footer": {"text": "f"}, "color": None}
    _, message = await discord.sends({"embeds": [given]})
    assert message["embeds"] == [{"type": "rich", "title": "t", "footer": {"text": "f"}}]


async def test_null_is_as_good_as_nothing(discord: Discord) -> None:
    """The OpenAPI description: every one of these may be null."""
    fields = ("embeds", "allowed_mentions", "sticker_ids", "components", "flags", "attachments", "poll", "nonce", "tts")
    assert (await discord.sends({"content": "x", "message_reference": None, **dict.fromkeys(fields)}))[0] == 200


async def test_a_message_cannot_be_edited_to_nothing(discord: Discord) -> None:
    """50006: a message needs one of content, embeds, components, files ("Create Message"). Nothing has changed then."""
    _, sent = await discord.sends({"content": "x", "components": [row(button())]})
    path = f"/channels/{discord.channel}/messages/{sent['id']}"
    await discord.refused("PATCH", path, discord.bot, {"content": "", "components": []}, 50006)
    await discord.refused("PATCH", path, discord.bot, {"content": None, "components": None}, 50006)
    assert (await discord.call("GET", path, discord.bot))[1]["content"] == "x"
    assert (await discord.call("PATCH", path, discord.bot, {"content": None}))[0] == 200
    assert (await discord.call("PATCH", path, discord.bot, {"flags": None}))[0] == 200
    await discord.refused("POST", f"/channels/{discord.channel}/messages", discord.bot, {"content": " \n"}, 50006)
    _, sent = await discord.sends({"flags": V2, "components": [text("x")]})
    path = f"/channels/{discord.channel}/messages/{sent['id']}"
    await discord.refused("PATCH", path, discord.bot, {"components": []}, 50006)


async def test_a_message_becomes_v2_only_without_its_content(discord: Discord) -> None:
    """Edit Message, note on ``flags``: with IS_COMPONENTS_V2 content and embeds must be reset in the same request."""
    discord.server.limits.off = True
    for body, reset in (({"content": "x"}, {"content": None}), ({"embeds": [EMBED]}, {"embeds": []})):
        _, sent = await discord.sends(body)
        path = f"/channels/{discord.channel}/messages/{sent['id']}"
        edit = {"flags": V2, "components": [text("y")]}
        (field,) = body
        assert at(await discord.refused("PATCH", path, discord.bot, edit, 50035), field) == [
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
        ]
        status, edited = await discord.call("PATCH", path, discord.bot, {**edit, **reset})
        assert (status, edited["flags"], edited["content"], edited["embeds"]) == (200, V2, "", [])
        assert (await discord.call("PATCH", path, discord.bot, {"content": "back"}))[0] == 400


MESSAGES = "/channels/{channel}/messages"


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("POST", MESSAGES, {"sticker_ids": ["1"]}, 50035),
        ("POST", MESSAGES, {"content": "x", "flags": 1 << 13}, 50035),
        ("POST", MESSAGES, {"content": "x", "nonce": "x" * 26}, 50035),
        ("POST", MESSAGES, {"content": "x", "allowed_mentions": {"parse": ["people"]}}, 50035),
        ("POST", MESSAGES, {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}, 50035),
        ("GET", f"{MESSAGES}?before=1&after=2", None, 50035),
        ("GET", "/guilds/{guild}/members/5", None, 10007),
        ("POST", "/applications/{application}/emojis", {"name": "card", "image": "data:image/png;base64,ä"}, 50035),
        ("POST", "/local/channels", {"guild": "1", "name": "Lounge", "type": 2}, 10004),
        ("POST", "/local/channels/1", {"name": "x"}, 10003),
        ("POST", "/local/faults", {"wings": 2}, 50035),
        ("POST", "/local/faults", {"match": {"path": "*"}, "status": 99}, 50035),
        ("POST", "/local/faults", {"match": {"path": "*"}, "status": 503, "scope": 5}, 50035),
        ("POST", "/local/faults", {"match": {"path": "*"}, "status": 503, "wings": 2}, 50035),
        ("POST", "/local/faults", {"emojis": {"refuse_percent": 101}}, 50035),
        ("POST", "/local/faults", {"old_edits": 3}, 50035),
        ("POST", "/local/faults", {"gateway": "fire"}, 50035),
        ("POST", "/local/faults", {"gateway": "reconnect", "times": 2}, 50035),
    ],
)
async def test_what_is_not_here_or_cannot_be_is_refused(
    discord: Discord, method: str, path: str, body: Any, code: int
) -> None:
    """Stickers, voice messages and the like are refused instead of dropped; so are faults that are none."""
    names = {"channel": discord.channel, "guild": discord.guild, "application": discord.session["application_id"]}
    await discord.refused(method, path.format(**names), discord.bot, body, code)


async def test_what_people_send_has_no_components_and_threads_have_few_fields(discord: Discord) -> None:
    path = f"/channels/{discord.channel}"
    sent = {"components": [link("https://x.y")]}
    await discord.refused("POST", f"{path}/messages", discord.anna, sent, 50035)
    _, thread = await discord.call("POST", f"{path}/threads", discord.anna, {"name": "t", "type": 11})
    await discord.refused("PATCH", f"/channels/{thread['id']}", discord.anna, {"wings": 2}, 50035)
    assert (await discord.call("PATCH", f"/channels/{thread['id']}", discord.anna, {"name": "u"}))[0] == 200


async def test_pictures_of_other_places_and_a_number_as_nonce_are_taken(discord: Discord) -> None:
    embed = {"title": "t", "image": {"url": "https://x.y"}, "footer": {"text": "f", "icon_url": "https://x.y"}}
    status, sent = await discord.sends({"embeds": [embed], "nonce": 5})
    assert (status, sent["embeds"][0]["image"]["url"]) == (200, "https://x.y")
    assert (await discord.sends({"flags": V2, "components": [media("https://x.y")]}))[0] == 200


# Controls with an emoji of the application are refused now and then, though nothing is wrong with them.
#
# https://github.com/discord/discord-api-docs/issues/7128: of 100 identical requests 2 to 4 were answered with 400,
# error 50035, "Invalid emoji".


async def made(discord: Discord, name: str = "card") -> dict[str, Any]:
    """A new emoji of the application, as a control carries it."""
    path = f"/applications/{discord.session['application_id']}/emojis"
    body = {"name": name, "image": f"data:image/png;base64,{PNG}"}
    status, emoji = await discord.call("POST", path, discord.bot, body)
    assert status == 201
    return {"id": emoji["id"], "name": emoji["name"]}


def said(answer: dict[str, Any], *path: str) -> dict[str, Any]:
    """What the error *answer* says at *path*."""
    found: dict[str, Any] = answer["errors"]
    for key in path:
        found = found[key]
    first: dict[str, Any] = found["_errors"][0]
    return first


async def test_a_refusal_names_the_emoji_and_changes_nothing(discord: Discord) -> None:
    """The code says BUTTON also for selects: https://github.com/discord/discord-api-docs/issues/8071"""
    emoji = await made(discord)
    path = f"/channels/{discord.channel}/messages"
    await discord.call("POST", "/local/faults", body={"emojis": {"refuse_percent": 100}})
    on_button = {"flags": V2, "components": [text("hand"), {"type": 17, "components": [row(button(emoji=emoji))]}]}
    answer = await discord.refused("POST", path, discord.bot, on_button, 50035)
    told = said(answer, "components", "1", "components", "0", "components", "0", "emoji", "id")
    assert told == {"code": "BUTTON_COMPONENT_INVALID_EMOJI", "message": "Invalid emoji"}
    options = [{"label": "a", "value": "a"}, {"label": "b", "value": "b", "emoji": emoji}]
    select = {"type": 3, "custom_id": "s", "options": options}
    answer = await discord.refused("POST", path, discord.bot, {"components": [row(select)]}, 50035)
    told = said(answer, "components", "0", "components", "0", "options", "1", "emoji", "id")
    assert told["code"] == "BUTTON_COMPONENT_INVALID_EMOJI"
    section = {"type": 9, "components": [text("x")], "accessory": button(emoji=emoji)}
    answer = await discord.refused("POST", path, discord.bot, {"flags": V2, "components": [section]}, 50035)
    assert said(answer, "components", "0", "accessory", "emoji", "id")["message"] == "Invalid emoji"
    assert (await discord.call("GET", path, discord.bot))[1] == []


async def test_text_and_unicode_are_never_refused(discord: Discord) -> None:
    emoji = await made(discord)
    path = f"/channels/{discord.channel}/messages"
    await discord.call("POST", "/local/faults", body={"emojis": {"refuse_percent": 100}})
    fine = {"flags": V2, "components": [text(f"<:card:{emoji['id']}>"), row(button(emoji={"name": "🃏"}))]}
    assert (await discord.call("POST", path, discord.bot, fine))[0] == 200


async def test_an_answer_to_a_click_is_refused_like_a_message_and_can_be_sent_again(discord: Discord) -> None:
    emoji = await made(discord)
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    payload = await bot.event("INTERACTION_CREATE")
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    await discord.call("POST", "/local/faults", body={"emojis": {"refuse_percent": 100}})
    answer = {"type": 4, "data": {"components": [row(button(emoji=emoji))]}}
    await discord.refused("POST", callback, "", answer, 50035)
    await discord.call("DELETE", "/local/faults")
    assert (await discord.call("POST", callback, body=answer))[0] == 204


async def test_a_deleted_or_unknown_emoji_is_always_refused_in_a_control(discord: Discord) -> None:
    """A control may carry emojis of the application alone: https://discord.com/developers/docs/resources/emoji"""
    emoji = await made(discord)
    path = f"/channels/{discord.channel}/messages"
    body = {"components": [row(button(emoji=emoji))]}
    _, sent = await discord.call("POST", path, discord.bot, body)
    emojis = f"/applications/{discord.session['application_id']}/emojis"
    assert (await discord.call("DELETE", f"{emojis}/{emoji['id']}", discord.bot))[0] == 204
    for unknown in (emoji, {"id": "1", "name": "card"}):
        again = {"components": [row(button(emoji=unknown))]}
        await discord.refused("PATCH", f"{path}/{sent['id']}", discord.bot, again, 50035)
    worded = {"content": f"<:card:{emoji['id']}>", "components": []}
    assert (await discord.call("PATCH", f"{path}/{sent['id']}", discord.bot, worded))[0] == 200
