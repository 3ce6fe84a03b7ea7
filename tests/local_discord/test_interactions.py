"""Commands, clicks and modals: what reaches the bot, and who sees its answer."""

from typing import Any

import pytest

from tests.local_discord.client import EPHEMERAL, V2, Discord, button, row, text


async def test_an_interaction_goes_to_the_bot_and_its_answer_to_the_person(discord: Discord) -> None:
    await discord.ping_command()
    bot, anna, bruno = [await discord.connect(t) for t in (discord.bot, discord.anna, discord.bruno)]
    for socket in (bot, anna, bruno):
        await socket.event("READY")
    assert await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}}) == 204
    payload = await bot.event("INTERACTION_CREATE")
    assert (payload["locale"], payload["guild_locale"], payload["context"]) == ("en-US", "en-US", 0)
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    secret = {"type": 4, "data": {"flags": EPHEMERAL, "content": "only you"}}
    assert (await discord.call("POST", callback, body=secret))[0] == 204
    assert (await anna.event("INTERACTION_SUCCESS"))["nonce"] == "n"
    message = await anna.event("MESSAGE_CREATE")
    await discord.refused("POST", callback, "", secret, 40060)
    # Editable through the token alone, gone from the history, and never seen by anybody else.
    original = f"/webhooks/{discord.session['application_id']}/{payload['token']}/messages/@original"
    assert (await discord.call("PATCH", original, body={"content": "still"}))[0] == 200
    assert (await anna.event("MESSAGE_UPDATE"))["content"] == "still"
    path = f"/channels/{discord.channel}/messages"
    await discord.refused("PATCH", f"{path}/{message['id']}", discord.bot, {"content": "x"}, 10008)
    assert (await discord.call("GET", path, discord.anna))[1] == []
    await discord.refused("GET", f"{path}/{message['id']}", discord.bruno, None, 10008)
    await discord.call("POST", path, discord.anna, {"content": "end"})
    await bruno.event("MESSAGE_CREATE")
    assert not bruno.named("MESSAGE_CREATE")
    assert not bruno.named("INTERACTION_CREATE")


async def test_without_an_answer_in_time_the_interaction_fails_and_is_unknown(discord: Discord) -> None:
    await discord.ping_command()
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    await bot.event("READY")
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    payload = await bot.event("INTERACTION_CREATE")
    assert (await anna.event("INTERACTION_FAILURE"))["nonce"] == "n"
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    await discord.refused("POST", callback, "", {"type": 4, "data": {"content": "late"}}, 10062)


async def test_a_click_needs_an_enabled_control_of_the_message(discord: Discord) -> None:
    bot = await discord.connect(discord.bot)
    await bot.event("READY")
    path = f"/channels/{discord.channel}/messages"
    body = {"flags": V2, "components": [row(button("yes"), button("no", disabled=True))]}
    _, sent = await discord.call("POST", path, discord.bot, body)
    for custom_id, status in (("yes", 204), ("no", 400), ("forged", 400)):
        data = {"component_type": 2, "custom_id": custom_id}
        assert await discord.begin(discord.anna, {"type": 3, "message_id": sent["id"], "data": data}) == status
    payload = await bot.event("INTERACTION_CREATE")
    assert payload["message"]["id"] == sent["id"]
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    update = {"type": 7, "data": {"components": [text("done")]}}
    status, answer = await discord.call("POST", callback + "?with_response=true", body=update)
    assert status == 200
    assert answer["resource"]["message"]["id"] == sent["id"]
    assert (await discord.call("GET", f"{path}/{sent['id']}", discord.anna))[1]["components"][0]["content"] == "done"


