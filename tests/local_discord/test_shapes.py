"""What this server answers, by Discord's own OpenAPI description, where that is at hand."""

from typing import Any

import pytest

from tests import openapi
from tests.local_discord.client import EPHEMERAL, V2, Discord, button, row, text
from tests.local_discord.test_uploads import PICTURE, PNG

pytestmark = pytest.mark.skipif(not openapi.available(), reason="Discord's description is not at hand")


def right(schema: str, answer: Any) -> None:
    """Check *answer* against the schema of that name."""
    assert not openapi.misshapen(schema, answer), openapi.misshapen(schema, answer)


async def test_messages(discord: Discord) -> None:
    embed = {"title": "t", "image": {"url": "attachment://a.png"}, "footer": {"text": "f"}}
    payload = {"content": "x", "embeds": [embed], "components": [row(button())], "nonce": "n"}
    path = f"/channels/{discord.channel}/messages"
    _, message = await discord.upload("POST", path, payload, "a.png", PICTURE)
    right("MessageResponse", message)
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}
    menu = {"type": 3, "custom_id": "s", "options": [{"label": "l", "value": "v"}]}
    inside = [gallery, {"type": 14}, {"type": 9, "components": [text("x")], "accessory": button("a")}]
    components = [text("x"), row(menu), {"type": 17, "components": inside}, row(button("b"))]
    payload = {"flags": V2, "components": components}
    _, message = await discord.upload("POST", path, payload, "a.png", PICTURE)
    right("MessageResponse", message)
    for one in (await discord.call("GET", path, discord.anna))[1]:
        right("MessageResponse", one)


async def test_answers(discord: Discord) -> None:
    modal = {
        "custom_id": "m",
        "title": "T",
        "components": [row({"type": 4, "custom_id": "t", "style": 1, "label": "L"})],
    }
    await discord.ping_command()
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    payload = await discord.pinged(bot, discord.anna)
    reply = {"type": 4, "data": {"content": "x", "components": [row(button())], "flags": EPHEMERAL}}
    right("InteractionCallbackResponse", (await discord.answer(payload, reply, "?with_response=true"))[1])
    _, message = await discord.call("GET", discord.webhook(payload, "@original"))
    right("MessageResponse", message)
    right("MessageResponse", (await discord.call("POST", discord.webhook(payload), body={"content": "y"}))[1])
    data = {"component_type": 2, "custom_id": "b"}
    for answer in ({"type": 7, "data": {"content": "z"}}, {"type": 6}, {"type": 5}, {"type": 9, "data": modal}):
        click = await discord.used(bot, discord.anna, {"type": 3, "message_id": message["id"], "data": data})
        right("MessageResponse", click["message"])
        right("InteractionCallbackResponse", (await discord.answer(click, answer, "?with_response=true"))[1])
    shown = await anna.event("INTERACTION_MODAL_CREATE")
    given = [{"type": 1, "components": [{"type": 4, "custom_id": "t", "value": "v"}]}]
    submit = {"type": 5, "data": {"id": shown["id"], "custom_id": "m", "components": given}}
    submitted = await discord.used(bot, discord.anna, submit)
    await discord.answer(submitted, {"type": 4, "data": {"content": "x"}})
    right("MessageResponse", (await discord.call("GET", discord.webhook(submitted, "@original")))[1])


async def test_commands(discord: Discord) -> None:
    option = {"type": 3, "name": "o", "description": "d", "choices": [{"name": "c", "value": "v"}]}
    sub = {"type": 1, "name": "s", "description": "d", "options": [option]}
    given = {
        "contexts": [0, 1, 2],
        "integration_types": [0, 1],
        "default_member_permissions": "32",
        "name_localizations": {"de": "x"},
    }
    _, commands = await discord.register({"name": "a", "options": [option], **given}, {"name": "b", "options": [sub]})
    for command in commands:
        right("ApplicationCommandResponse", command)


async def test_people_channels_and_emojis(discord: Discord) -> None:
    private = await discord.dm(discord.anna)
    for schema, path in (
        ("GuildChannelResponse", f"/channels/{discord.channel}"),
        ("PrivateChannelResponse", f"/channels/{private}"),
        ("UserResponse", f"/users/{discord.anna_id}"),
        ("UserPIIResponse", "/users/@me"),
        ("PrivateApplicationResponse", "/oauth2/applications/@me"),
        ("PrivateApplicationResponse", "/applications/@me"),
        ("GatewayBotResponse", "/gateway/bot"),
    ):
        right(schema, (await discord.call("GET", path, discord.bot))[1])
    body = {"type": 3, "recipients": [discord.anna_id, discord.bruno_id]}
    _, group = await discord.call("POST", "/local/channels", body=body)
    right("PrivateGroupChannelResponse", (await discord.call("GET", f"/channels/{group['id']}", discord.anna))[1])
    image = {"name": "card", "image": f"data:image/png;base64,{PNG}"}
    path = f"/applications/{discord.session['application_id']}/emojis"
    right("EmojiResponse", (await discord.call("POST", path, discord.bot, image))[1])


async def test_a_guild(discord: Discord) -> None:
    for kind in (2, 13):
        await discord.call("POST", "/local/channels", body={"guild": discord.guild, "name": "Lounge", "type": kind})
    bot = await discord.connect(discord.bot)
    guild = await bot.event("GUILD_CREATE")
    for role in guild["roles"]:
        right("GuildRoleResponse", role)
    for member in guild["members"]:
        right("GuildMemberResponse", member)
    for channel in guild["channels"]:
        right("GuildChannelResponse", channel)
    for thread in guild["threads"]:
        right("ThreadResponse", thread)
    assert (guild["soundboard_sounds"], guild["incidents_data"]) == ([], None)
