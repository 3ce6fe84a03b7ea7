"""What the bot answers, and what becomes of it: deferred answers, follow-ups, modals, the callback's own answer.

https://discord.com/developers/docs/interactions/receiving-and-responding
"""

from typing import Any

import pytest

from tests.local_discord.client import EPHEMERAL, LOADING, V2, Discord, at, button, row

MODAL = {
    "custom_id": "m",
    "title": "T",
    "components": [row({"type": 4, "custom_id": "t", "style": 1, "label": "L", "required": False})],
}
FILLED = [{"type": 1, "components": [{"type": 4, "custom_id": "t", "value": "v"}]}]


async def test_the_first_follow_up_after_a_deferred_private_answer_fills_the_placeholder(discord: Discord) -> None:
    """Create Followup Message: directly after callback type 5 no new message is made, the loading message is edited,
    and the flag for ephemeral messages of the follow-up is ignored."""
    await discord.ping_command()
    bot, anna, bruno = [await discord.connect(t) for t in (discord.bot, discord.anna, discord.bruno)]
    await bruno.event("READY")
    payload = await discord.pinged(bot, discord.anna)
    assert (await discord.answer(payload, {"type": 5, "data": {"flags": EPHEMERAL}}))[0] == 204
    placeholder = await anna.event("MESSAGE_CREATE")
    assert (placeholder["flags"], placeholder["content"]) == (EPHEMERAL | LOADING, "")
    status, filled = await discord.call("POST", discord.webhook(payload), body={"content": "secret"})
    assert (status, filled["id"], filled["flags"]) == (200, placeholder["id"], EPHEMERAL)
    assert (await anna.event("MESSAGE_UPDATE"))["content"] == "secret"
    # The next one is a message of its own, and is as private as its own flags say.
    _, second = await discord.call("POST", discord.webhook(payload), body={"content": "public"})
    assert (second["flags"], second["id"] == filled["id"]) == (0, False)
    assert (await bruno.event("MESSAGE_CREATE"))["content"] == "public"
    assert not bruno.named("MESSAGE_UPDATE")


async def test_a_deferred_answer_takes_no_flag_but_ephemeral(discord: Discord) -> None:
    """Messages, note on ``flags``: the only valid one with callback type 5 is EPHEMERAL."""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    payload = await discord.pinged(bot, discord.anna)
    status, refused = await discord.answer(payload, {"type": 5, "data": {"flags": V2}})
    assert (status, at(refused, "data.flags")) == (400, ["BASE_TYPE_CHOICES"])
    assert (await discord.answer(payload, {"type": 5, "data": {"flags": EPHEMERAL}}))[0] == 204


async def test_errors_in_an_answer_have_the_path_from_its_data(discord: Discord) -> None:
    """Reference, "Error Messages": the errors mirror the body, and here the message is its ``data``."""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    payload = await discord.pinged(bot, discord.anna)
    _, refused = await discord.answer(payload, {"type": 4, "data": {"content": "x" * 2001}})
    assert at(refused, "data.content")
    _, refused = await discord.answer(payload, {"type": 4, "data": [1]})
    assert at(refused, "data") == ["MODEL_TYPE_CONVERT"]


@pytest.mark.parametrize(
    ("reply", "loading", "resource"),
    [
        ({"type": 4, "data": {"content": "x", "flags": EPHEMERAL}}, False, 4),
        ({"type": 5, "data": {"flags": EPHEMERAL}}, True, None),
        ({"type": 9, "data": MODAL}, None, None),
    ],
)
async def test_the_callback_says_what_became_of_the_answer(
    discord: Discord, reply: Any, loading: bool | None, resource: int | None
) -> None:
    """Interaction Callback Object: ids and states of the message that was made, and no ids where there is none."""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    payload = await discord.pinged(bot, discord.anna)
    status, answer = await discord.answer(payload, reply, "?with_response=true")
    said = answer["interaction"]
    assert (status, said["id"], said["type"]) == (200, payload["id"], 2)
    assert answer.get("resource", {}).get("type") == resource
    if loading is None:
        assert not {"response_message_id", "response_message_loading"} & set(said)
    else:
        assert (said["response_message_loading"], said["response_message_ephemeral"]) == (loading, True)
        _, original = await discord.call("GET", discord.webhook(payload, "@original"))
        assert said["response_message_id"] == original["id"]


