"""Controls with an emoji of the application are refused now and then, though nothing is wrong with them.

https://github.com/discord/discord-api-docs/issues/7128: of 100 identical requests 2 to 4 were answered with 400, error
50035, "Invalid emoji".
"""

from typing import Any

from tests.local_discord.client import V2, Discord, button, row, text
from tests.local_discord.test_pictures import PNG


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
