"""Commands, clicks and modals: what reaches the bot, and who sees its answer."""

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