async def test_select_values_must_be_on_offer(discord: Discord) -> None:
    menu = {"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}]}
    path = f"/channels/{discord.channel}/messages"
    _, sent = await discord.call("POST", path, discord.bot, {"flags": V2, "components": [row(menu)]})
    for values, status in ((["a"], 204), (["b"], 400), ([], 400), (["a", "a"], 400)):
        data = {"component_type": 3, "custom_id": "s", "values": values}
        assert await discord.begin(discord.anna, {"type": 3, "message_id": sent["id"], "data": data}) == status


async def test_a_modal_is_shown_and_submitted_once(discord: Discord) -> None:
    await discord.ping_command()
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    await bot.event("READY")
    await discord.begin(discord.anna, {"type": 2, "data": {"name": "ping"}})
    payload = await bot.event("INTERACTION_CREATE")
    modal = {
        "custom_id": "m",
        "title": "T",
        "components": [row({"type": 4, "custom_id": "t", "style": 1, "label": "L"})],
    }
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    assert (await discord.call("POST", callback, body={"type": 9, "data": modal}))[0] == 204
    shown = await anna.event("INTERACTION_MODAL_CREATE")
    written = [{"type": 1, "components": [{"type": 4, "custom_id": "t", "value": "v"}]}]
    data = {"id": shown["id"], "custom_id": "m", "components": written}
    assert await discord.begin(discord.anna, {"type": 5, "data": data}) == 204
    assert (await bot.event("INTERACTION_CREATE"))["type"] == 5
    assert await discord.begin(discord.anna, {"type": 5, "data": data}) == 404


# Selects that Discord fills with people, roles or channels.
#
# https://discord.com/developers/docs/components/reference#channel-select

USERS, ROLES, CHANNELS = 5, 6, 8


def select(kind: int, **more: Any) -> dict[str, Any]:
    """A select of this *kind* from which up to three are chosen."""
    return {"type": kind, "custom_id": "s", "min_values": 0, "max_values": 3, **more}


async def chosen(discord: Discord, values: Any, **fields: Any) -> tuple[int, dict[str, Any] | None]:
    """(status, the data that the bot gets) when Anna chooses *values* in a select with these *fields*."""
    bot = await discord.connect(discord.bot, intents=1)
    await bot.event("GUILD_CREATE")
    status, message = await discord.sends({"content": "x", "components": [row(select(**fields))]})
    assert status == 200, message
    data = {"component_type": fields["kind"], "custom_id": "s", "values": values}
    click = {"type": 3, "channel_id": discord.channel, "message_id": message["id"], "data": data}
    status = await discord.begin(discord.anna, click)
    return status, (await bot.event("INTERACTION_CREATE"))["data"] if status == 204 else None


async def test_the_bot_is_told_what_was_chosen_with_the_objects(discord: Discord) -> None:
    status, data = await chosen(discord, [discord.channel], kind=CHANNELS, channel_types=[0])
    assert (status, data and data["values"]) == (204, [discord.channel])
    assert data is not None
    assert data["resolved"]["channels"][discord.channel].keys() >= {"id", "name", "type", "permissions"}
    status, data = await chosen(discord, [discord.bruno_id], kind=USERS)
    assert data is not None
    assert data["resolved"]["users"][discord.bruno_id]["username"]
    assert "user" not in data["resolved"]["members"][discord.bruno_id]
    status, data = await chosen(discord, [discord.guild], kind=ROLES)
    assert data is not None
    assert data["resolved"]["roles"][discord.guild]["name"] == "@everyone"
    status, data = await chosen(discord, [], kind=ROLES)
    assert (status, data and data["values"]) == (204, [])


@pytest.mark.parametrize(
    ("kind", "values"),
    [(CHANNELS, ["5"]), (ROLES, ["5"]), (USERS, ["5"]), (USERS, None), (USERS, "x"), (CHANNELS, ["1", "2", "3", "4"])],
)
async def test_what_is_not_there_cannot_be_chosen(discord: Discord, kind: int, values: Any) -> None:
    assert (await chosen(discord, values, kind=kind))[0] == 400


async def test_a_thread_begins_below_a_message_and_has_its_id(discord: Discord) -> None:
    """https://discord.com/developers/docs/resources/channel#start-thread-from-message"""
    _, message = await discord.sends({"content": "x"})
    path, body = (
        f"/channels/{discord.channel}/messages/{message['id']}/threads",
        {"name": "17", "auto_archive_duration": 60},
    )
    status, thread = await discord.call("POST", path, discord.bot, body)
    assert (status, thread["id"], thread["parent_id"]) == (201, message["id"], discord.channel)
    status, answer = await discord.call("POST", path, discord.bot, body)
    assert (status, answer["code"]) == (400, 160004)
    status, answer = await discord.call("PATCH", f"/channels/{thread['id']}", discord.bot, {"archived": True})
    assert (status, answer["thread_metadata"]["archived"]) == (200, True)