async def test_a_modal_that_a_button_opened_can_be_answered_by_changing_the_buttons_message(discord: Discord) -> None:
    """Types 6 and 7 are for components, and so for a modal that a component opened: its interaction has a message.
    (The table of callback types says so since discord-api-docs#8612.)"""
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    _, sent = await discord.sends({"flags": V2, "components": [row(button("open"))]})
    for reply in ({"type": 7, "data": {"components": [row(button("open", label="again"))]}}, {"type": 6}):
        click = {"type": 3, "message_id": sent["id"], "data": {"component_type": 2, "custom_id": "open"}}
        opened = await discord.used(bot, discord.anna, click)
        assert (await discord.answer(opened, {"type": 9, "data": MODAL}))[0] == 204
        shown = await anna.event("INTERACTION_MODAL_CREATE")
        submit = {"type": 5, "data": {"id": shown["id"], "custom_id": "m", "components": FILLED}}
        submitted = await discord.used(bot, discord.anna, submit)
        assert submitted["message"]["id"] == sent["id"]
        assert (await discord.answer(submitted, reply))[0] == 204
        _, original = await discord.call("GET", discord.webhook(submitted, "@original"))
        assert original["id"] == sent["id"]
        assert original["components"][0]["components"][0]["label"] == "again"


async def test_a_modal_that_a_command_opened_has_no_message_to_change(discord: Discord) -> None:
    """Type 6 is taken and shows nothing; type 7 is "Unknown Message" (discord-api-docs#7774)."""
    await discord.ping_command()
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    opened = await discord.pinged(bot, discord.anna)
    await discord.answer(opened, {"type": 9, "data": MODAL})
    shown = await anna.event("INTERACTION_MODAL_CREATE")
    submit = {"type": 5, "data": {"id": shown["id"], "custom_id": "m", "components": FILLED}}
    submitted = await discord.used(bot, discord.anna, submit)
    assert "message" not in submitted
    update = {"type": 7, "data": {"content": "x"}}
    assert (await discord.answer(submitted, update))[1]["code"] == 10008
    assert (await discord.answer(submitted, {"type": 6}))[0] == 204
    assert (await discord.call("GET", discord.webhook(submitted, "@original")))[1]["code"] == 10008


@pytest.mark.parametrize(("kind", "reached"), [(6, True), (7, True), (4, False)])
async def test_what_a_token_reaches_follows_from_the_first_response(discord: Discord, kind: int, reached: bool) -> None:
    """The clicked message, if that is what is "@original", and what follows up; each by its id."""
    _, clicked = await discord.sends({"content": "table", "components": [row(button("b"))]})
    bot = await discord.connect(discord.bot)
    data = {"component_type": 2, "custom_id": "b"}
    click = await discord.used(bot, discord.anna, {"type": 3, "message_id": clicked["id"], "data": data})
    assert (await discord.answer(click, {"type": kind, "data": {"content": "x"} if kind != 6 else None}))[0] in (
        200,
        204,
    )
    _, hand = await discord.call("POST", discord.webhook(click), body={"content": "hand", "flags": 64})
    for message, status in ((clicked, 200 if reached else 404), (hand, 200)):
        assert (await discord.call("PATCH", discord.webhook(click, message["id"]), body={"content": "y"}))[0] == status
    assert (await discord.call("DELETE", discord.webhook(click, hand["id"])))[0] == 204


async def test_a_command_cannot_be_answered_by_changing_a_message(discord: Discord) -> None:
    """Interaction Callback Type: 6 and 7 are not for commands; autocomplete (8) is not here."""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    payload = await discord.pinged(bot, discord.anna)
    for kind in (1, 6, 7, 8, 10, 12, "4", None, True):
        assert (await discord.answer(payload, {"type": kind, "data": {"content": "x"}}))[1]["code"] == 50035


async def test_answers_say_what_they_answer(discord: Discord) -> None:
    """Message Types and "Message Interaction Metadata Object": 20 for the response to a command, 19 with a reference
    for what follows it or answers a component, and which message was clicked."""
    await discord.register({"name": "table", "options": [{"type": 1, "name": "end", "description": "d"}]})
    bot = await discord.connect(discord.bot)
    use = {"type": 2, "data": {"name": "table", "options": [{"type": 1, "name": "end", "options": []}]}}
    command = await discord.used(bot, discord.anna, use)
    await discord.answer(command, {"type": 4, "data": {"content": "x", "components": [row(button("b"))]}})
    _, response = await discord.call("GET", discord.webhook(command, "@original"))
    assert (response["type"], response["interaction"]["name"]) == (20, "table end")
    assert response["interaction_metadata"]["authorizing_integration_owners"] == {"0": discord.guild}
    assert "message_reference" not in response
    _, more = await discord.call("POST", discord.webhook(command), body={"content": "more"})
    assert (more["type"], more["message_reference"]["message_id"]) == (19, response["id"])
    assert more["interaction_metadata"]["original_response_message_id"] == response["id"]
    assert "interaction" not in more
    data = {"component_type": 2, "custom_id": "b"}
    click = await discord.used(bot, discord.anna, {"type": 3, "message_id": response["id"], "data": data})
    await discord.answer(click, {"type": 4, "data": {"content": "y"}})
    _, reply = await discord.call("GET", discord.webhook(click, "@original"))
    assert (reply["type"], reply["message_reference"]["message_id"]) == (19, response["id"])
    assert reply["interaction_metadata"]["interacted_message_id"] == response["id"]
    assert "interaction" not in reply
